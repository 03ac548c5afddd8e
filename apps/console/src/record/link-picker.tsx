/** Links another record with the parent of the list, by PUT. */
import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { text } from '../language/language.ts'
import { recordPath } from '../model/address.ts'
import { linkChoices } from '../model/record/link-choices.ts'
import type { Collection } from '../model/service/service.ts'
import { nounText } from '../model/words.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useInvalidate, useRecord } from '../wire/data.ts'
import { ReferenceInput } from './reference-input.tsx'

interface LinkPickerProps {
  readonly collection: Collection
  readonly linkCollection: Collection
  readonly ids: readonly string[]
}

export function LinkPicker({ collection, linkCollection, ids }: LinkPickerProps) {
  const { service, wire, notify } = useConsole()
  const invalidate = useInvalidate()
  const [chosen, setChosen] = useState<string | null>(null)
  const [isNarrow, setNarrow] = useState(true)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const parent = collection.parent as Collection
  const above = useRecord(parent, ids)
  const choices = linkChoices(service, collection, ids, above.data?.record)
  if (!choices) return null
  const noun = nounText(collection)
  const link = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const pair = linkCollection === collection ? [...ids, chosen] : [ids.at(-1), chosen]
      await wire.send({ base: linkCollection.api.base, method: 'PUT', path: recordPath(linkCollection, pair) })
      setChosen(null)
      await invalidate(linkCollection)
      notify({ text: text().record.linked(noun) })
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  const isShared = Object.keys(choices.shared).length > 0
  const titleOf = (name: string) => parent.fields.find((field) => field.name === name)?.title ?? name
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <Group align="flex-end" gap="xs">
        <ReferenceInput
          target={choices.target}
          ids={choices.ids}
          fixed={isNarrow ? choices.shared : {}}
          label={text().record.linkOne(noun)}
          placeholder={text().record.linkChoose(noun)}
          size="xs"
          value={chosen}
          isClearable
          onChange={setChosen}
        />
        <Button
          size="xs"
          leftSection={<Icon name="link" size={14} />}
          disabled={chosen === null}
          loading={isBusy}
          onClick={link}
        >
          {text().record.link}
        </Button>
        {isShared && (
          <Checkbox
            size="xs"
            mb={7}
            label={text().record.sameOnly(Object.keys(choices.shared).map(titleOf))}
            checked={isNarrow}
            onChange={({ currentTarget: { checked } }) => setNarrow(checked)}
          />
        )}
      </Group>
    </>
  )
}
