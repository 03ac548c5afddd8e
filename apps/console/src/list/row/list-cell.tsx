/** One cell of a list. References are shown by name, as links to their records. */

import type { Field } from '../../model/record/field.ts'
import { recordPath } from '../../model/route.ts'
import type { Json } from '../../model/service/openapi.ts'
import type { Collection } from '../../model/service/service.ts'
import { router } from '../../state/router.ts'
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
  /** Whether a plain click on a reference opens its page (default) or the drawer, or a reference is not a link. */
  readonly link?: 'page' | 'drawer' | 'none'
}

export function ListCell({ field, record, reference, link = 'page' }: ListCellProps) {
  const value = record[field.name]
  if (!reference || value === null || value === undefined) return <Value field={field} value={value} />
  const label = reference.labels.get(`${value}`) ?? `${value}`
  if (link === 'none') return <span>{label}</span>
  return (
    <Link
      to={recordPath(reference.target, [value])}
      go={link === 'drawer' ? (to) => router.openRecord(to) : undefined}
      size="sm"
    >
      {label}
    </Link>
  )
}
