// Connections to PostgreSQL: their life, connections that a firewall drops, and records that other programs lock.
import { identity, noun, resource, text } from '@nomen/core'
import type { DatabasePool } from '@nomen/server'
import { startProxy } from '@nomen/testing/faulty-proxy'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

async function emptyDatabase(): Promise<string> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

async function openNotes(database: string, databasePool: DatabasePool = {}): Promise<TestService> {
  const app = await openService(notes, { database, databasePool, onFault: () => undefined })
  for (const title of ['a', 'b']) expect((await app.send('POST', '/note', { title })).status).toBe(201)
  return app
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const sessions = "datname = current_database() and application_name = 'nomen'"

/** The processes of the service's connections. */
async function processes(client: pg.Client): Promise<number[]> {
  return (await client.query(`select pid from pg_stat_activity where ${sessions}`)).rows.map(({ pid }) => pid)
}

async function waiting(client: pg.Client): Promise<number> {
  const text = `select from pg_stat_activity where ${sessions} and wait_event_type = 'Lock'`
  return (await client.query(text)).rowCount ?? 0
}

function patch(app: TestService, id: number): Promise<number> {
  return app.send('PATCH', `/note/${id}`, { title: 'c' }).then(({ status }) => status)
}

describe('the connection pool', () => {
  it('replaces connections after their maximum life, also while they are in use', async () => {
    const url = await emptyDatabase()
    const app = await openNotes(url, { maxLifeMs: 1000 })
    const client = await connected(url)
    const first = await processes(client)
    expect(first.length).toBeGreaterThan(0)
    const areReplaced = async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => app.get('/note/1')))
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      const now = await processes(client)
      return now.length > 0 && !now.some((id) => first.includes(id))
    }
    await expect.poll(areReplaced).toBe(true)
  })

  it('closes idle connections, and opens new ones when they are needed', async () => {
    const url = await emptyDatabase()
    const app = await openNotes(url, { idleTimeoutMs: 300 })
    const client = await connected(url)
    await expect.poll(() => processes(client)).toEqual([])
    expect(await patch(app, 1)).toBe(200)
  })

  it('has at most as many connections as allowed, and serves every use with one', async () => {
    const url = await emptyDatabase()
    const app = await openNotes(url, { connections: 1 })
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        if (index % 3 === 0) return patch(app, 1)
        return (await app.get(index % 3 === 1 ? '/note' : '/note/2')).status
      }),
    )
    expect(statuses).toEqual(Array(60).fill(200))
    expect(await processes(await connected(url))).toHaveLength(1)
  })
})

describe('connections that a firewall has forgotten', () => {
  it('are replaced: reads succeed, and no request waits for its timeout', async () => {
    const url = await emptyDatabase()
    const proxy = await startProxy(url)
    onTestFinished(() => proxy.close())
    // The timeout of a statement is longer than that of the test.
    const app = await openNotes(`${proxy.url}&statement_timeout=600000`)
    await Promise.all(Array.from({ length: 12 }, () => app.get('/note')))
    proxy.dropConnections()
    const reads = await Promise.all([app.get('/note/1'), app.get('/note'), app.get('/note/2')])
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await patch(app, 1)).toBe(200)
  })
})

describe('a record that another program has locked', () => {
  it('does not stop writes of other records', async () => {
    const url = await emptyDatabase()
    const app = await openNotes(`${url}&lock_timeout=1000`)
    const client = await connected(url)
    await client.query('begin; select from note where id = 1 for update')
    const locked = Array.from({ length: 60 }, () => patch(app, 1))
    const watching = await connected(url)
    await expect.poll(() => waiting(watching)).toBeGreaterThan(0)
    expect(await Promise.all(Array.from({ length: 20 }, () => patch(app, 2)))).toEqual(Array(20).fill(200))
    expect((await app.send('POST', '/note', { title: 'd' })).status).toBe(201)
    await client.query('rollback')
    await Promise.all(locked)
    expect(await patch(app, 1)).toBe(200)
  })

  it('causes 503 after the lock timeout, and the record is unchanged', async () => {
    const url = await emptyDatabase()
    const app = await openNotes(`${url}&lock_timeout=200&statement_timeout=600000`)
    const client = await connected(url)
    await client.query('begin; select from note where id = 1 for update')
    for (const method of ['PATCH', 'DELETE']) {
      const { status, body, headers } = await app.send(
        method,
        '/note/1',
        method === 'PATCH' ? { title: 'c' } : undefined,
      )
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
      expect(body.detail).not.toContain('the outcome is unknown')
    }
    await client.query('rollback')
    expect(await app.column('title', '/note')).toEqual(['a', 'b'])
  })

  it('has a lock timeout without a setting, too', async () => {
    const url = await emptyDatabase()
    const app = await openNotes(`${url}&statement_timeout=600000`)
    const client = await connected(url)
    await client.query('begin; select from note where id = 1 for update')
    expect(await patch(app, 1)).toBe(503)
    await client.query('rollback')
    expect(await patch(app, 1)).toBe(200)
  })
})
