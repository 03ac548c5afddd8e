/** The button that links other records with the parent of the list, by PUT. */
import { Button, Checkbox, Group, Popover, Stack } from '@mantine/core'
import { useState } from 'react'
import { forEachConcurrently } from '../../bulk/for-each-concurrently.ts'
import { useInvalidate, useList, useRecord } from '../../http/queries.ts'
import { recordFrom } from '../../http/response-body.ts'
import { useRefusal } from '../../http/use-refusal.ts'
import { text } from '../../language/language.ts'
import { labelOf, plainTitle } from '../../model/record/label.ts'
import { linkChoices } from '../../model/record/link-choices.ts'
import { recordPath } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import { type Collection, idOf, type Variant } from '../../model/service/service.ts'
import { nounText } from '../../model/title.ts'
import { useConsole } from '../../state/console-context.ts'
import { FocusReturn } from '../../view/dialog/focus-return.tsx'
import { Icon } from '../../view/icon.tsx'
import { ProblemAlert } from '../../view/problem-alert.tsx'
import { useRecordTitle } from '../use-record-title.ts'
import { ReferencesInput } from './reference-input.tsx'

interface LinkPickerProps {
  readonly collection: Collection
  readonly linkCollection: Collection
  readonly ids: readonly string[]
}

/** The linked records are left out of the options, as far as one page has them. */
const maxLinked = 1000

export function LinkPicker(props: LinkPickerProps) {
  const { collection, linkCollection, ids } = props
  const { service } = useConsole()
  const refusal = useRefusal()(linkCollection.api, linkCollection.operations.link)
  const [isOpen, setOpen] = useState(false)
  const above = useRecord(collection.parent as Collection, ids)
  const choices = linkChoices(service, collection, ids, above.data?.record)
  if (!choices) return null
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      width="min(420px, 100vw - 24px)"
      trapFocus
      closeOnEscape={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          leftSection={<Icon name="link" size={14} />}
          disabled={refusal !== undefined}
          title={refusal}
          onClick={() => setOpen(!isOpen)}
        >
          {text().record.linkOne(nounText(collection))}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        onKeyDown={({ key, target }) => {
          // Escape in an open list of options closes only the list.
          const isList = target instanceof Element && target.getAttribute('aria-expanded') === 'true'
          if (key === 'Escape' && !isList) setOpen(false)
        }}
      >
        <FocusReturn />
        <LinkForm {...props} choices={choices} parentRecord={above.data?.record} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

interface LinkFormProps extends LinkPickerProps {
  readonly choices: NonNullable<ReturnType<typeof linkChoices>>
  readonly parentRecord: Json | undefined
  onDone(): void
}

function LinkForm({ collection, linkCollection, ids, choices, parentRecord, onDone }: LinkFormProps) {
  const { service, http, notify } = useConsole()
  const invalidate = useInvalidate()
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([])
  const [isNarrow, setNarrow] = useState(true)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const parent = collection.parent as Collection
  const title = useRecordTitle(parent, parentRecord) ?? plainTitle(parent, ids.at(-1))
  const linked = useLinked(collection, ids)
  const noun = nounText(collection)
  const link = async () => {
    setBusy(true)
    setError(undefined)
    const done: Json[] = []
    const failed: { readonly id: string; readonly error: unknown }[] = []
    await forEachConcurrently(selectedIds, async (id) => {
      const pair = linkCollection === collection ? [...ids, id] : [ids.at(-1), id]
      try {
        const path = recordPath(linkCollection, pair)
        const { body } = await http.send({ base: linkCollection.api.base, method: 'PUT', path })
        done.push(recordFrom(linkCollection, body))
      } catch (caught) {
        failed.push({ id, error: caught })
      }
    })
    setSelectedIds(failed.map(({ id }) => id))
    setError(failed[0]?.error)
    if (done.length > 0) {
      await invalidate(linkCollection)
      const names = done.filter((record) => Object.keys(record).length > 0)
      const labels = names.length <= 3 ? names.map((record) => labelOf(service, linkCollection, record)) : []
      notify({ text: text().record.linked(labels, done.length, noun, title) })
    }
    setBusy(false)
    if (failed.length === 0) onDone()
  }
  const isShared = Object.keys(choices.shared).length > 0
  const titleOf = (name: string) => parent.fields.find((field) => field.name === name)?.title ?? name
  return (
    <Stack gap="xs">
      {error !== undefined && <ProblemAlert error={error} />}
      {/* Above the input, whose options are below it. */}
      {isShared && (
        <Checkbox
          size="xs"
          label={text().record.sameOnly(Object.keys(choices.shared).map(titleOf))}
          checked={isNarrow}
          onChange={({ currentTarget: { checked } }) => setNarrow(checked)}
        />
      )}
      <Group align="flex-end" gap="xs" wrap="nowrap" className="linked-input">
        <ReferencesInput
          target={choices.target}
          ids={choices.ids}
          fixed={isNarrow ? choices.shared : {}}
          label={text().record.linkOne(noun)}
          placeholder={selectedIds.length === 0 ? text().record.linkChoose(noun) : undefined}
          size="xs"
          data-autofocus
          values={selectedIds}
          hidden={linked}
          onChange={setSelectedIds}
        />
        <Button size="xs" className="link-button" disabled={selectedIds.length === 0} loading={isBusy} onClick={link}>
          {text().record.link(selectedIds.length)}
        </Button>
      </Group>
    </Stack>
  )
}

/** The IDs of the records that are linked already. */
function useLinked(collection: Collection, ids: readonly string[]): ReadonlySet<string> {
  const variant = collection.variants[0] as Variant
  const { pageSize } = variant
  const query = new URLSearchParams(pageSize && { pageSize: `${Math.min(maxLinked, pageSize.maximum)}` })
  const { data } = useList({ collection, variant, ids, query })
  return new Set(data?.records.map((record) => `${idOf(collection, record)}`))
}
