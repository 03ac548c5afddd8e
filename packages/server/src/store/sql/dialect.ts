/** What differs between databases in the SQL that a store writes. */
import type { FieldSpec, Value } from '@nomen/core'
import type { Sql } from './sql.ts'

/** A value as a driver takes it. */
export type ColumnValue = string | number | bigint | null

export interface Dialect {
  /** Whether the records of a page are found by what an index holds, and read when it is known which they are. */
  readonly findsFirst: boolean
  /** A JSON object of named expressions, each already in the form that it has on the wire. */
  object(members: readonly { readonly name: string; readonly value: Sql }[]): Sql
  /** All rows of the surrounding query as one JSON array, in their order; those for which the filter is true. */
  array(item: Sql, filter?: Sql): Sql
  /** A column in the form that it has on the wire. */
  wire(spec: FieldSpec, column: Sql): Sql
  /** Anything as text. */
  text(value: Sql): Sql
  /** Texts joined by spaces, those that are null left out. */
  joined(texts: readonly Sql[]): Sql
  /** A bound value of a field in a type that takes every value of its kind, whatever that of its column takes. */
  bound(spec: FieldSpec, value: Sql): Sql
  /** Whether a column has exactly the value; where `isDriving`, in the form that makes its index lead the way. */
  isEqual(spec: FieldSpec, column: Sql, value: Sql, isDriving?: boolean): Sql
  /** Whether a column has one of the values in a list that is bound as one parameter (see `listValue`). */
  isAnyOf(spec: FieldSpec, column: Sql, list: Sql): Sql
  /** Whether a folded column contains the text. */
  contains(column: Sql, text: Sql): Sql
  /** A key of an order in which null comes before every value, or descending after. */
  order(spec: FieldSpec, column: Sql, isDescending: boolean): Sql
  /** Whether two values count as the same where the field is unique. */
  isSame(spec: FieldSpec, column: Sql, value: Sql): Sql
  columnValue(spec: FieldSpec, value: Value): ColumnValue
  listValue(spec: FieldSpec, values: readonly Value[]): ColumnValue
}
