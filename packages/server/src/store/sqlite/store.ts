/** The store on an embedded SQLite file. */

import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { change } from '@nomen/core'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import type { ConsumerStore } from '../consumer.ts'
import { StoreUnavailable } from '../fault/error.ts'
import type { MigrationReport } from '../migrate/report.ts'
import { schemaIssue } from '../migrate/schema/fit.ts'
import { schemaOf } from '../migrate/schema/model-schema.ts'
import type { Model } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import { type DeletePlan, isRead, type ListPlan, type Plan, type ReadPlan } from '../plan.ts'
import { countBlocks } from '../sql/entry-count/count-blocks.ts'
import { sweepHistory } from '../sql/history/retention.ts'
import { consumerStore } from '../sql/own-tables/consumers.ts'
import { sweepKeys } from '../sql/own-tables/idempotency-keys.ts'
import { usageStore } from '../sql/own-tables/usage.ts'
import {
  defaultListBytes,
  type HistoryPosition,
  type LoadPart,
  type Store,
  type StoreFaultListener,
  type StoreIssue,
  type TransactionOptions,
  type TransactionWork,
} from '../store.ts'
import { tableName } from '../stored-name.ts'
import type { UsageStore } from '../usage.ts'
import { hasNoRecords, loadParts } from './bulk/load.ts'
import { sqliteDialect } from './dialect.ts'
import { FileGuard } from './file-guard.ts'
import { isDiskFull } from './full-disk.ts'
import { measureSqlite, type SqliteFigures } from './metrics.ts'
import { migrate } from './migrate/migrate.ts'
import { diskFull, openDatabase, openSecondConnection, pragmas } from './open-database.ts'
import { queuedOwnTables, sqliteOwnTables } from './own-tables.ts'
import { SqliteLists } from './read/lists.ts'
import { SharedRead } from './read/shared-read.ts'
import { SqliteSession } from './session.ts'
import { SqliteTransactions } from './transaction.ts'
import { largeDelete, largeDeleteMs } from './write/large-delete.ts'
import { inSavepoint } from './write/savepoint.ts'
import { SchemaGuard } from './write/schema-guard.ts'
import { readTimeoutMs, WriteQueue } from './write/write-queue.ts'

/** How long the load of a sample waits for another process. */
const loadTimeoutMs = 60_000

export interface SqliteStoreOptions {
  /** Called with the schema changes that were applied at start. */
  readonly onMigration?: ((report: MigrationReport) => void) | undefined
  /** The maximum size of a list, in bytes. */
  readonly maxListBytes?: number | undefined
  readonly onFault?: StoreFaultListener | undefined
}

export class SqliteStore implements Store {
  readonly usage: UsageStore
  readonly consumers: ConsumerStore
  readonly folder?: string
  readonly #database: DatabaseSync
  readonly #file: FileGuard
  readonly #schema: SchemaGuard
  readonly #path: string
  readonly #model: Model
  readonly #reads: SharedRead
  readonly #queue: WriteQueue
  readonly #lists: SqliteLists
  readonly #session: SqliteSession
  readonly #transactions: SqliteTransactions
  readonly #sweeps: readonly { stop(): void | Promise<void> }[]

