// PgBouncer between the service and PostgreSQL, as Debian packages it, with default settings and few sessions.
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, type Settings, service } from '@nomen/server'
import { loadRecords, migrateDatabase } from '@nomen/server/admin'
import { type PoolMode, startPgBouncer } from '@nomen/testing/pgbouncer'
import { temporaryPostgres, temporarySchema } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text().unique() })
const pair = operation({ method: 'POST', on: 'collection', body: { title: text() }, response: { count: text() } })
const noted = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { operations: { pair } })],
})
const notes = service({
  name: 'notes',
  apis: [noted],
  handlers: [
    handle(note, pair, async ({ body, transaction }) => {
      await transaction(
        async (call) => {
          await call(noted).note.create({ title: `${body.title} one` })
          await call(noted).note.create({ title: `${body.title} two` })
        },
        { limit: 60_000 },
      )
      return { count: 'two' }
    }),
  ],
  sample: () => [{ noun: 'note', rows: [{ id: 1, title: 'first' }] }],
})

/** Settings of a service behind PgBouncer. In transaction mode, migrations and loads need the direct URL. */
async function pooled(mode: PoolMode, url: string, parameters = ''): Promise<Partial<Settings> & { database: string }> {
  const bouncer = await startPgBouncer(url, mode, mode === 'transaction' ? { default_pool_size: 3 } : {})
  onTestFinished(() => bouncer.stop())
  const database = `${bouncer.url}${parameters}`
  return mode === 'transaction' ? { database, databaseDirect: `${url}${parameters}` } : { database }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

function many<Result>(number: number, make: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: number }, (_, index) => make(index)))
}

const statuses = (responses: readonly { readonly status: number }[]) => [
  ...new Set(responses.map(({ status }) => status)),
]

describe.each(['session', 'transaction'] as const)('PgBouncer in %s mode', (mode) => {
  it('serves reads, lists, writes, transactions, idempotency, rate limits, usage and loads', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const settings = await pooled(mode, url)
    const app = await openService(notes, { ...settings, rateLimit: { number: 100_000, windowMs: 1000 } })
    expect(statuses(await many(60, (index) => app.send('POST', '/note', { title: `note ${index}` })))).toEqual([201])
    expect(statuses(await many(10, (index) => app.send('POST', '/note/pair', { title: `pair ${index}` })))).toEqual([
      200,
    ])
    const key = { 'idempotency-key': 'once' }
    const repeated = await many(2, () => app.send('POST', '/note', { title: 'once' }, key))
    expect(new Set(repeated.map(({ body }) => body.id)).size).toBe(1)
    const source = {
      name: 'note.ndjson',
      isRepeatable: true,
      bytes: async function* () {
        yield Buffer.from('{"title":"loaded"}\n')
      },
    }
    const database = settings.databaseDirect ?? settings.database
    expect((await loadRecords(notes, { database, noun: 'note', source })).loaded).toBe(1)
    const lists = await many(40, () => app.get('/note?sort=title&pageSize=5'))
    expect(new Set(lists.map(({ body }) => body.pageInfo.numberOfRecords))).toEqual(new Set([83]))
    expect((await app.send('PATCH', '/note/1', { title: 'changed' })).status).toBe(200)
    expect((await app.send('POST', '/note', { title: 'changed' })).status).toBe(409)
    expect((await app.get('/usage')).status).toBe(200)
    expect((await app.get('/health/ready')).body.status).toBe('ok')
    const client = await connect(url)
    const locks = "select from pg_locks where locktype = 'advisory'"
    await expect.poll(async () => (await client.query(locks)).rowCount).toBe(0)
  })

  it('has the settings of the service and of the URL in every transaction', async () => {
    const { url } = await temporarySchema()
    const app = await openService(notes, {
      ...(await pooled(mode, url, '&lock_timeout=200')),
      onFault: () => undefined,
    })
    const client = await connect(url)
    // The schema is a setting of the URL, and so is the time that a write waits for a lock.
    await client.query('begin; select from note where id = 1 for update')
    expect((await app.send('PATCH', '/note/1', { title: 'b' })).status).toBe(503)
    await client.query('rollback')
    expect((await app.send('PATCH', '/note/1', { title: 'b' })).status).toBe(200)
    expect((await app.send('POST', '/note/pair', { title: 'c' })).status).toBe(200)
  })

  it('reports a write as perhaps done if its session ends, and does not repeat it', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const app = await openService(notes, { ...(await pooled(mode, url)), onFault: () => undefined })
    const client = await connect(url)
    await client.query("begin; insert into note (title) values ('taken')")
    const create = app.send('POST', '/note', { title: 'taken' })
    const waiting = "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1)
    await client.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`)
    const { status, body } = await create
    await client.query('rollback')
    expect([status, body.detail]).toEqual([503, expect.stringMatching('outcome is unknown')])
    expect((await app.get('/note')).body.pageInfo.numberOfRecords).toBe(1)
  })
})

describe('PgBouncer in transaction mode', () => {
  it('leaves no settings in the sessions, which others use too', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const settings = await pooled('transaction', url)
    const app = await openService(notes, settings)
    await many(30, (index) => app.send('POST', '/note', { title: `note ${index}` }))
    await app.send('POST', '/note/pair', { title: 'pair' })
    const names = [
      'lock_timeout',
      'statement_timeout',
      'jit',
      'random_page_cost',
      'idle_in_transaction_session_timeout',
    ]
    const query = `select ${names.map((name) => `current_setting('${name}')`)}, pg_sleep(0.1)`
    const others = await many(3, () => connect(settings.database))
    const rows = await Promise.all(others.map((other) => other.query({ text: query, rowMode: 'array' })))
    const direct = await (await connect(url)).query({ text: query, rowMode: 'array' })
    expect(rows.map((result) => result.rows)).toEqual([direct.rows, direct.rows, direct.rows])
  })

  it('is rejected without a direct URL, and the error names the setting', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const { database } = await pooled('transaction', url)
    const rejected = /the pooler uses transaction pooling[^\n]*\n {2}Set DATABASE_DIRECT_URL/
    await expect(openService(notes, { database })).rejects.toThrow(rejected)
    await expect(migrateDatabase(database, notes, 'apply')).rejects.toThrow(rejected)
    const tables = await (await connect(url)).query("select from pg_tables where schemaname = 'public'")
    expect(tables.rowCount).toBe(0)
  })

  it('is rejected if the direct URL leads to another database', async () => {
    const [{ url, remove }, other] = [await temporaryPostgres(), await temporaryPostgres()]
    onTestFinished(async () => void (await Promise.all([remove(), other.remove()])))
    const { database } = await pooled('transaction', url)
    const mistaken = openService(notes, { database, databaseDirect: other.url })
    await expect(mistaken).rejects.toThrow('DATABASE_DIRECT_URL leads to another database or schema than DATABASE_URL')
  })

  it('is rejected with another default isolation level, and the error names the statement that changes it', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const client = await connect(url)
    const { rows } = await client.query('select current_database() as name, current_user as role')
    const isolation = "set default_transaction_isolation = 'repeatable read'"
    await client.query(`alter database ${rows[0].name} ${isolation}`)
    const fix = `alter role ${rows[0].role} set default_transaction_isolation = 'read committed'`
    await expect(openService(notes, await pooled('transaction', url))).rejects.toThrow(fix)
  })
})
