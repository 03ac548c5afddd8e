// PgBouncer between the service and PostgreSQL, as Debian packages it, with default settings.
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { migrateDatabase } from '@nomen/server/admin'
import { startPgBouncer } from '@nomen/testing/pgbouncer'
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
      await transaction(async (call) => {
        await call(noted).note.create({ title: `${body.title} one` })
        await call(noted).note.create({ title: `${body.title} two` })
      })
      return { count: 'two' }
    }),
  ],
})

async function pooled(mode: 'session' | 'transaction', url: string): Promise<string> {
  const bouncer = await startPgBouncer(url, mode)
  onTestFinished(() => bouncer.stop())
  return bouncer.url
}

describe('PgBouncer in session mode', () => {
  it('serves reads, lists, writes, transactions, idempotency, rate limits and usage', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const database = await pooled('session', url)
    const app = await openService(notes, { database, rateLimit: { number: 100_000, windowMs: 1000 } })
    const creates = await Promise.all(
      Array.from({ length: 60 }, (_, index) => app.send('POST', '/note', { title: `note ${index}` })),
    )
    expect(new Set(creates.map(({ status }) => status))).toEqual(new Set([201]))
    const pairs = await Promise.all(
      Array.from({ length: 10 }, (_, index) => app.send('POST', '/note/pair', { title: `pair ${index}` })),
    )
    expect(new Set(pairs.map(({ status }) => status))).toEqual(new Set([200]))
    const key = { 'idempotency-key': 'once' }
    const repeated = [1, 2].map(() => app.send('POST', '/note', { title: 'once' }, key))
    expect(new Set((await Promise.all(repeated)).map(({ body }) => body.id)).size).toBe(1)
    const lists = await Promise.all(Array.from({ length: 40 }, () => app.get('/note?sort=title&pageSize=5')))
    expect(new Set(lists.map(({ body }) => body.pageInfo.numberOfRecords))).toEqual(new Set([81]))
    expect((await app.send('PATCH', '/note/1', { title: 'changed' })).status).toBe(200)
    expect((await app.send('POST', '/note', { title: 'changed' })).status).toBe(409)
    expect((await app.get('/usage')).status).toBe(200)
    expect((await app.get('/health/ready')).body.status).toBe('ok')
  })

  it('has the settings of the service and of the URL in every session', async () => {
    const { url } = await temporarySchema()
    const database = `${await pooled('session', url)}&lock_timeout=200`
    const app = await openService(notes, { database, onFault: () => undefined })
    await app.send('POST', '/note', { title: 'a' })
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    // The schema is a setting of the URL, and so is the time that a write waits for a lock.
    await client.query('begin; select from note where id = 1 for update')
    expect((await app.send('PATCH', '/note/1', { title: 'b' })).status).toBe(503)
    await client.query('rollback')
    expect((await app.send('PATCH', '/note/1', { title: 'b' })).status).toBe(200)
  })
})

describe('PgBouncer in transaction mode', () => {
  it('is refused at start, and the error says how to configure it', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const database = await pooled('transaction', url)
    const refused = /shares sessions between connections \(transaction pooling\)\.\n {2}Use session pooling/
    await expect(openService(notes, { database })).rejects.toThrow(refused)
    await expect(migrateDatabase(database, notes, 'apply')).rejects.toThrow(refused)
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0)
  })
})
