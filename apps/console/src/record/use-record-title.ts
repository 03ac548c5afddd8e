/** The title of a record: its label, with the labels of its references. */
import { useReferenceColumns } from '../list/column/reference-columns.ts'
import { labelOf, labelReferences } from '../model/record/label.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'
import { useConsole } from '../state/console-context.ts'

/** Undefined while the record loads. */
export function useRecordTitle(collection: Collection, record: Json | undefined): string | undefined {
  const { service } = useConsole()
  const columns = labelReferences(service, collection)
  const references = useReferenceColumns(collection.api, columns, record ? [record] : [])
  if (!record) return undefined
  const labelled = columns.map(({ name }) => [
    name,
    references.get(name)?.labels.get(`${record[name]}`) ?? record[name],
  ])
  return labelOf(service, collection, { ...record, ...Object.fromEntries(labelled) })
}
