/** The form of Nomen's own tables, the differences between databases in the SQL on them, and where that SQL runs. */
import type { Value } from '@nomen/core'
import type { Sql } from '../sql.ts'

/** Column types in the words of PostgreSQL; an `identity` is that of a record of any noun. */
export type ColumnType = 'text' | typeof exactText | 'smallint' | 'integer' | 'bigint' | TimeType | 'identity'
export type TimeType = 'date' | 'timestamptz(0)' | 'timestamptz(3)'

/** A text that is compared byte by byte. */
export const exactText = 'text collate "C"'

export type Columns = Readonly<Record<string, ColumnType>>

export interface OwnTable {
  readonly name: string
  /** The columns of the primary key, which come first, and the others. */
  readonly key: Columns
  readonly values: Columns
  /** A condition that every row meets. */
  readonly check?: string
  /** A column with an index of its own. */
  readonly indexed?: string
  /** Databases of earlier versions do not have it: it is created if it is missing. */
  readonly isOptional?: true
  /** The same rows are updated again and again. */
  readonly isHot?: true
}

export interface OwnTableDialect {
  typeOf(type: ColumnType): string
  /** Writes SQL keywords in the case of the other statements of a migration. */
  keyword(words: string): string
  /** The end of a create statement. */
  tableOptions(table: OwnTable): string
  /** A bound JSON array of objects as rows, to be selected from. */
  jsonRows(json: Sql, columns: Columns): Sql
  /** A date as YYYY-MM-DD, or a moment in the format of RFC 3339. */
  timeText(value: Sql, type: TimeType): Sql
  /** At the end of a select: rows that another transaction has locked are left out. */
  readonly skipLocked: Sql
  readIdentity(column: unknown): Value
}

export type OwnRow = readonly unknown[]

/**
 * Work of several statements, synchronous on SQLite and not on PostgreSQL: yields each statement with the input that its
 * bound values are read from, and gets its rows.
 */
export type OwnTableWork<Result> = Generator<
  { readonly statement: Sql; readonly input: unknown },
  Result,
  readonly OwnRow[]
>

/** Where work runs that is not part of another transaction. */
export interface OwnTableDatabase {
  read<Result>(work: () => OwnTableWork<Result>): Promise<Result>
  /** Runs the work in one transaction; again if the transaction could not be committed. */
  write<Result>(work: () => OwnTableWork<Result>): Promise<Result>
}
