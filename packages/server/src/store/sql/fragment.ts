/** SQL fragments that several queries share: names, bound values, and combinations of conditions. */
import { type AnyLink, type AnyNoun, specOf, type Value } from '@nomen/core'
import { columnName, foldedName, pairColumn, sortKeyName, tableName } from '../stored-name.ts'
import type { Dialect } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/** Reads one bound value from a plan when the statement runs. */
export interface Slot<Plan> {
  readonly read: (plan: Plan) => unknown
}

/** A parameter of a statement whose value each run reads from its plan. */
export function slot<Plan>(read: Slot<Plan>['read']): Sql {
  return sql.val({ read })
}

/** Reads the bound values of a compiled statement from an input, in their order. */
export function binder<Input>(parameters: readonly unknown[]): (input: Input) => unknown[] {
  const reads = parameters.map((parameter) => (isSlot<Input>(parameter) ? parameter.read : () => parameter))
  return (input) => reads.map((read) => read(input))
}

function isSlot<Input>(parameter: unknown): parameter is Slot<Input> {
  return typeof parameter === 'object' && parameter !== null && 'read' in parameter
}

/** The table of a noun's records, or of a link's pairs. */
export function table(declaration: AnyNoun | AnyLink): Sql {
  return sql.table(tableName(declaration))
}

/** The column of a field in the table with the alias `t`. */
export function column(noun: AnyNoun, field: string, alias = 't'): Sql {
  return inTable(alias, columnName(noun, field))
}

/** The column with a searched field's folded string. */
export function foldedColumn(noun: AnyNoun, field: string, alias = 't'): Sql {
  return inTable(alias, foldedName(columnName(noun, field)))
}

/** The column of a field's sort keys. */
export function sortKeyColumn(noun: AnyNoun, field: string): Sql {
  return inTable('t', sortKeyName(columnName(noun, field)))
}

/** The column of a record's version. */
export function version(alias = 't'): Sql {
  return inTable(alias, '_version')
}

/** The column of a link with the identities of a noun. */
export function pairKey(link: AnyLink, noun: AnyNoun, alias: string): Sql {
  return inTable(alias, pairColumn(link, noun))
}

/** The same without an alias, for statements on one table. */
export function bareColumn(noun: AnyNoun, field: string): Sql {
  return sql.table(columnName(noun, field))
}

export function barePairKey(link: AnyLink, noun: AnyNoun): Sql {
  return sql.table(pairColumn(link, noun))
}

function inTable(alias: string, name: string): Sql {
  return sql`${sql.table(alias)}.${sql.table(name)}`
}

/** The identity of the ancestor at a level of the path. */
export function ancestorKey(dialect: Dialect, noun: AnyNoun, level: number): Sql {
  const spec = specOf(noun, noun.identity)
  return dialect.bound(
    spec,
    slot<{ readonly ancestors: readonly Value[] }>(({ ancestors }) =>
      dialect.columnValue(spec, ancestors[level] ?? null),
    ),
  )
}

export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 1` : sql.join([...conditions], sql` and `)
}

export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join([...conditions], sql` or `)})`
}
