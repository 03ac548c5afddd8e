/** The values of an entry: before and after a change, or all values of a created or deleted record. */
import { Button, Table, Text, VisuallyHidden } from '@mantine/core'
import { text } from '../language/language.ts'
import { ListCell } from '../list/list-cell.tsx'
import { useReferenceColumns } from '../list/reference-columns.ts'
import { type Entry, entryFields, fieldChanges } from '../model/history/entry.ts'
import type { Field } from '../model/record/field.ts'
import type { Collection } from '../model/service/service.ts'
import { RecordFacts } from '../record/record-facts.tsx'
import { useConsole } from '../wire/console-context.ts'

interface EntryValuesProps {
  readonly entry: Entry
  /** The collection of the record; otherwise the names of the fields are shown without their types. */
  readonly collection: Collection | undefined
  /** The list of the entries. */
  readonly list: Collection
  /** Undefined if the value of the field cannot be restored. */
  readonly restoreOf?: ((field: Field) => (() => void) | undefined) | undefined
}

export function EntryValues({ entry, collection, list, restoreOf }: EntryValuesProps) {
  const { service } = useConsole()
  const { history } = text()
  const fields = entryFields(service, entry, collection)
  const api = collection?.api ?? list.api
  switch (entry.kind) {
    case 'CHANGED':
      return <Changes entry={entry} fields={fields} api={api} restoreOf={restoreOf} />
    case 'CREATED':
    case 'DELETED':
      return <RecordFacts api={api} record={{ ...entry.before, ...entry.after }} fields={fields} />
    case 'ERASED':
      return <Text size="sm">{history.erased}</Text>
    case 'STARTED':
      return <Text size="sm">{history.started}</Text>
    case 'MIGRATED':
      return <Text size="sm">{history.migrated(fields.map(({ title }) => title))}</Text>
    default:
      return null
  }
}

interface ChangesProps extends Pick<EntryValuesProps, 'entry' | 'restoreOf'> {
  readonly fields: readonly Field[]
  readonly api: Collection['api']
}

function Changes({ entry, fields, api, restoreOf }: ChangesProps) {
  const { history } = text()
  const changes = fieldChanges(entry, fields)
  const columns = changes.map(({ field }) => field)
  const references = useReferenceColumns(api, columns, [entry.before, entry.after])
  const isRestorable = columns.some((field) => restoreOf?.(field))
  return (
    <Table verticalSpacing={4} className="entry-changes">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{history.field}</Table.Th>
          <Table.Th>{history.before}</Table.Th>
          <Table.Th>{history.after}</Table.Th>
          {isRestorable && (
            <Table.Th>
              <VisuallyHidden>{history.restoreValue}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map((field) => {
          const restore = restoreOf?.(field)
          const reference = references.get(field.name)
          return (
            <Table.Tr key={field.name}>
              <Table.Th scope="row" fw={500}>
                {field.title}
              </Table.Th>
              <Table.Td>
                <ListCell field={field} record={entry.before} reference={reference} />
              </Table.Td>
              <Table.Td>
                <ListCell field={field} record={entry.after} reference={reference} />
              </Table.Td>
              {isRestorable && (
                <Table.Td className="entry-restore">
                  {restore && (
                    <Button size="compact-xs" variant="subtle" onClick={restore}>
                      {history.restoreValue}
                    </Button>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
