/** A conflict: the saved values beside those of the form, with the choice to merge, overwrite or discard. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { ConflictChanges } from '../history/conflict-changes.tsx'
import { text } from '../language/language.ts'
import type { Field } from '../model/record/field.ts'
import { isSame, type Values, valueToSend } from '../model/record/values.ts'
import type { Collection } from '../model/service/service.ts'
import { Dialog } from '../view/dialog.tsx'
import { ComparisonTable } from './comparison-table.tsx'

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
  const written = Object.fromEntries(fields.map((field) => [field.name, valueToSend(field, mine[field.name])]))
  const differentFields = fields.filter(({ name }) => !isSame(written[name], theirs[name]))
  // The form's values for fields that were changed in it, the saved values for all others.
  const both = Object.fromEntries(
    fields.map(({ name }) => [name, isSame(written[name], base[name]) ? theirs[name] : written[name]]),
  )
  const isBoth = !isSame(both, written)
  return (
    <Dialog onClose={onClose} title={text().record.conflictTitle} size="xl">
      <Stack>
        <ConflictChanges collection={collection} ids={ids} fields={fields} base={base} theirs={theirs} />
        <Text size="sm">{text().record.conflict}</Text>
        <ComparisonTable
          api={collection.api}
          fields={differentFields}
          states={[
            { title: text().record.conflictTheirs, values: theirs },
            { title: text().record.conflictMine, values: written },
          ]}
          withTableBorder
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onTake} data-autofocus>
            {text().record.conflictDiscard}
          </Button>
          {isBoth && (
            <Button variant="light" loading={isBusy} onClick={() => onSave(both)}>
              {text().record.conflictMerge}
            </Button>
          )}
          <Button color="red.9" loading={isBusy} onClick={() => onSave(mine)}>
            {text().record.conflictOverwrite}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
