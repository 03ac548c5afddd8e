/** Prepared statements for SQLite: compiled once, then only bound and run. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { binder } from '../sql/fragment.ts'
import { quotedName, type Sql, writeSql } from '../sql/sql.ts'

const notation = { name: quotedName, parameter: () => '?' }

export type Row = readonly SQLOutputValue[]

/** A statement whose bound values are read from an input at each run. */
export interface Statement<Input> {
  /** The first row as an array, or undefined. */
  first(input: Input): Row | undefined
  /** All rows as arrays. */
  all(input: Input): readonly Row[]
  /** Runs the statement for its effect and returns the number of changed rows. */
  run(input: Input): number
}

/** SQL that is not prepared yet, with a function that binds its values. */
export interface Compiled<Input> {
  readonly text: string
  bind(input: Input): SQLInputValue[]
}

export function compile<Input>(query: Sql): Compiled<Input> {
  const { text, bound } = writeSql(query, notation)
  return { text, bind: binder<Input>(bound) as (input: Input) => SQLInputValue[] }
}

export function prepare<Input>(database: DatabaseSync, query: Sql): Statement<Input> {
  const { text, bind } = compile<Input>(query)
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  return {
    first: (input) => statement.get(...bind(input)) as Row | undefined,
    all: (input) => statement.all(...bind(input)) as unknown as readonly Row[],
    run: (input) => Number(statement.run(...bind(input)).changes),
  }
}
