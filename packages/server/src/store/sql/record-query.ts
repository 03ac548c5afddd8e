/** Queries that read single records and their ancestors in the path. */
import { type AnyNoun, type Level, type Operation, type Shape, specOf, type Value } from '@nomen/core'
import type { RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, ancestorKey, column, slot, table, version } from './fragment.ts'
import { recordJson } from './record-json.ts'
import { relationConditions } from './relation.ts'
import { type Sql, sql } from './sql.ts'

/** The bound values of a query on one record. */
export interface RecordInput {
  readonly ancestors: readonly Value[]
  readonly key: Value
  readonly rowFilter?: RowFilter | undefined
}

/** The shape of a stored record: every field under its own name, or only some. */
export function storedShape(noun: AnyNoun, fields: readonly string[] = Object.keys(noun.fields)): Shape {
  const properties = fields.map((field) => ({ name: field, field, spec: specOf(noun, field) }))
  return { name: 'complete', noun, properties }
}

/** Columns: JSON of the shape, identity, version. By identity, or by the lookup's unique field. */
export function readQuery(dialect: Dialect, operation: Operation, shape: Shape, rowFilter?: RowFilter): Sql {
  const { noun } = operation.shape
  const key = operation.lookup?.field ?? noun.identity
  const spec = specOf(noun, key)
  const isKey = dialect.isSame(
    spec,
    column(noun, key),
    slot<RecordInput>((input) => dialect.columnValue(spec, input.key)),
  )
  const related = relationConditions(dialect, operation.levels.at(-1)?.relations ?? [], { rowFilter, isSingle: true })
  const conditions = [isKey, ...related, ...visibleWhere(dialect, rowFilter, noun)]
  return sql`select ${recordJson(dialect, shape, { rowFilter })}, ${column(noun, noun.identity)}, ${version()}
from ${table(noun)} as t
where ${all(conditions)}`
}

/** One column for each ancestor: whether it exists and is related to those above it. */
export function ancestorQuery(dialect: Dialect, levels: readonly Level[], rowFilter?: RowFilter): Sql {
  return sql`select ${sql.join(ancestorChecks(dialect, levels, rowFilter))}`
}

/** For each ancestor: whether it exists, is related to those above it, and is visible. */
export function ancestorChecks(dialect: Dialect, levels: readonly Level[], rowFilter?: RowFilter): readonly Sql[] {
  return levels.slice(0, -1).map(({ resource, relations }, level) => {
    const noun: AnyNoun = resource.noun
    const isKey = sql`${column(noun, noun.identity)} = ${ancestorKey(dialect, noun, level)}`
    const conditions = [
      isKey,
      ...relationConditions(dialect, relations, { rowFilter, isSingle: true }),
      ...visibleWhere(dialect, rowFilter, noun),
    ]
    return sql`exists (select 1 from ${table(noun)} as t where ${all(conditions)})`
  })
}

/** Whether a record exists. */
export function existsQuery(noun: AnyNoun): Sql {
  return sql`select 1 from ${table(noun)} as t where ${column(noun, noun.identity)} = ${slot<Value>((key) => key)}`
}

/** Whether a record exists and is visible. */
export function visibleQuery(dialect: Dialect, noun: AnyNoun, rowFilter: RowFilter): Sql {
  const isKey = sql`${column(noun, noun.identity)} = ${slot<RecordInput>(({ key }) => key)}`
  return sql`select 1 from ${table(noun)} as t where ${all([isKey, ...visibleWhere(dialect, rowFilter, noun)])}`
}
