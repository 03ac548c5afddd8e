/** Pieces of SQL that several queries share: names, bound values, and how conditions are put together. */
import { type AnyNoun, specOf, type Value } from '@nomen/core'
import type { Dialect } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/** Reads one bound value from a plan. It stands among the compiled statement's parameters until the statement runs. */
export interface Slot<Plan> {
  readonly read: (plan: Plan) => unknown
}

/** A place in a statement whose value each run takes from its plan. */
export function slot<Plan>(read: Slot<Plan>['read']): Sql {
  return sql.val({ read })
}

/** Reads the bound values of a compiled statement from an input, in their order. */
export function binder<Input>(parameters: readonly unknown[]): (input: Input) => unknown[] {
  return (input) => parameters.map((parameter) => (isSlot<Input>(parameter) ? parameter.read(input) : parameter))
}

function isSlot<Input>(parameter: unknown): parameter is Slot<Input> {
  return typeof parameter === 'object' && parameter !== null && 'read' in parameter
}

export function table(name: string): Sql {
  return sql.table(name)
}

/** The column of a field in the table that a query calls `t`. */
export function column(field: string, alias = 't'): Sql {
  return sql.ref(`${alias}.${field}`)
}

/** The name of the column that holds a searched field's folded text. */
export function foldedColumn(field: string): string {
  return `${field}_folded`
}

/** The identity of the ancestor at a level of the path. */
export function ancestorKey(dialect: Dialect, noun: AnyNoun, level: number): Sql {
  const spec = specOf(noun, noun.identity)
  return slot<{ readonly ancestors: readonly Value[] }>(({ ancestors }) =>
    dialect.columnValue(spec, ancestors[level] ?? null),
  )
}

export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 1` : sql.join([...conditions], sql` and `)
}

export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join([...conditions], sql` or `)})`
}
