/** Prepared statements: built once by Kysely, then only bound and run. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Sql } from '../sql/dialect.ts'
import { binder } from '../sql/fragment.ts'

/** Builds SQL text and never runs any. */
const builder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export type Row = readonly SQLOutputValue[]

/** A statement whose bound values are read from an input at each run. */
export interface Statement<Input> {
  /** The first row as an array, or undefined. */
  first(input: Input): Row | undefined
  /** All rows as arrays. */
  all(input: Input): readonly Row[]
  /** Runs it for its effect and gives the number of changed rows. */
  run(input: Input): number
}

/** SQL that is not prepared yet, and the values that it is bound to. */
export interface Compiled<Input> {
  readonly text: string
  bind(input: Input): SQLInputValue[]
}

export function compile<Input>(query: Sql): Compiled<Input> {
  const { sql: text, parameters } = query.compile(builder)
  return { text, bind: binder<Input>(parameters) as (input: Input) => SQLInputValue[] }
}

export function prepare<Input>(database: DatabaseSync, query: Sql): Statement<Input> {
  const { text, bind: bound } = compile<Input>(query)
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  return {
    first: (input) => statement.get(...bound(input)) as Row | undefined,
    all: (input) => statement.all(...bound(input)) as unknown as readonly Row[],
    run: (input) => Number(statement.run(...bound(input)).changes),
  }
}
