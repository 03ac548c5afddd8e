/** Links another record with the one above the list: PUT at the path of the pair. */
import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { recordPath } from '../model/address.ts'
import { linkChoices } from '../model/record/link-choices.ts'
import type { Collection } from '../model/service/service.ts'
import { title, withArticle } from '../model/words.ts'
import { Icon } from '../view/icon.tsx'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { useConsole } from '../wire/console-context.ts'
import { useRecord, useStale } from '../wire/data.ts'
import { ReferenceInput } from './reference-input.tsx'

interface LinkPickerProps {
  readonly collection: Collection
  readonly linker: Collection
  readonly ids: readonly string[]
}

export function LinkPicker({ collection, linker, ids }: LinkPickerProps) {
  const { service, wire, say } = useConsole()
  const stale = useStale()
  const [chosen, setChosen] = useState<string | null>(null)
  const [isNarrow, setNarrow] = useState(true)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const parent = collection.parent as Collection
  const above = useRecord(parent, ids)
  const choices = linkChoices(service, collection, ids, above.data?.record)
  if (!choices) return null
  const noun = collection.noun.replaceAll('-', ' ')
  const link = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const pair = linker === collection ? [...ids, chosen] : [ids.at(-1), chosen]
      await wire.send({ base: linker.api.base, method: 'PUT', path: recordPath(linker, pair) })
      setChosen(null)
      await stale(linker)
      say({ text: `The ${noun} is linked.` })
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
    }
  }
  const isShared = Object.keys(choices.shared).length > 0
  return (
    <>
      {error !== undefined && <ProblemAlert error={error} />}
      <Group align="flex-end" gap="xs">
        <ReferenceInput
          target={choices.target}
          ids={choices.ids}
          fixed={isNarrow ? choices.shared : {}}
          label={`Link ${withArticle(noun)}`}
          placeholder={`Choose ${withArticle(noun)}`}
          size="xs"
          value={chosen}
          isClearable
          onChange={setChosen}
        />
        <Button
          size="xs"
          leftSection={<Icon sign="link" size={14} />}
          disabled={chosen === null}
          loading={isBusy}
          onClick={link}
        >
          Link
        </Button>
        {isShared && (
          <Checkbox
            size="xs"
            mb={7}
            label={`Only with the same ${Object.keys(choices.shared)
              .map((name) => title(name).toLowerCase())
              .join(' and ')}`}
            checked={isNarrow}
            onChange={({ currentTarget: { checked } }) => setNarrow(checked)}
          />
        )}
      </Group>
    </>
  )
}
