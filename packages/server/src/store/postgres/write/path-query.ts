/** Queries that also check the ancestors of the path: one row, with a column for each ancestor. */
import { type AnyNoun, type Operation, type Shape, specOf, type Value } from '@nomen/core'
import type { Target } from '../../decide/rejection.ts'
import type { RowFilter } from '../../plan.ts'
import { visibleWhere } from '../../sql/filter.ts'
import { all, column, slot, table, version } from '../../sql/fragment.ts'
import { recordJson } from '../../sql/record-json.ts'
import { ancestorChecks, type RecordInput, readQuery } from '../../sql/record-query.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import type { WriteInput } from '../../sql/write-query.ts'
import { postgresDialect as dialect } from '../dialect.ts'
import type { OriginInput } from './origin-query.ts'

/** Columns: those of a query, then for each ancestor whether it exists. At least one row. */
export function belowAncestors({ levels }: Operation, query: Sql, rowFilter?: RowFilter): Sql {
  if (levels.length === 1) return query
  return sql`select found.*, ${sql.join(ancestorChecks(dialect, levels, rowFilter))}
    from (select) as one
    left join (${query}) as found on true`
}

/** Reads a record below its ancestors. Columns: JSON of the shape, identity, version, ancestors. */
export function readBelow(operation: Operation, shape: Shape, rowFilter?: RowFilter, lock = sql``): Sql {
  return belowAncestors(operation, sql`${readQuery(dialect, operation, shape, rowFilter)}${lock}`, rowFilter)
}

/** Prevents other transactions from changing the record or referring to it until this one ends. */
export const lock = sql` for update of t`

/** The bound values of a write: ancestors and key of the plan, values, and the version that was read. */
export interface WriteParameters extends WriteInput, RecordInput, OriginInput {
  readonly version?: number
}

/** One row: for each ancestor whether it exists. */
export function ancestorsQuery({ levels }: Operation, rowFilter?: RowFilter): Sql {
  const checks = ancestorChecks(dialect, levels, rowFilter)
  return sql`select ${sql.join(checks.map((check, level) => sql`${check} as ${sql.ref(`a${level}`)}`))}`
}

export function ancestorsExist({ levels }: Operation): Sql {
  return all(levels.slice(0, -1).map((_, level) => sql.ref(`_ancestors.a${level}`)))
}

export function returningColumns({ shape }: Operation, alias: string): Sql {
  const { noun } = shape
  return sql`${recordJson(dialect, shape, { alias })} as json,
    ${column(noun, noun.identity, alias)} as identity,
    ${version(alias)} as version`
}

/** The bound values of a query for missing records. */
export interface MissingInput {
  readonly ancestors: readonly Value[]
  readonly targets: readonly Target[]
  readonly rowFilter: RowFilter | undefined
}

/** Columns: for each ancestor, then for each target, whether it exists and is visible. */
export function missingQuery({ levels }: Operation, targets: readonly Target[], rowFilter: RowFilter | undefined): Sql {
  const checks = targets.map((target, index) => {
    const { noun } = target
    const value = slot<MissingInput>((input) => input.targets[index]?.value ?? null)
    const isKey = dialect.isEqual(specOf(noun, noun.identity), column(noun, noun.identity), value)
    const conditions = all([isKey, ...visibleWhere(dialect, target.rowFilter, noun)])
    return sql`exists (select 1 from ${table(noun)} as t where ${conditions})`
  })
  return sql`select ${sql.join([...ancestorChecks(dialect, levels, rowFilter), ...checks])}`
}

export function keyType(noun: AnyNoun): string {
  return specOf(noun, noun.identity).guid ? 'uuid' : 'bigint'
}
