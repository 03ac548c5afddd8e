/** Someone else changed the record meanwhile: what they made of it, what is in the form, and a clear choice. */
import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { ListCell } from '../list/list-cell.tsx'
import { useReferenceColumns } from '../list/reference-columns.ts'
import type { Field } from '../model/record/field.ts'
import { isSame, sent, type Values } from '../model/record/values.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { Dialog } from '../view/dialog.tsx'

interface ConflictDialogProps {
  readonly collection: Collection
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
  fields,
  base,
  mine,
  theirs,
  isBusy,
  onSave,
  onTake,
  onClose,
}: ConflictDialogProps) {
  const written = Object.fromEntries(fields.map((field) => [field.name, sent(field, mine[field.name])]))
  const differing = fields.filter(({ name }) => !isSame(written[name], theirs[name]))
  const references = useReferenceColumns(collection.api, differing, [written, theirs as Json])
  // Mine where I changed it, theirs everywhere else.
  const both = Object.fromEntries(
    fields.map(({ name }) => [name, isSame(written[name], base[name]) ? theirs[name] : written[name]]),
  )
  const isBoth = !isSame(both, written)
  return (
    <Dialog onClose={onClose} title="Someone else changed this meanwhile" size="xl">
      <Stack>
        <Text size="sm">Nothing is lost yet. These fields are stored otherwise than they stand in your form:</Text>
        <Table withTableBorder verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Stored now</Table.Th>
              <Table.Th>In your form</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differing.map((field) => (
              <Table.Tr key={field.name}>
                <Table.Th scope="row" fw={500}>
                  {field.title}
                </Table.Th>
                <Table.Td>
                  <ListCell field={field} record={theirs as Json} reference={references.get(field.name)} />
                </Table.Td>
                <Table.Td>
                  <ListCell field={field} record={written} reference={references.get(field.name)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onTake} data-autofocus>
            Take what is stored
          </Button>
          {isBoth && (
            <Button variant="light" loading={isBusy} onClick={() => onSave(both)}>
              Save my changes onto it
            </Button>
          )}
          <Button color="red.9" loading={isBusy} onClick={() => onSave(mine)}>
            Save my whole form over it
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
