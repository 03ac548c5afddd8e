/** The store on a PostgreSQL server. */
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import { type DatabasePool, poolLimits } from '../connection/database-pool.ts'
import { readPostgresUrl, replicasElsewhere } from '../connection/postgres-url.ts'
import type { ConsumerStore } from '../consumer.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import { isRead, type Plan } from '../plan.ts'
import type { BucketStore, RateLimit } from '../rate-limit.ts'
import { countBlocks } from '../sql/entry-count/count-blocks.ts'
import { sweepHistory } from '../sql/history/retention.ts'
import { consumerStore } from '../sql/own-tables/consumers.ts'
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
import type { UsageStore } from '../usage.ts'
import { PostgresBuckets } from './buckets.ts'
import { emptyQuery, loadIfEmpty } from './bulk/load.ts'
import { PostgresDatabase, type Reads } from './connect/database.ts'
import { PostgresHosts } from './connect/hosts.ts'
import { requireSameDatabase } from './connect/same-database.ts'
import { postgresDialect } from './dialect.ts'
import { databaseIssue } from './health.ts'
import { measurePostgres } from './metrics.ts'
import { migrateServer } from './migrate/server.ts'
import { pooledOwnTables, postgresOwnTables } from './own-tables.ts'
import { PlanReader } from './read/plan-reader.ts'
import { SettledEntries } from './read/settled-entries.ts'
import { TableSizes } from './read/table-sizes.ts'
import { measureReplicas } from './replica/metrics.ts'
import { ReadReplicas } from './replica/replicas.ts'
import { PostgresSchemaGuard } from './schema-guard.ts'
import { compile, type Statement } from './statement.ts'
import { TallyCompactor } from './tally/compactor.ts'
import { entryCountLock } from './tally/entry-count.ts'
import { measureTallies } from './tally/metrics.ts'
import { PostgresTransactions } from './transaction.ts'
import { PostgresWriter } from './write/writer.ts'

export interface PostgresStoreOptions {
  /** The URL for migrations and bulk loads, if the other one is that of a pooler. */
  readonly databaseDirect?: string | undefined
  /** The URL of the replicas for reads: each of its hosts is one. `elsewhere` if only other instances use replicas. */
  readonly databaseRead?: string | undefined
  readonly pool?: DatabasePool | undefined
  /** Called when a server fails, no longer accepts writes, or recovers. */
  readonly onServer?: ((message: string, cause: unknown) => void) | undefined
  /** Called with the schema changes that were applied at start. */
  readonly onMigration?: ((report: MigrationReport) => void) | undefined
  /** The maximum size of a list, in bytes. */
  readonly maxListBytes?: number | undefined
  readonly onFault?: StoreFaultListener | undefined
}

const readOnlyMessage =
  'The database server accepts only reads: it is a standby, or read-only by a setting. Writes get 503.'
const writableMessage = 'The database server accepts writes again.'

export class PostgresStore implements Store {
  /** Writes run on the server and do not keep this process busy. */
  readonly backlogMs = 0
  readonly hasReplicas: boolean
  readonly usage: UsageStore
  readonly consumers: ConsumerStore
  readonly #directHosts: PostgresHosts
  readonly #model: Model
  readonly #database: PostgresDatabase
  readonly #writer: PostgresWriter
  readonly #historySweep: { stop(): void }
  readonly #blockCounts: { stop(): Promise<void> }
  readonly #settledEntries: SettledEntries
  readonly #transactions: PostgresTransactions
  readonly #sizes: TableSizes
  readonly #schema: PostgresSchemaGuard
  readonly #reader: PlanReader
  readonly #isEmpty: Statement<undefined>
  readonly #compactor: TallyCompactor
  readonly #replicas: ReadReplicas | undefined

