/** The store on a PostgreSQL server. */
import type { Operation } from '@nomen/core'
import { LruCache } from '../../foundation/lru-cache.ts'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import { TooLarge } from '../error.ts'
import { faultOf } from '../fault.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model, StoredNoun } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import { isRead, type ListPlan, type Plan, type ReadPlan } from '../plan.ts'
import { elsewhere, readAddress } from '../postgres-address.ts'
import type { BucketStore, RateLimit } from '../rate-limit.ts'
import { rowFilterKey } from '../sql/filter.ts'
import { estimatedMs } from '../sql/list-cost.ts'
import { usageTables } from '../sql/own-tables/table.ts'
import { usageStore } from '../sql/own-tables/usage.ts'
import type { RecordInput } from '../sql/record-query.ts'
import { sql } from '../sql/sql.ts'
import { defaultListBytes, type LoadPart, type Store, type TransactionOptions, type TransactionWork } from '../store.ts'
import type { UsageStore } from '../usage.ts'
import { PostgresBuckets } from './buckets.ts'
import { emptyQuery, load, loadIfEmpty } from './bulk/load.ts'
import { PostgresDatabase, type Reads } from './connect/database.ts'
import { PostgresHosts } from './connect/hosts.ts'
import { ListPace } from './list-pace.ts'
import { listForm } from './list-statement.ts'
import { measurePostgres } from './metrics.ts'
import { migrateServer } from './migrate/server.ts'
import { pooledOwnTables, postgresOwnTables } from './own-tables.ts'
import type { ReplicaListener } from './replica/replica.ts'
import { ReadReplicas } from './replica/replicas.ts'
import { foundOutcome, missingAncestor } from './row.ts'
import { compile, type Statement } from './statement.ts'
import { TableSizes } from './table-sizes.ts'
import { TallyFolder } from './tally/folder.ts'
import { PostgresTransactions } from './transaction.ts'
import { readBelow } from './write/query.ts'
import { PostgresWriter } from './write/writer.ts'

const trivial = compile<undefined>(sql`select 1`)

/** How many forms of filtered and sorted lists stay compiled. */
const listForms = 500

/** How long a list may take that is not yet known to be quick, as far as can be estimated, in milliseconds. */
const smallMs = 50

/** How many forms of reads by callers who do not see everything stay compiled. */
const narrowForms = 500

/** Where reads go to, if not to the primary. */
export interface ReplicaOptions {
  /** An address of PostgreSQL; each of its hosts is a replica. */
  readonly address: string
  readonly onChange: ReplicaListener
}

export interface PostgresStoreOptions {
  readonly replicas?: ReplicaOptions | undefined
  /** Told of the changes of the schema, where there were any. */
  readonly onMigration?: ((report: MigrationReport) => void) | undefined
  /** How long the text of a list may be, in bytes. */
  readonly maxListBytes?: number | undefined
}

export class PostgresStore implements Store {
  /** The server writes, not this process. */
  readonly backlog = 0
  readonly hasReplicas: boolean
  readonly usage: UsageStore
  readonly #hosts: PostgresHosts
  readonly #model: Model
  readonly #database: PostgresDatabase
  readonly #writer: PostgresWriter
  readonly #transactions: PostgresTransactions
  readonly #lists = new LruCache<{ readonly statement: Statement<ListPlan>; readonly pace: ListPace }>(listForms)
  readonly #sizes: TableSizes
  readonly #reads = new Map<Operation, Statement<RecordInput>>()
  readonly #narrowReads = new LruCache<Statement<RecordInput>>(narrowForms)
  readonly #isEmpty: Statement<undefined>
  readonly #folder: TallyFolder
  readonly #replicas: ReadReplicas | undefined
  readonly #maxListBytes: number

