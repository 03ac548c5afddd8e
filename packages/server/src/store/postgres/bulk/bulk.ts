/** Bulk loads and exports on a PostgreSQL server, each on a separate connection. */
import type { Value } from '@nomen/core'
import type pg from 'pg'
import type { ClientBase } from 'pg'
import type { BulkSnapshot, BulkStore, BulkTarget, BulkWriter, WriteRules } from '../../bulk/bulk.ts'
import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { affectsRecords } from '../../migrate/change/change.ts'
import { schemaMismatchError } from '../../migrate/error.ts'
import { missingChanges } from '../../migrate/expand/expansion.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { withAdopted } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { loadOrigin } from '../../plan.ts'
import { countQuery, exportPageSize, pageQuery } from '../../sql/bulk-query.ts'
import { tableName } from '../../stored-name.ts'
import { openClient } from '../connect/client.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { postgresDialect } from '../dialect.ts'
import { migrate } from '../migrate/migrate.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { setOrigin } from '../migrate/sql/history.ts'
import { compile, type Statement } from '../statement.ts'
import { dropIndexes } from './drop-indexes.ts'
import { PostgresBulkWriter } from './writer.ts'

export class PostgresBulk implements BulkStore {
  readonly #hosts: PostgresHosts
  readonly #model: Model
  readonly #clients: pg.Client[] = []

  constructor(url: string, model: Model) {
    this.#hosts = new PostgresHosts(readPostgresUrl(url))
    this.#model = model
  }

  /** Migrates the schema to the model first. */
  async writer(target: BulkTarget, rules: WriteRules): Promise<BulkWriter> {
    const client = await this.#connect()
    const isPlain = 'stored' in target && !rules.asyncLogic
    const isWithoutIndexes = isPlain && (await dropIndexes(client, this.#model, tableName(target.stored.noun)))
    if (!isPlain) await migrate(client, this.#model, 'start')
    await client.query(setOrigin(loadOrigin, false))
    return new PostgresBulkWriter(client, target, this.#model, { ...rules, isWithoutIndexes })
  }

  async snapshot(target: BulkTarget): Promise<BulkSnapshot> {
    const client = await this.#connect()
    await client.query('begin isolation level repeatable read read only')
    const schema = await readSchema(client)
    if (missingChanges(schema, withAdopted(schemaOf(this.#model), schema), true).some(affectsRecords))
      throw schemaMismatchError()
    const { text } = compile(countQuery(target))
    const { rows } = await client.query({ text, rowMode: 'array' })
    return { numberOfRecords: Number(rows[0]?.[0]), pages: () => pagesOf(client, target) }
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.end().catch(() => {})
  }

  async #connect(): Promise<pg.Client> {
    const client = await openClient(this.#hosts)
    this.#clients.push(client)
    return client
  }
}

/** The server reads the next page while the last one is processed. */
async function* pagesOf(client: ClientBase, target: BulkTarget): AsyncGenerator<readonly string[]> {
  const [first, next] = [true, false].map((isFirst) =>
    compile<readonly Value[]>(pageQuery(postgresDialect, target, isFirst)),
  ) as [PageStatement, PageStatement]
  let page = readPage(client, first, [])
  for (;;) {
    const rows = await page
    const isLast = rows.length < exportPageSize
    if (!isLast) page = readPage(client, next, rows.at(-1)?.slice(1) as Value[])
    // Its error is thrown where it is awaited.
    page.catch(() => undefined)
    if (rows.length > 0) yield rows.map(([json]) => `${json}`)
    if (isLast) return
  }
}

type PageStatement = Statement<readonly Value[]>

async function readPage(client: ClientBase, { text, name, bind }: PageStatement, after: readonly Value[]) {
  return (await client.query({ text, name, values: bind(after), rowMode: 'array' })).rows
}
