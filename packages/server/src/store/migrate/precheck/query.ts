/** Inquiries: queries that look through the records of a noun before it changes, whatever database answers them. */
import type { Stored } from '../convert.ts'
import { type FieldSource, fieldSources } from '../field-source.ts'
import { type FieldSchema, fieldOf, type NounSchema, type Schema } from '../schema.ts'

/** Asks questions one by one, is given rows for answers, and says in the end what follows from them. */
export type Inquiry<Result> = Generator<string | Sweep, Result, readonly Row[]>

/** A query of so many rows that each is looked at by itself. Its answer is empty. */
export interface Sweep {
  readonly query: string
  readonly each: (row: Row) => void
}

export type Row = Readonly<Record<string, unknown>>

/** What differs between databases in the queries. */
export interface InquiryDialect {
  quotedName(name: string): string
  /** The value of an expression, carried through these forms from the first to the last. */
  carried(path: readonly FieldSchema[], expression: string): string
  /** A field's default as it is stored. */
  defaultLiteral(field: FieldSchema): string
  /** A text in ASCII lower case. */
  lowered(expression: string): string
  /** A value of a field, of which the query gives the column as `value` and the written form as `text`. */
  storedValue(field: FieldSchema, row: Row): Stored
}

/** A noun whose records are looked through. Only the noun as it was has a table. */
export interface Inspected {
  readonly dialect: InquiryDialect
  /** The schema as it was. */
  readonly schema: Schema
  readonly before: NounSchema
  readonly after: NounSchema
  readonly records: number
  readonly table: string
  readonly sources: ReadonlyMap<string, FieldSource>
}

export function inspected(
  dialect: InquiryDialect,
  schema: Schema,
  before: NounSchema,
  after: NounSchema,
  records: number,
): Inspected {
  const table = dialect.quotedName(before.name)
  return { dialect, schema, before, after, records, table, sources: fieldSources(before, after) }
}

/** What a field will hold, over the columns of the table as it was. */
export function expressionOf({ dialect, sources }: Inspected, field: string): string {
  const source = sources.get(field)
  if (source?.kind === 'field') return dialect.carried(source.path, dialect.quotedName(source.path[0].name))
  return source?.kind === 'default' ? dialect.defaultLiteral(source.of) : 'null'
}

/** An expression of a field's form as text. */
export function textOf({ dialect }: Inspected, field: FieldSchema, expression: string): string {
  return dialect.carried([field, { name: field.name, kind: 'text' }], expression)
}

export function isEmail(noun: NounSchema, field: string): boolean {
  return fieldOf(noun, field).kind === 'email'
}

/** How many rows a query has. */
export function* countOf(query: string): Inquiry<number> {
  const [row] = yield `select count(*) as count from (${query}) as found`
  return Number(row?.count)
}

/** A number of things in words: 1 record, 2 records. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** A value as an example in a sentence. */
export function shown(value: unknown): string {
  const text = `${value}`
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
