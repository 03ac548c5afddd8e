/** The values of an entry: before and after a change, or all values of a created or deleted record. */
import { Button, Text } from '@mantine/core'
import { text } from '../language/language.ts'
import { type Entry, entryFields, fieldChanges } from '../model/history/entry.ts'
import type { Field } from '../model/record/field.ts'
import type { Collection } from '../model/service/service.ts'
import { ComparisonTable } from '../record/comparison-table.tsx'
import { RecordFacts } from '../record/record-facts.tsx'
import { useConsole } from '../state/console-context.ts'

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
  const columns = fieldChanges(entry, fields).map(({ field }) => field)
  const renderRestore = (field: Field) => {
    const restore = restoreOf?.(field)
    return (
      restore && (
        <Button size="compact-xs" variant="subtle" onClick={restore}>
          {history.restoreValue}
        </Button>
      )
    )
  }
  return (
    <ComparisonTable
      api={api}
      fields={columns}
      states={[
        { title: history.before, values: entry.before },
        { title: history.after, values: entry.after },
      ]}
      renderAction={columns.some((field) => restoreOf?.(field)) ? renderRestore : undefined}
      className="entry-changes"
    />
  )
}
