/** The transactions of a bulk load on SQLite: short, with pauses while other processes write. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Value } from '@nomen/core'
import { writeWithAsyncLogic } from '../../bulk/async-logic-row.ts'
import type {
  BulkRow,
  BulkTarget,
  BulkWriter,
  DeferredReference,
  ProgressOf,
  RowOutcome,
  WriteRules,
} from '../../bulk/bulk.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import type { Model, StoredNoun } from '../../model.ts'
import { type AsyncLogic, loadOrigin } from '../../plan.ts'
import { setReferenceQuery, tenantQuery } from '../../sql/bulk-query.ts'
import { type LoadCheckpoints, loadCheckpoints } from '../../sql/own-tables/load-checkpoint.ts'
import { inTransaction } from '../migrate/connection.ts'
import { migrate } from '../migrate/migrate.ts'
import { SqliteOwnTables, sqliteOwnTables } from '../own-tables.ts'
import { type SqliteSession, transactionSession } from '../session.ts'
import { prepare, type Statement } from '../statement.ts'
import { HistoryOrigin } from '../write/history-origin.ts'
import { SchemaGuard } from '../write/schema-guard.ts'
import { SqlitePairWriter } from './pair-writer.ts'
import { SqliteRowWriter } from './row-writer.ts'

/** How long the write lock may be held, including the commit. */
const maxHoldMs = 30

/** How long after a write of another process further ones are expected. */
const contentionMs = 2000

/** How many WAL pages may wait for a checkpoint: few if other processes would have to copy them. */
const maxPagesAlone = 16_000
const maxPagesContended = 1000

/** The number of rows between checks of the clock. */
const rowsPerCheck = 8

export interface SqliteWriteRules extends WriteRules {
  /** The tables during the load; indexes and tallies may be missing. */
  readonly schema: Schema
}

export class SqliteBulkWriter implements BulkWriter {
  readonly #database: DatabaseSync
  readonly #guard: SchemaGuard
  readonly #target: BulkTarget
  readonly #rows: SqliteRowWriter | SqlitePairWriter
  readonly #model: Model
  readonly #asyncLogic: AsyncLogic | undefined
  readonly #history: HistoryOrigin | undefined
  #session: SqliteSession | undefined
  readonly #version: StatementSync
  readonly #ownTables: SqliteOwnTables
  readonly #checkpoints: LoadCheckpoints
  #lastVersion: unknown
  /** When another process last wrote. */
  #otherWriteAt = Number.NEGATIVE_INFINITY
  #heldMs = 0
  /** The time for rows, so that the lock is not held too long with the commit. */
  #rowsMs = maxHoldMs / 3

  constructor(database: DatabaseSync, model: Model, target: BulkTarget, rules: SqliteWriteRules) {
    this.#database = database
    this.#guard = new SchemaGuard(database, rules.schema)
    this.#target = target
    this.#model = model
    this.#asyncLogic = rules.asyncLogic
    this.#ownTables = new SqliteOwnTables(database)
    this.#checkpoints = loadCheckpoints(sqliteOwnTables, target)
    this.#rows =
      'stored' in target
        ? new SqliteRowWriter(database, target.stored, rules)
        : new SqlitePairWriter(database, target.link)
    this.#history = HistoryOrigin.of(database, model)
    this.#version = database.prepare('pragma data_version')
    this.#lastVersion = this.#version.get()?.data_version
  }

  async write(rows: readonly BulkRow[], progressOf: ProgressOf): Promise<readonly RowOutcome[]> {
    // Waiting processes poll for the lock, so it must be free for as long as it was held.
    if (this.#isContended()) await pause(this.#heldMs)
    const [row] = rows
    if (this.#asyncLogic && row) return this.#writeWithAsyncLogic(row, this.#asyncLogic, progressOf)
    const outcomes = this.#inTransaction(() => {
      const outcomes = this.#withHistory(() => this.#writeSome(rows))
      const progress = progressOf(outcomes)
      if (progress) this.#ownTables.run(this.#checkpoints.keep(progress))
      return outcomes
    })
    this.#checkpoint()
    return outcomes
  }

