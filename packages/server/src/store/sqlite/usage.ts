/** Usage in an SQLite file, which several processes may add to. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CallerDay, CallerKind } from '@nomen/core/usage'
import type { ServedDay, UsageBatch, UsageStore } from '../usage.ts'
import type { SharedRead } from './read/shared-read.ts'
import { asOne } from './write/savepoint.ts'
import type { WriteQueue } from './write/write-queue.ts'

export const usageTables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS "_usage" (
  "day" TEXT NOT NULL,
  "method" TEXT NOT NULL,
  "path" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "caller" TEXT NOT NULL,
  "status" INTEGER NOT NULL,
  "requests" INTEGER NOT NULL,
  "bytes" INTEGER NOT NULL,
  "first" TEXT NOT NULL,
  "last" TEXT NOT NULL,
  PRIMARY KEY ("day", "method", "path", "kind", "caller", "status")
) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS "_usage_instance" (
  "day" TEXT NOT NULL,
  "instance" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "first" TEXT NOT NULL,
  "last" TEXT NOT NULL,
  PRIMARY KEY ("day", "instance")
) STRICT, WITHOUT ROWID`,
]

/** Changes nothing where the batch, or a later one, has been added already. */
const note = `insert into "_usage_instance" ("day", "instance", "number", "first", "last") values (?, ?, ?, ?, ?)
on conflict do update set "number" = excluded."number", "first" = min("first", excluded."first"), "last" = max("last", excluded."last")
where "number" < excluded."number"`

const columns = ['method', 'path', 'kind', 'caller', 'status', 'requests', 'bytes', 'first', 'last'] as const
const names = columns.map((name) => `"${name}"`).join(', ')

const count = `insert into "_usage" ("day", ${names})
select ?, ${columns.map((name) => `value ->> '${name}'`).join(', ')} from json_each(?) where true
on conflict do update set "requests" = "requests" + excluded."requests", "bytes" = "bytes" + excluded."bytes",
"first" = min("first", excluded."first"), "last" = max("last", excluded."last")`

const read = `select "method", "path", "kind", "caller", sum("requests"), sum(iif("status" >= 4, "requests", 0)), sum("bytes"),
1000 * unixepoch(min("first")), 1000 * unixepoch(max("last"))
from "_usage" where "day" = ? group by "method", "path", "kind", "caller"`

interface Statements {
  readonly note: StatementSync
  readonly count: StatementSync
  readonly days: StatementSync
  readonly rows: StatementSync
  readonly oldest: StatementSync
  readonly forgets: readonly StatementSync[]
}

export class SqliteUsage implements UsageStore {
  readonly #database: DatabaseSync
  readonly #queue: WriteQueue
  readonly #reads: SharedRead
  #prepared: Statements | undefined

  constructor(database: DatabaseSync, queue: WriteQueue, reads: SharedRead) {
    this.#database = database
    this.#queue = queue
    this.#reads = reads
  }

  add({ instance, number, day, first, last, rows }: UsageBatch): Promise<void> {
    return this.#write((statements) => {
      if (Number(statements.note.run(day, instance, number, first, last).changes) === 0) return
      if (rows.length > 0) statements.count.run(day, JSON.stringify(rows))
    })
  }

  async days(): Promise<readonly ServedDay[]> {
    const { days } = await this.#statements()
    this.#reads.read()
    return days.all() as unknown as readonly ServedDay[]
  }

  async rows(day: string): Promise<readonly CallerDay[]> {
    const { rows } = await this.#statements()
    this.#reads.read()
    return (rows.all(day) as unknown as readonly CallerDayRow[]).map(callerDay)
  }

  forget(before: string): Promise<boolean> {
    return this.#write(({ oldest, forgets }) => {
      const day = oldest.get(before)?.day
      if (typeof day !== 'string') return false
      for (const statement of forgets) statement.run(day)
      return true
    })
  }

  /** The form of these tables is no matter of the declaration, so an older version of a service goes on counting. */
  async #write<Result>(work: (statements: Statements) => Result): Promise<Result> {
    const write = () => asOne(this.#database, () => work(this.#prepare()))
    try {
      return await this.#queue.add(write, { isGuarded: false })
    } catch (error) {
      // Tables that were made with it are undone with it.
      this.#prepared = undefined
      throw error
    }
  }

  async #statements(): Promise<Statements> {
    return this.#prepared ?? this.#write((statements) => statements)
  }

  /** To be called within a transaction that writes: a file that is older than these tables gets them. */
  #prepare(): Statements {
    if (this.#prepared) return this.#prepared
    for (const sql of usageTables) this.#database.exec(sql)
    const prepare = (sql: string) => this.#database.prepare(sql)
    const rows = prepare(read)
    // Objects of SQLite's own making are slow to read, and there may be many.
    rows.setReturnArrays(true)
    this.#prepared = {
      note: prepare(note),
      count: prepare(count),
      days: prepare(
        'select "day", min("first") as "first", max("last") as "last" from "_usage_instance" group by "day" order by "day"',
      ),
      rows,
      oldest: prepare('select min("day") as "day" from "_usage_instance" where "day" < ?'),
      forgets: ['_usage', '_usage_instance'].map((table) => prepare(`delete from "${table}" where "day" = ?`)),
    }
    return this.#prepared
  }
}

type CallerDayRow = readonly [string, string, CallerKind, string, number, number, number, number, number]

function callerDay(row: CallerDayRow): CallerDay {
  const [method, path, kind, caller, requests, errors, bytes, first, last] = row
  return { method, path, kind, caller, requests, errors, bytes, first, last }
}
