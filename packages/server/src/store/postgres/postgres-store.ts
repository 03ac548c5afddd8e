/** The store on a PostgreSQL server. */
import type { Operation } from '@nomen/core'
import type { Model, StoredNoun } from '../model.ts'
import type { ListPlan, LoadPart, Outcome, Plan, ReadPlan, Store } from '../plan.ts'
import type { RecordInput } from '../sql/record-query.ts'
import { StatementCache } from '../sql/statement-cache.ts'
import { listForm } from './list-statement.ts'
import { migrateServer } from './migrate-server.ts'
import { readAddress } from './postgres-address.ts'
import { PostgresDatabase } from './postgres-database.ts'
import { PostgresHosts } from './postgres-hosts.ts'
import { emptyQuery, load, loadIfEmpty } from './postgres-load.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { foundOutcome, missingAncestor } from './row.ts'
import { compile, type Statement } from './statement.ts'
import { TallyFolder } from './tally-folder.ts'
import { readBelow } from './write/write-query.ts'

/** How many forms of filtered and sorted lists stay compiled. */
const listForms = 500

export class PostgresStore implements Store {
  readonly #hosts: PostgresHosts
  readonly #model: Model
  readonly #database: PostgresDatabase
  readonly #writer: PostgresWriter
  readonly #lists = new StatementCache<Statement<ListPlan>>(listForms)
  readonly #reads = new Map<Operation, Statement<RecordInput>>()
  readonly #isEmpty: Statement<undefined>
  readonly #folder: TallyFolder

  private constructor(hosts: PostgresHosts, model: Model) {
    this.#hosts = hosts
    this.#model = model
    this.#database = new PostgresDatabase(hosts)
    this.#writer = new PostgresWriter(this.#database, model)
    this.#isEmpty = compile(emptyQuery(model))
    this.#folder = new TallyFolder(this.#database, model)
  }

  /** Reaches the server, and brings the schema of the database up to the model. */
  static async open(address: string, model: Model): Promise<PostgresStore> {
    const hosts = new PostgresHosts(readAddress(address))
    await migrateServer(hosts, model, 'start')
    return new PostgresStore(hosts, model)
  }

  run(plan: Plan): Promise<Outcome> {
    if (plan.kind === 'list') return this.#list(plan)
    if (plan.kind === 'read') return this.#read(plan)
    return this.#folder.after(this.#writer.write(plan))
  }

  load(parts: Iterable<LoadPart>): Promise<number> {
    return this.#folder.after(this.#patiently((client) => load(client, this.#model, parts)))
  }

  loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    return this.#folder.after(this.#patiently((client) => loadIfEmpty(client, this.#model, parts)))
  }

  async isEmpty(): Promise<boolean> {
    const [row] = await this.#database.readShort(this.#isEmpty, undefined)
    return row?.[0] === 't'
  }

  async close(): Promise<void> {
    await this.#folder.close()
    await this.#database.close()
  }

  async #list(plan: ListPlan): Promise<Outcome> {
    const { operation } = plan
    const stored = this.#model.nouns.get(operation.shape.noun.name) as StoredNoun
    const { key, build } = listForm(stored, plan)
    const statement = this.#lists.get(key, build)
    const [row = []] = await this.#database.read(statement, plan)
    const missing = missingAncestor(row.slice(2))
    return missing ?? { kind: 'list', json: row[1] as string, numberOfRecords: Number(row[0]) }
  }

  async #read(plan: ReadPlan): Promise<Outcome> {
    const { operation } = plan
    let statement = this.#reads.get(operation)
    if (!statement) {
      statement = compile<RecordInput>(readBelow(operation, operation.shape))
      this.#reads.set(operation, statement)
    }
    const [row] = await this.#database.readShort(statement, plan)
    return foundOutcome(operation, row)
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
