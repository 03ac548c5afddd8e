/** Names and paths of the records that entries name: one request for each noun. */
import { useReferenceColumns } from '../list/column/reference-columns.ts'
import { type Entry, locate, recordNameParts } from '../model/history/entry.ts'
import { fieldOf } from '../model/record/field.ts'
import { labelOf } from '../model/record/label.ts'
import { recordPath } from '../model/route.ts'
import type { Collection } from '../model/service/service.ts'
import { title } from '../model/title.ts'
import { useConsole } from '../state/console-context.ts'

export interface NamedRecord {
  /** `user/7` */
  readonly name: string
  /** Its display name; undefined if neither the service nor the entry has one. */
  readonly label: string | undefined
  /** The noun and the ID: `User 7`. */
  readonly plainTitle: string
  readonly path: string | undefined
}

export type NameRecord = (entry: Entry, name: string) => NamedRecord

/** The names of the records in a list of entries. */
export function useRecordNames({ api }: Collection, entries: readonly Entry[]): NameRecord {
  const { service } = useConsole()
  const parts = entries.flatMap(({ record, linked }) => [record, linked ?? '']).map(recordNameParts)
  const records = parts.flatMap(({ noun, id }) => (id === undefined ? [] : [{ [noun]: id }]))
  const nouns = [...new Set(records.flatMap(Object.keys))]
  const columns = nouns.map((noun) => fieldOf(noun, { type: undefined, schema: { 'x-nomen-reference': noun } }))
  const references = useReferenceColumns(api, columns, records)
  return (entry, name) => {
    const { noun, id } = recordNameParts(name)
    const isSubject = name === entry.record
    const location = locate(service, api, name, isSubject ? entry.linked : undefined)
    // A deleted record is only in its entry.
    const values = { ...entry.before, ...entry.after }
    const isComplete = isSubject && (entry.kind === 'CREATED' || entry.kind === 'DELETED')
    const labelFromList = references.get(noun)?.labels.get(`${id}`)
    return {
      name,
      label: labelFromList ?? (isComplete && location ? labelOf(service, location.collection, values) : undefined),
      plainTitle: [title(noun), id].filter(Boolean).join(' '),
      path: location && recordPath(location.collection, location.ids),
    }
  }
}
