/** A conflict: the loaded, the saved and the entered values, with a choice for each field. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ConflictChanges } from '../history/conflict-changes.tsx'
import { text } from '../language/language.ts'
import type { Field } from '../model/record/field.ts'
import { changedBody, isSame, type Values } from '../model/record/values.ts'
import type { Collection } from '../model/service/service.ts'
import { Dialog } from '../view/dialog/dialog.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import './conflict.css'

interface ConflictDialogProps {
  readonly collection: Collection
  readonly ids: readonly string[]
  readonly fields: readonly Field[]
  readonly base: Values
  readonly mine: Values
  readonly theirs: Values
  readonly isBusy: boolean
  onSave(values: Values): void
  onTake(): void
  onClose(): void
}

export default function ConflictDialog({
  collection,
  ids,
  fields,
  base,
  mine,
  theirs,
  isBusy,
  onSave,
  onTake,
  onClose,
}: ConflictDialogProps) {
  const written = changedBody(fields, mine, base)
  const differentFields = fields.filter(({ name }) => !isSame(written[name], theirs[name]))
  const [chosen, setChosen] = useState<{ readonly [name: string]: 'theirs' | 'mine' }>({})
  // At first the form's values for fields that were changed in it, the saved values for all others.
  const choiceOf = (name: string) => chosen[name] ?? (isSame(written[name], base[name]) ? 'theirs' : 'mine')
  const choiceTo = (choice: 'theirs' | 'mine') => ({
    isChosen: ({ name }: Field) => choiceOf(name) === choice,
    choose: ({ name }: Field) => setChosen((before) => ({ ...before, [name]: choice })),
  })
  const merge = () => {
    const isTaken = differentFields.every(({ name }) => choiceOf(name) === 'theirs')
    if (isTaken) onTake()
    else
      onSave(Object.fromEntries(fields.map(({ name }) => [name, (choiceOf(name) === 'mine' ? written : theirs)[name]])))
  }
  return (
    <Dialog onClose={onClose} title={text().record.conflictTitle} size="xl">
      <Stack>
        <ConflictChanges collection={collection} ids={ids} fields={fields} base={base} theirs={theirs} />
        <Text size="sm">{text().record.conflict}</Text>
        <div className="conflict-values">
          <ComparisonTable
            api={collection.api}
            fields={differentFields}
            states={[
              { title: text().history.before, values: base },
              { title: text().record.conflictTheirs, values: theirs, choice: choiceTo('theirs') },
              { title: text().record.conflictMine, values: written, choice: choiceTo('mine') },
            ]}
            withTableBorder
          />
        </div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onTake}>
            {text().record.conflictDiscard}
          </Button>
          <Button variant="default" disabled={isBusy} onClick={() => onSave(mine)}>
            {text().record.conflictOverwrite}
          </Button>
          <Button loading={isBusy} onClick={merge} data-autofocus>
            {text().record.conflictMerge}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