  /** One row in its own transaction, which stays open while its rules read. */
  async #writeWithAsyncLogic(
    row: BulkRow,
    asyncLogic: AsyncLogic,
    progressOf: ProgressOf,
  ): Promise<readonly RowOutcome[]> {
    const rows = this.#rows
    this.#database.exec('begin immediate')
    const startMs = performance.now()
    try {
      this.#guard.check()
      const outcome = await writeWithAsyncLogic(row, asyncLogic, {
        plan: (plannedRow) => rows.plan(plannedRow),
        write: (writtenRow) => this.#withHistory(() => rows.write(writtenRow)),
        read: (plan) => this.#reader().read(plan),
      })
      const progress = progressOf([outcome])
      if (progress) this.#ownTables.run(this.#checkpoints.keep(progress))
      this.#database.exec('commit')
      return [outcome]
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    } finally {
      this.#heldMs = performance.now() - startMs
    }
  }

  /** Completes the history entries of the written rows. */
  #withHistory<Result>(write: () => Result): Result {
    return this.#history ? this.#history.runWrite(loadOrigin, write) : write()
  }

  #reader(): SqliteSession {
    this.#session ??= transactionSession(this.#database, this.#model)
    return this.#session
  }

  #writeSome(rows: readonly BulkRow[]): readonly RowOutcome[] {
    const end = performance.now() + this.#rowsMs
    const outcomes: RowOutcome[] = []
    for (const row of rows) {
      outcomes.push(this.#rows.write(row))
      if (outcomes.length % rowsPerCheck === 0 && performance.now() > end) break
    }
    return outcomes
  }

  async setReferences(references: readonly DeferredReference[]): Promise<void> {
    const { noun } = (this.#target as { stored: StoredNoun }).stored
    const statements = new Map<string, Statement<DeferredReference>>()
    for (const { field } of references) statements.set(field, prepare(this.#database, setReferenceQuery(noun, field)))
    this.#inTransaction(() =>
      this.#withHistory(() => {
        for (const reference of references) statements.get(reference.field)?.run(reference)
      }),
    )
  }

  async tenantsOfExisting(identities: readonly Value[]): Promise<ReadonlyMap<Value, Value>> {
    if (!('stored' in this.#target)) return new Map()
    const statement = prepare<Value>(this.#database, tenantQuery(this.#target.stored.noun))
    const tenants = identities.map((identity) => [identity, statement.first(identity)] as const)
    return new Map(tenants.flatMap(([identity, row]) => (row ? [[identity, row[0] as Value]] : [])))
  }

  async findCheckpoint(fingerprint: string) {
    return this.#ownTables.run(this.#checkpoints.find(fingerprint))
  }

  async openLines(fingerprint: string, from: number, to: number): Promise<ReadonlySet<number>> {
    return this.#ownTables.run(this.#checkpoints.openLines(fingerprint, from, to))
  }

  async forget(fingerprint: string): Promise<void> {
    this.#inTransaction(() => this.#ownTables.run(this.#checkpoints.forget(fingerprint)))
  }

  /** Does nothing if all indexes and tallies exist: a service that was started during the load builds them. */
  async finish(): Promise<void> {
    migrate(this.#database, this.#model, 'start')
  }

  /** One synced commit makes all earlier ones durable. */
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
    this.#heldMs = performance.now() - start
    this.#rowsMs = Math.max(0.5, Math.min(maxHoldMs, this.#rowsMs * Math.min(1.5, maxHoldMs / this.#heldMs)))
    return result
  }

  #isContended(): boolean {
    const version = this.#version.get()?.data_version
    if (version !== this.#lastVersion) this.#otherWriteAt = performance.now()
    this.#lastVersion = version
    return performance.now() - this.#otherWriteAt < contentionMs
  }

  /**
   * Copies WAL pages into the file, outside of any transaction. Otherwise the next commit would have to do it, and that may
   * be a service with waiting requests.
   */
  #checkpoint(): void {
    const { log } = this.#database.prepare('pragma wal_checkpoint(noop)').get() ?? {}
    const maxPages = this.#isContended() ? maxPagesContended : maxPagesAlone
    if (Number(log) > maxPages) this.#database.exec('pragma wal_checkpoint(passive)')
  }
}
