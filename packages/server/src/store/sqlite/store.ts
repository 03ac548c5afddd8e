/** The store on an embedded SQLite file. */
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolderSync } from '../../foundation/folder.ts'
import { makePrivateFile } from '../../foundation/private-file.ts'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import { DatabaseError } from '../database-error.ts'
import { StoreUnavailable } from '../error.ts'
import { faultOf } from '../fault.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model, StoredNoun } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import { type DeletePlan, isRead, type Plan, type Values } from '../plan.ts'
import { busyTimeoutMs } from '../retry.ts'
import { sweepKeys } from '../sql/own-tables/idempotency-keys.ts'
import { usageTables } from '../sql/own-tables/table.ts'
import { usageStore } from '../sql/own-tables/usage.ts'
import { insertQuery, linkQuery } from '../sql/record-query.ts'
import { quotedName } from '../sql/sql.ts'
import { defaultListBytes, type LoadPart, type Store, type TransactionOptions, type TransactionWork } from '../store.ts'
import { tableName } from '../stored-name.ts'
import type { UsageStore } from '../usage.ts'
import { sqliteDialect } from './dialect.ts'
import { FileGuard } from './file-guard.ts'
import { isDiskFull } from './full-disk.ts'
import { measureSqlite, type SqliteFigures } from './metrics.ts'
import { migrate } from './migrate/migrate.ts'
import { queuedOwnTables, sqliteOwnTables } from './own-tables.ts'
import { SqliteLists } from './read/lists.ts'
import { SharedRead } from './read/shared-read.ts'
import { SqliteSession } from './session.ts'
import { prepare } from './statement.ts'
import { SqliteTransactions } from './transaction.ts'
import { largeDelete, largeDeleteMs } from './write/large-delete.ts'
import { asOne } from './write/savepoint.ts'
import { SchemaGuard } from './write/schema-guard.ts'
import { readPatience, WriteQueue } from './write/write-queue.ts'

/** How much of the file is kept in memory, in KiB below zero as SQLite wants it; and while much is loaded. */
const usualCache = -8192
const loadCache = -262_144

/**
 * How many pages of writes are gathered before they are brought into the file itself: the more, the more often a page has
 * been written again meanwhile, and the less often the disk is waited for twice. They are 16 MiB beside the file.
 */
const pagesAhead = 4000

/** What is left of the file of writes after it was much larger, in bytes. */
const mostAhead = 64 * 1024 * 1024

/** What every connection that writes is set to. */
const pragmas = `pragma synchronous = full; pragma cache_size = ${usualCache};
  pragma wal_autocheckpoint = ${pagesAhead}; pragma journal_size_limit = ${mostAhead}`

/** How long the load of a sample waits for another process, in milliseconds. */
const loadPatience = 60_000

export interface SqliteStoreOptions {
  /** Told of the changes of the schema, where there were any. */
  readonly onMigration?: ((report: MigrationReport) => void) | undefined
  /** How long the text of a list may be, in bytes. */
  readonly maxListBytes?: number | undefined
}

export class SqliteStore implements Store {
  readonly usage: UsageStore
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
  readonly #keySweep: { stop(): void }

