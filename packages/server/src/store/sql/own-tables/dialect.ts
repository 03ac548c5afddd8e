/** The form of Nomen's own tables, the differences between databases, and the execution of their SQL. */
import type { Value } from '@nomen/core'
import type { Sql } from '../sql.ts'

/** Column types in PostgreSQL's terms; `identity` is the identity of a record of any noun. */
export type ColumnType = 'text' | typeof exactText | 'smallint' | 'integer' | 'bigint' | TimeType | 'identity'
export type TimeType = 'date' | 'timestamptz(0)' | 'timestamptz(3)'

/** A string that is compared byte by byte. */
export const exactText = 'text collate "C"'

export type Columns = Readonly<Record<string, ColumnType>>

export interface OwnTable {
  readonly name: string
  /** The columns of the primary key, which come first, and the other columns. */
  readonly key: Columns
  readonly values: Columns
  /** A check constraint. */
  readonly check?: string
  /** A column with its own index. */
  readonly indexed?: string
  /** Whether the same rows are updated frequently. */
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
  /** A date as YYYY-MM-DD, or a timestamp in the format of RFC 3339. */
  timeText(value: Sql, type: TimeType): Sql
  /** The clock of the database, in milliseconds since 1970. */
  readonly nowMs: Sql
  /** At the end of a select: skips rows that another transaction has locked. */
  readonly skipLocked: Sql
  readIdentity(column: unknown): Value
}

export type OwnRow = readonly unknown[]

/**
 * Work of several statements, synchronous on SQLite and asynchronous on PostgreSQL: yields each statement with the input
 * for its bound values, and receives its rows.
 */
export type OwnTableWork<Result> = Generator<
  { readonly statement: Sql; readonly input: unknown },
  Result,
  readonly OwnRow[]
>

/** Runs work outside of other transactions. */
export interface OwnTableDatabase {
  read<Result>(work: () => OwnTableWork<Result>): Promise<Result>
  /** Runs the work in one transaction, and retries it if it could not be committed. */
  write<Result>(work: () => OwnTableWork<Result>): Promise<Result>
}
