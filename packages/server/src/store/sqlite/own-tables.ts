/** Nomen's own tables on SQLite. */
import type { DatabaseSync } from 'node:sqlite'
import type { Value } from '@nomen/core'
import type { OwnTableDatabase, OwnTableDialect, OwnTableWork } from '../sql/own-tables/dialect.ts'
import { type Sql, sql } from '../sql/sql.ts'
import type { SharedRead } from './read/shared-read.ts'
import { prepare, type Row, type Statement } from './statement.ts'
import { inSavepoint } from './write/savepoint.ts'
import type { WriteQueue } from './write/write-queue.ts'

export const sqliteOwnTables: OwnTableDialect = {
  typeOf: (type) => (type === 'identity' ? 'ANY' : type.endsWith('int') || type === 'integer' ? 'INTEGER' : 'TEXT'),
  keyword: (words) => words.toUpperCase(),
  tableOptions: ({ key }) => (Object.keys(key).length > 1 ? ' STRICT, WITHOUT ROWID' : ' STRICT'),
  jsonRows: (json, columns) => {
    const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.table(name)}`)
    return sql`(select ${sql.join(values)} from json_each(${json}))`
  },
  timeText: (value) => value,
  nowMs: sql`cast(unixepoch('subsec') * 1000 as integer)`,
  skipLocked: sql``,
  readIdentity: (column) => column as Value,
}

/** Runs work on a connection, each statement prepared once. */
export class SqliteOwnTables {
  readonly #database: DatabaseSync
  readonly #statements = new Map<Sql, Statement<unknown>>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  run<Result>(work: OwnTableWork<Result>): Result {
    let step = work.next()
    while (!step.done) step = work.next(this.rows(step.value.statement, step.value.input))
    return step.value
  }

  rows(text: Sql, input: unknown): readonly Row[] {
    const statement = this.#statements.get(text) ?? prepare(this.#database, text)
    this.#statements.set(text, statement)
    return statement.all(input)
  }
}

/** Runs work among the reads and writes of a store. `changesRecords`: it may also change records, such as history entries. */
export function queuedOwnTables(
  database: DatabaseSync,
  queue: WriteQueue,
  reads: SharedRead,
  { changesRecords }: { readonly changesRecords: boolean },
): OwnTableDatabase {
  const tables = new SqliteOwnTables(database)
  return {
    read: async (work) => {
      reads.read()
      return tables.run(work())
    },
    // Declarations do not change these tables, so an older version of a service can keep writing them.
    write: (work) =>
      queue.add(() => inSavepoint(database, () => tables.run(work())), { checksSchema: false, changesRecords }),
  }
}