  private constructor(hosts: PostgresHosts, model: Model, options: PostgresStoreOptions) {
    const { replicas, maxListBytes = defaultListBytes } = options
    this.#maxListBytes = maxListBytes
    this.#hosts = hosts
    this.#model = model
    this.#database = new PostgresDatabase(hosts)
    this.usage = usageStore(pooledOwnTables(this.#database, usageTables), postgresOwnTables)
    this.#writer = new PostgresWriter(this.#database, model)
    this.#transactions = new PostgresTransactions(this.#database, (statements, plan, isAgain) =>
      isRead(plan) ? this.#show(plan, statements) : this.#writer.writeIn(statements, plan, isAgain),
    )
    this.#sizes = new TableSizes(this.#database, model)
    this.#isEmpty = compile(emptyQuery(model))
    this.#folder = new TallyFolder(this.#database, model)
    this.#replicas = replicas && new ReadReplicas(this.#database, replicas.address, replicas.onChange)
    this.hasReplicas = replicas !== undefined && replicas.address !== elsewhere
  }

  /** Reaches the server, and brings the schema of the database up to the model. */
  static async open(address: string, model: Model, options: PostgresStoreOptions = {}): Promise<PostgresStore> {
    const { replicas, onMigration } = options
    const hosts = new PostgresHosts(readAddress(address))
    // An address that cannot be read is told before anything is changed.
    if (replicas && replicas.address !== elsewhere) readAddress(replicas.address)
    const report = await migrateServer(hosts, model, 'start')
    if (report.changes.length > 0) onMigration?.(report)
    const store = new PostgresStore(hosts, model, options)
    await store.#replicas?.open()
    await store.#sizes.refresh()
    return store
  }

  run(plan: Plan): Promise<Outcome> {
    const replicas = this.#replicas
    if (isRead(plan)) {
      return replicas ? replicas.read(plan.reader, (from) => this.#show(plan, from)) : this.#show(plan, this.#database)
    }
    const written = this.#folder.after(this.#writer.write(plan))
    return replicas ? replicas.after(plan.reader, written) : written
  }

  async transaction<Result>(work: TransactionWork<Result>, { limit, reader }: TransactionOptions) {
    const written = this.#folder.after(this.#transactions.run(work, limit))
    return this.#replicas?.withPosition(reader, written) ?? { result: await written }
  }

  load(parts: Iterable<LoadPart>): Promise<number> {
    return this.#loaded(this.#patiently((client) => load(client, this.#model, parts)))
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    // What is not empty now does not become so for a start: only an empty database is worth a lock.
    if (!(await this.isEmpty())) return 0
    return this.#loaded(this.#patiently((client) => loadIfEmpty(client, this.#model, parts)))
  }

  async isEmpty(): Promise<boolean> {
    const [row] = await this.#database.readShort(this.#isEmpty, undefined)
    return row?.[0] === 't'
  }

  async check(): Promise<undefined> {
    await this.#database.readShort(trivial, undefined)
  }

  wait(isWrite: boolean): number {
    const { pool } = this.#database
    return isWrite ? pool.wait('write') : Math.max(pool.wait('read'), pool.wait('list'))
  }

  openBank(limit: RateLimit): Promise<BucketStore> {
    return PostgresBuckets.open(this.#database, limit)
  }

  measure(registry: MetricRegistry): void {
    measurePostgres(registry, this.#database)
  }

  async close(): Promise<void> {
    await this.#transactions.close()
    this.#writer.close()
    await this.#folder.close()
    await this.#replicas?.close()
    await this.#database.close()
  }

  #loaded(loading: Promise<number>): Promise<number> {
    const loaded = this.#folder.after(loading)
    return this.#replicas?.afterLoad(loaded) ?? loaded
  }

  #show(plan: ListPlan | ReadPlan, from: Reads): Promise<Outcome> {
    return plan.kind === 'list' ? this.#list(plan, from) : this.#read(plan, from)
  }

  async #list(plan: ListPlan, from: Reads): Promise<Outcome> {
    const { operation } = plan
    const stored = this.#model.nouns.get(operation.shape.noun.name) as StoredNoun
    const { key, build, isBounded } = listForm(stored, plan, this.#maxListBytes)
    const { statement, pace } = this.#lists.get(key, () => ({ statement: build(), pace: new ListPace(isBounded) }))
    const use = pace.use(isBounded || this.#isSmall(plan))
    const [row = []] = await this.#listed(from.read(statement, plan, { use, note: (tookMs) => pace.note(tookMs) }))
    const missing = missingAncestor(row.slice(2))
    if (missing) return missing
    if (row[1] === null) throw new TooLarge(this.#maxListBytes)
    return { kind: 'list', json: row[1] as string, numberOfRecords: Number(row[0]) }
  }

  /** Whether a list is quick that looks at every record. */
  #isSmall(plan: ListPlan): boolean {
    const records = this.#sizes.maxRecords(plan.operation.shape.noun.name)
    return records !== undefined && estimatedMs(plan, records) <= smallMs
  }

  /** What is too large for the server itself is too large for us. */
  async #listed<Rows>(reading: Promise<Rows>): Promise<Rows> {
    try {
      return await reading
    } catch (error) {
      throw faultOf(error) === 'too-long' ? new TooLarge(this.#maxListBytes, { cause: error }) : error
    }
  }

  async #read(plan: ReadPlan, from: Reads): Promise<Outcome> {
    const [row] = await from.readShort(this.#readStatement(plan), plan)
    return foundOutcome(plan.operation, row)
  }

  #readStatement({ operation, rowFilter }: ReadPlan): Statement<RecordInput> {
    const make = () => compile<RecordInput>(readBelow(operation, operation.shape, rowFilter))
    if (rowFilter) return this.#narrowReads.get(`${operation.api} ${operation.path} ${rowFilterKey(rowFilter)}`, make)
    const known = this.#reads.get(operation) ?? make()
    this.#reads.set(operation, known)
    return known
  }

  /** Large loads take their time, and a connection of their own. */
  async #patiently<Result>(work: (client: Awaited<ReturnType<PostgresHosts['openPatient']>>) => Promise<Result>) {
    const client = await this.#hosts.openPatient()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
}
