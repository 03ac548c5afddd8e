/** The differences between databases in the SQL of a store. */
import type { FieldSpec, Value } from '@nomen/core'
import type { Sql } from './sql.ts'

/** A value in the form of the driver. */
export type ColumnValue = string | number | bigint | null

export interface Dialect {
  /** Whether to find the identities of a page through an index first, and then read the records. */
  readonly readsIdentitiesFirst: boolean
  /** A JSON object of named expressions, each in its wire form. */
  object(members: readonly { readonly name: string; readonly value: Sql }[]): Sql
  /** All rows of the surrounding query as one JSON array, in their order; only rows that satisfy the filter. */
  array(item: Sql, filter?: Sql): Sql
  /** A column in its wire form. */
  wireForm(spec: FieldSpec, column: Sql): Sql
  /** Any value as a string. */
  text(value: Sql): Sql
  /** A property of an object in a JSON string, as a string. */
  property(json: Sql, name: string): Sql
  /** Strings joined by spaces, without nulls. */
  joined(texts: readonly Sql[]): Sql
  /** A bound value in a type that can hold every value of its kind, even if the column is smaller. */
  bound(spec: FieldSpec, value: Sql): Sql
  /** Whether a column equals the value; with `usesIndex`, in the form that makes the planner use its index. */
  isEqual(spec: FieldSpec, column: Sql, value: Sql, usesIndex?: boolean): Sql
  /** Whether a column has one of the values in a list, which is bound as one parameter (see `listValue`). */
  isAnyOf(spec: FieldSpec, column: Sql, list: Sql): Sql
  /** Whether a column has one of the results of a query that depends on no other table of the statement. */
  isInQuery(column: Sql, query: Sql): Sql
  /** A bound value in the type of its column. */
  typed(spec: FieldSpec, value: Sql): Sql
  /** Whether a folded column contains the string. */
  contains(column: Sql, text: Sql): Sql
  /** A term of an order, with nulls first, or last if descending. */
  order(spec: FieldSpec, column: Sql, isDescending: boolean): Sql
  /** The same for a column of sort keys. */
  keyOrder(column: Sql, isDescending: boolean): Sql
  /** Whether two values are equal for a unique field. */
  isSame(spec: FieldSpec, column: Sql, value: Sql): Sql
  columnValue(spec: FieldSpec, value: Value): ColumnValue
  listValue(spec: FieldSpec, values: readonly Value[]): ColumnValue
}

/** Whether the only index of a field ignores case: that of unique e-mail addresses. */
export function isCaseIndexed({ kind, unique, indexed }: FieldSpec): boolean {
  return kind === 'email' && unique === true && !indexed
}
