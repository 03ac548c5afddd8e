/** The transactions of a bulk load: short ones, and rests between them where others write too. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Value } from '@nomen/core'
import type { BulkRow, BulkTarget, BulkWriter, MarkOf, Pointer, RowOutcome, WriteRules } from '../../bulk/bulk.ts'
import type { Model, StoredNoun } from '../../model.ts'
import { pointQuery } from '../../sql/bulk-query.ts'
import { type LoadCheckpoints, loadCheckpoints } from '../../sql/own-tables/load-checkpoint.ts'
import { loadTables } from '../../sql/own-tables/table.ts'
import { existsQuery } from '../../sql/record-query.ts'
import { inTransaction } from '../migrate/connection.ts'
import { SqliteOwnTables, sqliteOwnTables } from '../own-tables.ts'
import { prepare, type Statement } from '../statement.ts'
import { SchemaGuard } from '../write/schema-guard.ts'
import { SqlitePairWriter } from './pair-writer.ts'
import { SqliteRowWriter } from './row-writer.ts'

/** How long the write lock is held at once, the commit included, in milliseconds. */
const longestHold = 30

/** For how long after a write by someone else there may be more of them, in milliseconds. */
const company = 2000

/** How many pages may wait in the log to be carried into the file: few where others would have to carry them. */
const pagesAlone = 16_000
const pagesInCompany = 1000

/** After how many rows the clock is looked at. */
const stride = 8

export class SqliteBulkWriter implements BulkWriter {
  readonly #database: DatabaseSync
  readonly #guard: SchemaGuard
  readonly #target: BulkTarget
  readonly #rows: { write(row: BulkRow): RowOutcome }
  readonly #version: StatementSync
  readonly #ownTables: SqliteOwnTables
  readonly #checkpoints: LoadCheckpoints
  #known: unknown
  /** When someone else was last seen writing. */
  #seen = Number.NEGATIVE_INFINITY
  #held = 0
  /** How long rows may take, so that with the commit the lock is not held for longer than it may be. */
  #time = longestHold / 3

  constructor(database: DatabaseSync, model: Model, target: BulkTarget, rules: WriteRules) {
    this.#database = database
    this.#guard = new SchemaGuard(database, model)
    this.#target = target
    this.#ownTables = new SqliteOwnTables(database)
    this.#checkpoints = loadCheckpoints(sqliteOwnTables, target)
    this.#rows =
      'stored' in target
        ? new SqliteRowWriter(database, target.stored, rules)
        : new SqlitePairWriter(database, target.link)
    this.#version = database.prepare('pragma data_version')
    this.#known = this.#version.get()?.data_version
  }

  async write(rows: readonly BulkRow[], markOf: MarkOf): Promise<readonly RowOutcome[]> {
    // Whoever waits for the lock asks for it now and then: it must be free for as long as it was held.
    if (this.#isInCompany()) await pause(this.#held)
    const outcomes = this.#inTransaction(() => {
      const done = this.#writeSome(rows)
      const mark = markOf(done)
      if (mark) this.#ownTables.run(this.#checkpoints.keep(mark))
      return done
    })
    this.#carryOver()
    return outcomes
  }

  #writeSome(rows: readonly BulkRow[]): readonly RowOutcome[] {
    const end = performance.now() + this.#time
    const outcomes: RowOutcome[] = []
    for (const row of rows) {
      outcomes.push(this.#rows.write(row))
      if (outcomes.length % stride === 0 && performance.now() > end) break
    }
    return outcomes
  }

  async point(pointers: readonly Pointer[]): Promise<void> {
    const { noun } = (this.#target as { stored: StoredNoun }).stored
    const statements = new Map<string, Statement<Pointer>>()
    for (const { field } of pointers) statements.set(field, prepare(this.#database, pointQuery(noun, field)))
    this.#inTransaction(() => {
      for (const pointer of pointers) statements.get(pointer.field)?.run(pointer)
    })
  }

  async present(identities: readonly Value[]): Promise<ReadonlySet<Value>> {
    if (!('stored' in this.#target)) return new Set()
    const statement = prepare<Value>(this.#database, existsQuery(this.#target.stored.noun))
    return new Set(identities.filter((identity) => statement.first(identity) !== undefined))
  }

  async markedLine(fingerprint: string) {
    this.#ownTables.create(loadTables)
    return this.#ownTables.run(this.#checkpoints.find(fingerprint))
  }

  async openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>> {
    return this.#ownTables.run(this.#checkpoints.openLines(fingerprint, from, to))
  }

  async forget(fingerprint: string): Promise<void> {
    this.#inTransaction(() => this.#ownTables.run(this.#checkpoints.forget(fingerprint)))
  }

  /** One commit that waits for the disk takes along all those before it. */
  async flush(): Promise<void> {
    this.#database.exec('pragma synchronous = full')
    this.#inTransaction(() => this.#database.exec('update "_schema" set "format" = "format"'))
    this.#database.exec('pragma synchronous = normal')
  }

  #inTransaction<Result>(work: () => Result): Result {
    let start = 0
    const result = inTransaction(this.#database, 'BEGIN IMMEDIATE', () => {
      start = performance.now()
      this.#guard.check()
      return work()
    })
    this.#held = performance.now() - start
    this.#time = Math.max(0.5, Math.min(longestHold, this.#time * Math.min(1.5, longestHold / this.#held)))
    return result
  }

  #isInCompany(): boolean {
    const version = this.#version.get()?.data_version
    if (version !== this.#known) this.#seen = performance.now()
    this.#known = version
    return performance.now() - this.#seen < company
  }

  /**
   * Carries the pages of the log into the file. Done here, and outside of any transaction: whoever commits next would
   * have to do it otherwise, and might be a service with requests to answer.
   */
  #carryOver(): void {
    const { log } = this.#database.prepare('pragma wal_checkpoint(noop)').get() ?? {}
    const most = this.#isInCompany() ? pagesInCompany : pagesAlone
    if (Number(log) > most) this.#database.exec('pragma wal_checkpoint(passive)')
  }
}