  /** Opens the file, made where it is missing, and brings its schema up to the model. */
  constructor(path: string, model: Model, options: SqliteStoreOptions = {}) {
    const { onMigration, maxListBytes = defaultListBytes } = options
    this.#database = openDatabase(path)
    this.#file = new FileGuard(path)
    try {
      const report = migrate(this.#database, model, 'start')
      if (report.changes.length > 0) onMigration?.(report)
      this.#database.exec(`pragma busy_timeout = ${readPatience}`)
    } catch (error) {
      this.#database.close()
      throw error
    }
    if (path !== ':memory:') this.folder = dirname(path)
    this.#model = model
    this.#reads = new SharedRead(this.#database)
    this.#schema = new SchemaGuard(this.#database, model)
    this.#path = path
    const checkFile = () => this.#file.check()
    this.#queue = new WriteQueue(this.#database, this.#reads, {
      file: checkFile,
      schema: () => this.#schema.check(),
    })
    const ownTables = queuedOwnTables(this.#database, this.#queue, this.#reads, usageTables)
    this.#keySweep = sweepKeys(ownTables, sqliteOwnTables)
    this.usage = usageStore(ownTables, sqliteOwnTables)
    const [database, reads] = [this.#database, this.#reads]
    const file = path === ':memory:' ? undefined : path
    this.#lists = new SqliteLists({
      database,
      model,
      reads,
      commits: () => this.#queue.commits,
      path: file,
      maxBytes: maxListBytes,
    })
    this.#session = new SqliteSession(database, model, this.#lists)
    const open = file === undefined ? undefined : () => openAnother(file)
    this.#transactions = new SqliteTransactions({
      model,
      queue: this.#queue,
      database,
      reads,
      open,
      checkFile,
      maxListBytes,
    })
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (!this.#database.isOpen) throw new StoreUnavailable('The database is closed.')
    const { inTheWay } = this.#transactions
    if (inTheWay) return inTheWay.then(() => this.run(plan))
    if (plan.kind === 'delete' && this.folder !== undefined && this.#isLarge(plan)) return this.#deleteLarge(plan)
    if (!isRead(plan)) return this.#queue.add(() => this.#session.writer.write(plan))
    this.#reads.read()
    return this.#session.read(plan)
  }

  #isLarge(plan: DeletePlan): boolean {
    this.#reads.read()
    return this.#session.writer.isLarge(plan)
  }

  /** On a thread, while others read. All other writes wait, as for a transaction. */
  #deleteLarge(plan: DeletePlan): Promise<Outcome> {
    const prepare = () => {
      this.#reads.end()
      this.#file.check()
      this.#schema.check()
      return this.#session.writer.prepareDelete(plan)
    }
    return this.#transactions.whileHeld(async () => {
      const outcome = await largeDelete(plan, { path: this.#path, pragmas, prepare })
      // Reads of this turn that come later are shown it.
      this.#reads.end()
      return outcome
    }, largeDeleteMs)
  }

  async transaction<Result>(work: TransactionWork<Result>, { limit }: TransactionOptions) {
    return { result: await this.#transactions.run(work, limit) }
  }

  async load(parts: Iterable<LoadPart>): Promise<number> {
    return this.#queue.add(() => asOne(this.#database, () => this.#load(parts)), { isLoad: true })
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    // Another process may be loading much at this moment.
    const load = () => (this.#isEmpty() ? this.#load(parts()) : 0)
    try {
      return await this.#queue.add(() => asOne(this.#database, load), { patience: loadPatience, isLoad: true })
    } catch (error) {
      const path = this.#database.location()
      throw path !== null && isDiskFull(error, path) ? diskFull(path) : error
    }
  }

  async isEmpty(): Promise<boolean> {
    return this.#isEmpty()
  }

  #isEmpty(): boolean {
    for (const { noun } of this.#model.nouns.values()) {
      if (this.#database.prepare(`select 1 from ${quotedName(tableName(noun))} limit 1`).get()) return false
    }
    return true
  }

  async check(): Promise<undefined> {
    this.#file.check()
    this.#database.prepare('select 1 from sqlite_schema limit 1').get()
  }

  arrive(): void {
    this.#reads.arrive()
  }

  /** Nobody waits to be let in: what is read, is read at once. */
  wait(): number {
    return 0
  }

  get backlog(): number {
    return this.#queue.backlog
  }

  figures(): SqliteFigures {
    const query = 'select page_count * page_size as size from pragma_page_count, pragma_page_size'
    return {
      size: Number(this.#database.prepare(query).get()?.size),
      waiting: this.#queue.length,
      commitWrites: this.#queue.batches.samples(),
      commitTimes: this.#queue.times.samples(),
    }
  }

  measure(registry: MetricRegistry): void {
    measureSqlite(registry, () => this.figures())
  }

  async close(): Promise<void> {
    await this.#transactions.close()
    await this.#lists.close()
    this.#keySweep.stop()
    this.#queue.close()
    if (this.#database.isOpen) this.#database.close()
  }

  #load(parts: Iterable<LoadPart>): number {
    // Rows may come before those that they point at; the commit still checks them all. Their indexes are written all over
    // the place: with little room, the same pages would be written again and again.
    this.#database.exec(`pragma defer_foreign_keys = on; pragma cache_size = ${loadCache}`)
    try {
      let count = 0
      for (const part of parts) count += 'noun' in part ? this.#loadNoun(part) : this.#loadLink(part)
      return count
    } finally {
      this.#database.exec(`pragma cache_size = ${usualCache}; pragma shrink_memory`)
    }
  }

  #loadNoun({ noun: name, rows }: LoadPart & { noun: string }): number {
    const stored = this.#model.nouns.get(name) as StoredNoun
    const fields = Object.keys(stored.noun.fields)
    const insert = prepare(this.#database, insertQuery(sqliteDialect, stored, fields))
    let count = 0
    for (const row of rows) {
      count += insert.run({ key: null, values: row as Values })
    }
    return count
  }

  #loadLink({ link: [near, far], rows }: LoadPart & { link: readonly [string, string] }): number {
    const link = this.#model.links.find(({ name }) => name === `${near}-${far}`)
    if (!link) throw new Error(`There is no link between "${near}" and "${far}".`)
    const insert = prepare(this.#database, linkQuery(link, ...link.nouns))
    let count = 0
    for (const pair of rows) count += insert.run({ near: pair[0], far: pair[1] })
    return count
  }
}

/** The pause between tries of processes that open one file at once to agree on its form, in milliseconds. */
const agreePauseMs = 10

/** SQLite waits for a lock, but not where two would wait for each other, as those do that change the form of a new file. */
function agree(work: () => void): void {
  for (const end = performance.now() + busyTimeoutMs; ; ) {
    try {
      work()
      return
    } catch (error) {
      if (faultOf(error) !== 'busy' || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, agreePauseMs)
    }
  }
}

/** Opens a database file as Nomen wants it: durable at every commit, readable while it is written. */
export function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') {
      makeFolderSync(dirname(path))
      // SQLite gives the files beside it the same permissions.
      makePrivateFile(path)
    }
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 })
    agree(() => database.exec('pragma journal_mode = wal'))
    database.exec(pragmas)
    return database
  } catch (error) {
    if (isDiskFull(error, path)) throw diskFull(path)
    const reason = error instanceof Error ? `: ${error.message}` : ''
    throw new DatabaseError(path, reason, 'Name a file that is a SQLite database, or one that can be made.')
  }
}

function diskFull(path: string): DatabaseError {
  return new DatabaseError(path, `: the disk is full at ${dirname(path)}`, 'Make room there, and start again.')
}

/** A second connection of this process, on which nobody waits inside SQLite, where everybody would. */
function openAnother(path: string): DatabaseSync {
  const database = openDatabase(path)
  database.exec('pragma busy_timeout = 0')
  return database
}
