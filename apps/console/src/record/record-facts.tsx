/** The values of a record, read-only, below their titles. */

import { useReferenceColumns } from '../list/column/reference-columns.ts'
import { ListCell } from '../list/row/list-cell.tsx'
import type { Field } from '../model/record/field.ts'
import type { Json } from '../model/service/openapi.ts'
import type { Api } from '../model/service/service.ts'

interface RecordFactsProps {
  readonly api: Api
  readonly record: Json
  readonly fields: readonly Field[]
}

export function RecordFacts({ api, record, fields }: RecordFactsProps) {
  const references = useReferenceColumns(api, fields, [record])
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
