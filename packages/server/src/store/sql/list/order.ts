/** The order of a list, and the columns that it needs. */
import { type AnyNoun, specOf } from '@nomen/core'
import type { ListPlan } from '../../plan.ts'
import type { Dialect } from '../dialect.ts'
import { column, sortKeyColumn } from '../fragment.ts'
import { type Sql, sql } from '../sql.ts'

/** The terms of the order; the identity breaks ties. */
export function orderBy(dialect: Dialect, { order, operation }: ListPlan): Sql {
  const { noun } = operation.shape
  const { identity } = noun
  const terms = order.map(({ field, isDescending }) =>
    isCollated(noun, field)
      ? dialect.keyOrder(sortKeyColumn(noun, field), isDescending)
      : dialect.order(specOf(noun, field), column(noun, field), isDescending),
  )
  const isUnambiguous = order.some(({ field }) => field === identity)
  return sql.join(isUnambiguous ? terms : [...terms, column(noun, identity)])
}

/** The fields of the order, and the columns of sort keys for those with a collation. */
export function sortedColumns({ order, operation }: ListPlan): {
  readonly fields: readonly string[]
  readonly keys: readonly Sql[]
} {
  const { noun } = operation.shape
  const fields = order.map(({ field }) => field)
  return {
    fields: fields.filter((field) => !isCollated(noun, field)),
    keys: fields.filter((field) => isCollated(noun, field)).map((field) => sortKeyColumn(noun, field)),
  }
}

function isCollated(noun: AnyNoun, field: string): boolean {
  return specOf(noun, field).sort !== undefined
}