  /** Opens the file, creates it if needed, and migrates it to the model. */
  constructor(path: string, model: Model, options: SqliteStoreOptions = {}) {
    const { maxListBytes = defaultListBytes, onFault } = options
    const database = openMigrated(path, model, options)
    const file = path === ':memory:' ? undefined : path
    if (file !== undefined) this.folder = dirname(file)
    this.#database = database
    this.#path = path
    this.#model = model
    this.#file = new FileGuard(path)
    this.#schema = new SchemaGuard(database, schemaOf(model))
    const reads = new SharedRead(database)
    this.#reads = reads
    const checkFile = () => this.#file.check()
    const queue = new WriteQueue(database, reads, { checkFile, checkSchema: () => this.#schema.check() })
    this.#queue = queue
    const ownTables = queuedOwnTables(database, queue, reads, { changesRecords: false })
    const historyTables = queuedOwnTables(database, queue, reads, { changesRecords: true })
    this.#sweeps = [
      sweepKeys(ownTables, sqliteOwnTables, onFault),
      sweepHistory(historyTables, sqliteDialect, model, onFault),
      countBlocks(historyTables, { blocksAtOnce: 1 }, model, () => this.historyPosition(), onFault),
    ]
    this.usage = usageStore(ownTables, sqliteOwnTables)
    this.consumers = consumerStore(ownTables, sqliteOwnTables)
    const recordsVersion = () => queue.recordsVersion
    this.#lists = new SqliteLists({ database, model, reads, recordsVersion, path: file, maxBytes: maxListBytes })
    this.#session = new SqliteSession(database, model, this.#lists)
    const open = file === undefined ? undefined : () => openSecondConnection(file)
    this.#transactions = new SqliteTransactions({ model, queue, database, reads, open, checkFile, maxListBytes })
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (!this.#database.isOpen) throw new StoreUnavailable('The database is closed.')
    const { exclusive } = this.#transactions
    if (exclusive) return exclusive.then(() => this.run(plan))
    if (isRead(plan)) return this.#read(plan)
    if (plan.kind === 'delete' && this.folder !== undefined && this.#isLarge(plan)) return this.#deleteLarge(plan)
    return this.#queue.add(() => this.#session.writer.write(plan))
  }

  #read(plan: ListPlan | ReadPlan): Outcome | Promise<Outcome> {
    try {
      this.#reads.read()
      const outcome = this.#session.read(plan)
      return outcome instanceof Promise ? outcome.catch((error) => this.#fail(error)) : outcome
    } catch (error) {
      return this.#fail(error)
    }
  }

  #fail(error: unknown): never {
    throw this.#schema.explain(error)
  }

  #isLarge(plan: DeletePlan): boolean {
    try {
      this.#reads.read()
      return this.#session.writer.isLarge(plan)
    } catch (error) {
      return this.#fail(error)
    }
  }

  /** Runs on a thread, while other requests read. All other writes wait, as for a transaction. */
  #deleteLarge(plan: DeletePlan): Promise<Outcome> {
    const prepare = () => {
      this.#reads.end()
      this.#file.check()
      this.#schema.check()
      return this.#session.writer.prepareDelete(plan)
    }
    return this.#transactions.withWritesPaused(async () => {
      const outcome = await largeDelete(plan, { path: this.#path, pragmas, prepare })
      // Later reads of this turn must see the result.
      this.#reads.end()
      return outcome
    }, largeDeleteMs)
  }

  async transaction<Result>(work: TransactionWork<Result>, { limitMs }: TransactionOptions) {
    return { result: await this.#transactions.run(work, limitMs) }
  }

  /** Transactions run one after the other, so every committed entry is settled. */
  async historyPosition(): Promise<HistoryPosition> {
    await this.#transactions.exclusive
    this.#reads.read()
    const query = this.#database.prepare('select "seq" from "sqlite_sequence" where "name" = ?')
    const newest = Number(query.get(tableName(change))?.seq ?? 0)
    return { settled: newest, newest }
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    // Another process may be loading at the same time.
    const load = () =>
      hasNoRecords(this.#database, this.#model)
        ? loadParts(this.#database, this.#model, this.#session.writer.history, parts())
        : 0
    try {
      return await this.#queue.add(() => inSavepoint(this.#database, load), {
        timeoutMs: loadTimeoutMs,
        isBulkLoad: true,
      })
    } catch (error) {
      const path = this.#database.location()
      throw path !== null && isDiskFull(error, path) ? diskFull(path) : error
    }
  }

  async isEmpty(): Promise<boolean> {
    return hasNoRecords(this.#database, this.#model)
  }

  async check(): Promise<StoreIssue | undefined> {
    this.#file.check()
    return schemaIssue(this.#schema.fit())
  }

  async schemaVersion(): Promise<string> {
    return `${this.#database.prepare('select "applied" from "_schema"').get()?.applied}`
  }

  onRequest(): void {
    this.#reads.onRequest()
  }

  /** Reads never wait for a connection. */
  waitMs(): number {
    return 0
  }

  get backlogMs(): number {
    return this.#queue.backlogMs
  }

  figures(): SqliteFigures {
    const query = 'select page_count * page_size as size from pragma_page_count, pragma_page_size'
    return {
      sizeBytes: Number(this.#database.prepare(query).get()?.size),
      waitingWrites: this.#queue.length,
      commitWrites: this.#queue.batchSizes.samples(),
      commitSeconds: this.#queue.commitSeconds.samples(),
    }
  }

  measure(registry: MetricRegistry): void {
    measureSqlite(registry, () => this.figures())
  }

  async close(): Promise<void> {
    await this.#transactions.close()
    await this.#lists.close()
    await Promise.all(this.#sweeps.map((sweep) => sweep.stop()))
    this.#queue.close()
    if (this.#database.isOpen) this.#database.close()
  }
}

function openMigrated(path: string, model: Model, { onMigration }: SqliteStoreOptions): DatabaseSync {
  const database = openDatabase(path)
  try {
    const report = migrate(database, model, 'start')
    if (report.changes.length > 0) onMigration?.(report)
    database.exec(`pragma busy_timeout = ${readTimeoutMs}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
