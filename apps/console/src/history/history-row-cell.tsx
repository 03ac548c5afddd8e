/** A cell in a list of history entries: records and fields by their names. */
import { Group } from '@mantine/core'
import { entryFields, entryFrom, fieldChanges, recordNames } from '../model/history/entry.ts'
import type { Field } from '../model/record/field.ts'
import type { Json } from '../model/service/openapi.ts'
import { useConsole } from '../state/console-context.ts'
import { Value } from '../view/value.tsx'
import { KindBadge } from './kind-badge.tsx'
import { RecordName } from './record-name.tsx'
import type { NameRecord } from './use-record-names.ts'

interface HistoryRowCellProps {
  readonly field: Field
  readonly record: Json
  readonly nameRecord: NameRecord
}

export function HistoryRowCell({ field, record, nameRecord }: HistoryRowCellProps) {
  const { service } = useConsole()
  const value = record[field.name]
  if (typeof value !== 'string') return <Value field={field} value={value} />
  const entry = entryFrom(record)
  switch (field.name) {
    case 'kind':
      return <KindBadge kind={value} />
    case 'record':
      return (
        <Group gap="xs" wrap="nowrap">
          {recordNames(entry).map((name) => (
            <RecordName key={name} {...nameRecord(entry, name)} />
          ))}
        </Group>
      )
    case 'linked':
      return <RecordName {...nameRecord(entry, value)} />
    case 'fields': {
      const changes = fieldChanges(entry, entryFields(service, entry, undefined))
      return <span>{changes.map((change) => change.field.title).join(', ')}</span>
    }
    default:
      return <Value field={field} value={value} />
  }
}
