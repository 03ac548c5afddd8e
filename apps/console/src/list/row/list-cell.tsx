/** One cell of a list. References are shown by name, as links to their records. */

import type { Field } from '../../model/record/field.ts'
import { recordPath } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import type { Collection } from '../../model/service/service.ts'
import { Link } from '../../view/link.tsx'
import { Value } from '../../view/value.tsx'

export interface ReferenceColumn {
  readonly target: Collection
  readonly labels: ReadonlyMap<string, string>
}

interface ListCellProps {
  readonly field: Field
  readonly record: Json
  readonly reference: ReferenceColumn | undefined
}

export function ListCell({ field, record, reference }: ListCellProps) {
  const value = record[field.name]
  if (!reference || value === null || value === undefined) return <Value field={field} value={value} />
  const label = reference.labels.get(`${value}`)
  return (
    <Link to={recordPath(reference.target, [value])} size="sm">
      {label ?? `${value}`}
    </Link>
  )
}