  private constructor(hosts: PostgresHosts, directHosts: PostgresHosts, model: Model, options: PostgresStoreOptions) {
    const { databaseRead: replicas, onServer = () => {}, maxListBytes = defaultListBytes } = options
    const limits = poolLimits(options.pool)
    this.#directHosts = directHosts
    this.#model = model
    this.#database = new PostgresDatabase(hosts, {
      limits,
      onReadOnly: (isReadOnly) => onServer(isReadOnly ? readOnlyMessage : writableMessage, undefined),
    })
    const ownTables = pooledOwnTables(this.#database)
    this.usage = usageStore(ownTables, postgresOwnTables)
    this.consumers = consumerStore(ownTables, postgresOwnTables)
    this.#writer = new PostgresWriter(this.#database, model, options.onFault)
    this.#historySweep = sweepHistory(ownTables, postgresDialect, model, options.onFault)
    this.#settledEntries = new SettledEntries(this.#database)
    this.#blockCounts = countBlocks(
      ownTables,
      { blocksAtOnce: 16, takeLock: entryCountLock },
      model,
      () => this.historyPosition(),
      options.onFault,
    )
    this.#transactions = new PostgresTransactions(this.#database, (statements, plan, isRetry) =>
      isRead(plan) ? this.#reader.read(plan, statements) : this.#writer.writeIn(statements, plan, isRetry),
    )
    this.#sizes = new TableSizes(this.#database, model)
    this.#reader = new PlanReader(model, maxListBytes, (noun) => this.#sizes.maxRecords(noun))
    this.#schema = new PostgresSchemaGuard(this.#database.readShort, model)
    this.#isEmpty = compile(emptyQuery(model))
    this.#compactor = new TallyCompactor(this.#database, model, options.onFault)
    if (replicas !== undefined)
      this.#replicas = new ReadReplicas(this.#database, replicas, { limits, onChange: onServer })
    this.hasReplicas = replicas !== undefined && replicas !== replicasElsewhere
  }

  /** Connects to the server and migrates the database to the model. */
  static async open(url: string, model: Model, options: PostgresStoreOptions = {}): Promise<PostgresStore> {
    const { databaseDirect: direct, databaseRead: replicas, onMigration } = options
    const hosts = new PostgresHosts(readPostgresUrl(url))
    const directHosts = direct === undefined ? hosts : new PostgresHosts(readPostgresUrl(direct))
    // An invalid URL is reported before anything is changed.
    if (replicas !== undefined && replicas !== replicasElsewhere) readPostgresUrl(replicas)
    if (directHosts !== hosts) await requireSameDatabase(hosts, directHosts)
    const report = await migrateServer(directHosts, model, 'start')
    if (report.changes.length > 0) onMigration?.(report)
    const store = new PostgresStore(hosts, directHosts, model, options)
    await store.#replicas?.open()
    await store.#sizes.refresh()
    return store
  }

  run(plan: Plan): Promise<Outcome> {
    const replicas = this.#replicas
    if (isRead(plan)) {
      const read = (from: Reads) => this.#reader.read(plan, from)
      return replicas ? replicas.read(plan.reader, read) : read(this.#database)
    }
    const outcome = this.#compactor.afterWrite(this.#writer.write(plan))
    return replicas ? replicas.afterWrite(plan.reader, outcome) : outcome
  }

  async transaction<Result>(work: TransactionWork<Result>, { limitMs, reader }: TransactionOptions) {
    const result = this.#compactor.afterWrite(this.#transactions.run(work, limitMs))
    return this.#replicas?.withPosition(reader, result) ?? { result: await result }
  }

  historyPosition(): Promise<HistoryPosition> {
    return this.#settledEntries.read()
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    // Checks without a lock first: most databases are not empty.
    if (!(await this.isEmpty())) return 0
    const loaded = this.#compactor.afterWrite(this.#load(parts))
    return this.#replicas?.afterLoad(loaded) ?? loaded
  }

  async isEmpty(): Promise<boolean> {
    const [row] = await this.#database.readShort(this.#isEmpty, undefined)
    return row?.[0] === 't'
  }

  async check(): Promise<StoreIssue | undefined> {
    const issue = await databaseIssue(this.#database, this.#replicas, () => this.#schema.fit())
    return issue ?? this.#compactor.issue
  }

  schemaVersion(): Promise<string> {
    return this.#schema.version()
  }

  waitMs(isWrite: boolean): number {
    const { pool } = this.#database
    return isWrite ? pool.oldestWaitMs('write') : Math.max(pool.oldestWaitMs('read'), pool.oldestWaitMs('list'))
  }

  openBuckets(limit: RateLimit): BucketStore {
    return new PostgresBuckets(this.#database, limit)
  }

  measure(registry: MetricRegistry): void {
    measurePostgres(registry, this.#database)
    measureTallies(registry, this.#database, this.#compactor, this.#model)
    if (this.#replicas) measureReplicas(registry, this.#replicas)
  }

  async close(): Promise<void> {
    await this.#transactions.close()
    this.#writer.close()
    this.#historySweep.stop()
    await this.#blockCounts.stop()
    await this.#compactor.close()
    await this.#replicas?.close()
    await this.#database.close()
  }

  /** Runs without a timeout, on a separate connection. */
  async #load(parts: () => Iterable<LoadPart>): Promise<number> {
    const client = await this.#directHosts.openWithoutTimeout()
    try {
      return await loadIfEmpty(client, this.#model, parts)
    } finally {
      await client.end()
    }
  }
}
