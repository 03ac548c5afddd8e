/** Prepared statements: built once by Kysely, then only bound and run. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Sql } from '../sql/dialect.ts'
import type { Slot } from '../sql/fragment.ts'

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
  /** Runs it for its effect and gives the number of changed rows. */
  run(input: Input): number
}

export function prepare<Input>(database: DatabaseSync, query: Sql): Statement<Input> {
  const { sql, parameters } = query.compile(builder)
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  const slots = parameters as readonly (Slot<Input> | SQLInputValue)[]
  const bound = (input: Input) => slots.map((slot) => (isSlot(slot) ? (slot.read(input) as SQLInputValue) : slot))
  return {
    first: (input) => statement.get(...bound(input)) as Row | undefined,
    run: (input) => Number(statement.run(...bound(input)).changes),
  }
}

function isSlot<Input>(parameter: Slot<Input> | SQLInputValue): parameter is Slot<Input> {
  return typeof parameter === 'object' && parameter !== null && 'read' in parameter
}

/** Statements by the form of the plans that they serve; the oldest go when there are too many forms. */
export class StatementCache<Input> {
  readonly #statements = new Map<string, Statement<Input>>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string, build: () => Statement<Input>): Statement<Input> {
    const known = this.#statements.get(key)
    if (known) {
      // Only where room is short does it matter who was used last.
      if (this.#statements.size > this.#limit / 2) {
        this.#statements.delete(key)
        this.#statements.set(key, known)
      }
      return known
    }
    if (this.#statements.size >= this.#limit) {
      for (const [oldest] of this.#statements) {
        this.#statements.delete(oldest)
        break
      }
    }
    const made = build()
    this.#statements.set(key, made)
    return made
  }
}
