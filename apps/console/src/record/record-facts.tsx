/** The values of a record to look at, names on the left. */

import { ListCell } from '../list/list-cell.tsx'
import { useReferenceColumns } from '../list/reference-columns.ts'
import type { Field } from '../model/field.ts'
import type { Json } from '../model/openapi.ts'
import type { Collection } from '../model/service.ts'

interface RecordFactsProps {
  readonly collection: Collection
  readonly record: Json
  readonly fields: readonly Field[]
}

export function RecordFacts({ collection, record, fields }: RecordFactsProps) {
  const references = useReferenceColumns(collection.api, fields, [record])
  return (
    <dl className="facts">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{field.title}</dt>
          <dd>
            <ListCell field={field} record={record} reference={references.get(field.name)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
