/**
 * Finds the history entries that a follower may read. IDs of entries are allocated before their transaction commits, so an entry can
 * appear after one with a higher ID. An ID is settled when no transaction can still commit an entry up to it.
 */
import { change } from '@nomen/core'
import { type Sql, sql } from '../../sql/sql.ts'
import type { HistoryPosition } from '../../store.ts'
import { columnName, tableName } from '../../stored-name.ts'
import type { Reads } from '../connect/database.ts'
import { identifier } from '../name.ts'
import { compile } from '../statement.ts'

const table: Sql = sql.lit(identifier(tableName(change)))

const id = sql.lit(columnName(change, change.identity))

/** The last allocated ID; null before the first one. */
const newestQuery = compile<undefined>(
  sql`select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${id})::regclass)`,
)

/** The transactions that may have entries: an insert locks the table before it gets an ID, until the transaction ends. */
const writersQuery = compile<undefined>(sql`select virtualtransaction
from pg_locks
where locktype = 'relation' and mode = 'RowExclusiveLock' and granted and relation = to_regclass(${table})
  and database = (select oid from pg_database where datname = current_database())`)

/** An ID, and the transactions that may still commit entries up to it. */
interface Sample {
  readonly newest: number
  readonly writers: ReadonlySet<string>
}

export class SettledEntries {
  readonly #database: Pick<Reads, 'readShort'>
  #settled = 0
  #sample: Sample | undefined
  #reading: Promise<HistoryPosition> | undefined

  constructor(database: Pick<Reads, 'readShort'>) {
    this.#database = database
  }

  /** Concurrent callers share one read that starts after their call. */
  async read(): Promise<HistoryPosition> {
    await this.#reading?.catch(() => {})
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<HistoryPosition> {
    // Read the ID first: a transaction that is not in the list of writers can only get higher IDs.
    const newest = Number((await this.#database.readShort(newestQuery, undefined))[0]?.[0] ?? 0)
    // After a failover or a restore, the sequence may have lower values.
    if (newest < this.#settled) this.#forget()
    if (newest === this.#settled) return { settled: this.#settled, newest }
    const rows = await this.#database.readShort(writersQuery, undefined)
    const writers = new Set(rows.map(([writer]) => `${writer}`))
    if (this.#sample && ![...this.#sample.writers].some((writer) => writers.has(writer))) {
      this.#settled = this.#sample.newest
      this.#sample = undefined
    }
    if (writers.size === 0) this.#settled = newest
    else this.#sample ??= { newest, writers }
    return { settled: this.#settled, newest }
  }

  #forget(): void {
    this.#settled = 0
    this.#sample = undefined
  }
}
