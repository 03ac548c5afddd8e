/** Queries that check the records of a noun before it changes, for both databases. */
import type { StoredValue } from '../convert.ts'
import { type FieldSource, fieldSources } from '../field-source.ts'
import { type FieldSchema, fieldOf, type NounSchema, type Schema } from '../schema/schema.ts'

/** A generator that yields queries, receives their rows, and returns its conclusion. */
export type Precheck<Result> = Generator<string | RowScan, Result, readonly Row[]>

/** A query with so many rows that each row is passed to a callback. The generator receives no rows for it. */
export interface RowScan {
  readonly query: string
  readonly onRow: (row: Row) => void
}

export type Row = Readonly<Record<string, unknown>>

/** The differences between the databases in these queries. */
export interface PrecheckDialect {
  quotedName(name: string): string
  /** Converts the value of an expression through these forms, from the first to the last. */
  convertByPath(path: readonly FieldSchema[], expression: string): string
  /** A field's default in its stored form. */
  defaultLiteral(field: FieldSchema): string
  /** A string in ASCII lower case. */
  lowerCase(expression: string): string
  /** The value of a field, from a row with the column as `value` and its string form as `text`. */
  storedValue(field: FieldSchema, row: Row): StoredValue
}

/** A noun whose records are checked. Only the old noun has a table. */
export interface CheckedNoun {
  readonly dialect: PrecheckDialect
  /** The old schema. */
  readonly schema: Schema
  readonly before: NounSchema
  readonly after: NounSchema
  readonly records: number
  readonly table: string
  readonly sources: ReadonlyMap<string, FieldSource>
}

export function checkedNoun(
  dialect: PrecheckDialect,
  schema: Schema,
  before: NounSchema,
  after: NounSchema,
  records: number,
): CheckedNoun {
  const table = dialect.quotedName(before.name)
  return { dialect, schema, before, after, records, table, sources: fieldSources(before, after) }
}

/** The future value of a field, as an expression over the columns of the old table. */
export function expressionOf({ dialect, sources }: CheckedNoun, field: string): string {
  const source = sources.get(field)
  if (source?.kind === 'field') return dialect.convertByPath(source.path, dialect.quotedName(source.path[0].name))
  return source?.kind === 'default' ? dialect.defaultLiteral(source.field) : 'null'
}

/** Converts an expression of a field's form to a string. */
export function textOf({ dialect }: CheckedNoun, field: FieldSchema, expression: string): string {
  return dialect.convertByPath([field, { name: field.name, kind: 'text' }], expression)
}

export function isEmail(noun: NounSchema, field: string): boolean {
  return fieldOf(noun, field).kind === 'email'
}

/** The number of rows of a query. */
export function* countOf(query: string): Precheck<number> {
  const [row] = yield `select count(*) as count from (${query}) as matches`
  return Number(row?.count)
}

/** A count with its unit, such as "1 record" or "2 records". */
export function quantity(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
