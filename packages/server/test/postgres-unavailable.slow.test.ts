// A PostgreSQL server that stops, restarts, hangs or rejects: 503 without hanging, and automatic recovery.
import { identity, noun, resource, text } from '@nomen/core'
import { type FaultyProxy, startProxy } from '@nomen/testing/faulty-proxy'
import { startPostgres, startStandby } from '@nomen/testing/postgres'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

/** The service on a database of its own; `parameters` are added to its address. */
async function openNotes(parameters = ''): Promise<{ app: TestService; url: string }> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const app = await openService(notes, { database: `${url}${parameters}`, onFault: () => undefined })
  await app.send('POST', '/note', { title: 'a' })
  return { app, url }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Ends the other sessions of the database and waits until they are gone: the signal alone says nothing of when. */
async function endOthers(client: pg.Client): Promise<number> {
  const others = "datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid, 60_000) from pg_stat_activity where ${others}`,
  )
  return rowCount ?? 0
}

async function waiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}

const endWaiting =
  "select pg_terminate_backend(pid, 60_000) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"

async function proxyTo(url: string): Promise<FaultyProxy> {
  const proxy = await startProxy(url)
  onTestFinished(() => proxy.close())
  return proxy
}

const unavailable = (app: TestService) => async () => {
  const responses = await Promise.all([
    app.get('/note'),
    app.get('/note/1'),
    app.send('POST', '/note', { title: 'b' }),
    app.send('PATCH', '/note/1', { title: 'b' }),
    app.send('DELETE', '/note/1'),
  ])
  return responses.map(({ status, body, headers }) => [status, body?.code, headers['retry-after']])
}

describe('a server that has stopped', () => {
  it('causes 503 for all requests, and is used again after a restart', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const app = await openService(notes, { database: await server.createDatabase(), onFault: () => undefined })
    await app.send('POST', '/note', { title: 'a' })
    for (const end of ['stop', 'kill'] as const) {
      await server[end]()
      expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
      expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
      await server.start()
      await expect.poll(async () => (await app.get('/note/1')).status).toBe(200)
      expect((await app.get('/note')).body.results).toEqual([{ id: 1, title: 'a' }])
      expect((await app.send('PATCH', '/note/1', { title: 'a' })).status).toBe(200)
    }
  })

  it('during many requests loses no acknowledged write', async () => {
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.remove())
    const app = await openService(notes, { database: await server.createDatabase(), onFault: () => undefined })
    const acknowledged: number[] = []
    const rejected: unknown[] = []
    let isOver = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status, body } = await app.send('POST', '/note', { title: 'x' })
        if (status === 201) acknowledged.push(body.id)
        else rejected.push([status, body.code])
        if (status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    await expect.poll(() => acknowledged.length).toBeGreaterThan(50)
    await server.kill()
    await expect.poll(() => rejected.length).toBeGreaterThan(8)
    await server.start()
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 50)
    isOver = true
    await Promise.all(writers)
    expect(new Set(rejected.map((problem) => JSON.stringify(problem)))).toEqual(new Set(['[503,"unavailable"]']))
    const there = new Set<unknown>()
    for (let pageNumber = 1; ; pageNumber++) {
      const { results } = (await app.get(`/note?pageSize=1000&pageNumber=${pageNumber}`)).body
      if (results.length === 0) break
      for (const { id } of results) there.add(id)
    }
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
  })
})

describe('a connection that the server ends', () => {
  it('while it is idle does not affect requests', async () => {
    const { app, url } = await openNotes()
    const client = await connected(url)
    for (let round = 0; round < 3; round++) {
      expect(await endOthers(client)).toBeGreaterThan(0)
      const responses = await Promise.all([app.get('/note'), app.get('/note/1'), app.get('/note')])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    }
  })

  it('during a read is replaced', async () => {
    const { app, url } = await openNotes()
    const client = await connected(url)
    await client.query('begin; lock table note in access exclusive mode')
    const reads = [app.get('/note'), app.get('/note/1')]
    const watching = await connected(url)
    await expect.poll(() => waiting(watching)).toBe(2)
    await watching.query(endWaiting)
    await client.query('commit')
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('during an unfinished write is also replaced', async () => {
    const { app, url } = await openNotes()
    const [client, watching] = [await connected(url), await connected(url)]
    await client.query('begin; lock table note in exclusive mode')
    const write = app.send('PATCH', '/note/1', { title: 'b' })
    await expect.poll(() => waiting(watching)).toBe(1)
    await watching.query(endWaiting)
    await client.query('commit')
    expect([(await write).status, (await write).body]).toEqual([200, { id: 1, title: 'b' }])
    expect((await app.get('/note/1')).headers.etag).toBe((await write).headers.etag)
  })

  it('before the commit of a delete leaves no changes', async () => {
    const { app, url } = await openNotes()
    const [client, watching] = [await connected(url), await connected(url)]
    await client.query('begin; select from note where id = 1 for update')
    const deleted = app.send('DELETE', '/note/1')
    await expect.poll(() => waiting(watching)).toBe(1)
    await watching.query(endWaiting)
    const { status, body } = await deleted
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(body.detail).not.toContain('the outcome is unknown')
    await client.query('commit')
    expect((await app.get('/note/1')).status).toBe(200)
  })
})

describe('a connection that the network breaks', () => {
  it('during a write leaves the outcome unknown, and the response says so', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const proxy = await proxyTo(url)
    const app = await openService(notes, { database: proxy.url, onFault: () => undefined })
    await app.send('POST', '/note', { title: 'a' })
    // Several connections, so that neither write is sent behind the other on one of them.
    await Promise.all(Array.from({ length: 40 }, () => app.get('/note/1')))
    const [client, watching] = [await connected(url), await connected(url)]
    await client.query('begin; lock table note in exclusive mode')
    const writes = [app.send('POST', '/note', { title: 'b' }), app.send('PATCH', '/note/1', { title: 'b' })]
    await expect.poll(() => waiting(watching)).toBe(2)
    proxy.cut()
    for (const { status, body, headers } of await Promise.all(writes)) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
      expect(body.detail).toContain('the outcome is unknown')
      expect(body.hint).toContain('Idempotency-Key')
    }
    // Restore: the server continues with the statements that it received.
    await client.query('commit')
    await expect.poll(() => app.column('title', '/note')).toEqual(['b', 'b'])
  })

  it('silently is closed after a timeout, and replaced', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const proxy = await proxyTo(url)
    const app = await openService(notes, {
      database: `${proxy.url}&statement_timeout=200`.replace('connect_timeout=60', 'connect_timeout=2'),
      onFault: () => undefined,
    })
    await app.send('POST', '/note', { title: 'a' })
    proxy.dropData()
    // A write that has been swallowed has been done or not; later ones are not even tried.
    expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
    expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
    proxy.cut()
    await expect.poll(async () => (await app.get('/note/1')).status).toBe(200)
    expect((await app.send('PATCH', '/note/1', { title: 'b' })).status).toBe(200)
  })
})

describe('a statement that takes too long', () => {
  it('is canceled: a list is too expensive, other requests can be retried, and the service continues', async () => {
    const { app, url } = await openNotes('&statement_timeout=200')
    const client = await connected(url)
    await client.query('begin; lock table note in access exclusive mode')
    const list = await app.get('/note')
    expect([list.status, list.body.code, list.headers['retry-after']]).toEqual([503, 'too-expensive', undefined])
    expect(list.body.hint).toContain('smaller page number')
    for (const response of [await app.get('/note/1'), await app.send('PATCH', '/note/1', { title: 'b' })]) {
      expect([response.status, response.body.code]).toEqual([503, 'unavailable'])
      expect(response.body.detail).not.toContain('the outcome is unknown')
    }
    await client.query('rollback')
    expect((await app.get('/note')).body.results).toEqual([{ id: 1, title: 'a' }])
  })

  it('delays requests that need its connection by at most five seconds', async () => {
    const { app, url } = await openNotes('&statement_timeout=60000&lock_timeout=60000')
    const client = await connected(url)
    await client.query('begin; lock table note in access exclusive mode')
    const pending = Array.from({ length: 10 }, () => app.get('/note'))
    const watching = await connected(url)
    await expect.poll(() => waiting(watching)).toBe(10)
    const late = await app.get('/note')
    expect([late.status, late.body.code]).toEqual([503, 'unavailable'])
    await client.query('rollback')
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  })
})

describe('a server with few connections', () => {
  it('serves all requests', async () => {
    const server = await startPostgres({ settings: { max_connections: '8', superuser_reserved_connections: '3' } })
    onTestFinished(() => server.remove())
    const url = new URL(await server.createDatabase())
    const client = await connected(url.href)
    await client.query('create role guest login; grant all on schema public to guest')
    await client.end()
    url.username = 'guest'
    const app = await openService(notes, { database: url.href, onFault: () => undefined })
    for (let round = 0; round < 3; round++) {
      const responses = await Promise.all(Array.from({ length: 40 }, () => app.get('/note')))
      expect(responses.map(({ status }) => status)).toEqual(Array(40).fill(200))
    }
  })
})

describe('a read-only server', () => {
  it('causes 503 for writes, and still serves reads', async () => {
    const { app, url } = await openNotes()
    const client = await connected(url)
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database ${name} set default_transaction_read_only = on`)
    await endOthers(client)
    expect((await app.get('/note/1')).status).toBe(200)
    for (const response of [await app.send('POST', '/note', { title: 'b' }), await app.send('DELETE', '/note/1')])
      expect([response.status, response.body.code, response.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database ${name} reset default_transaction_read_only`)
    await endOthers(client)
    // The service may not have noticed yet that a connection has ended; a write on it gets 503.
    await expect.poll(async () => (await app.send('POST', '/note', { title: 'b' })).status).toBe(201)
  })
})

describe('several hosts', () => {
  it('are checked for the one that accepts writes, and again when it changes', async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const name = new URL(await primary.createDatabase()).pathname
    const standby = await startStandby(primary, 'second')
    onTestFinished(() => standby.remove())
    const database = `postgres://nomen@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${name}`
    const app = await openService(notes, { database, onFault: () => undefined })
    expect((await app.send('POST', '/note', { title: 'a' })).status).toBe(201)
    const there = await connected(standby.url(name.slice(1)))
    await expect.poll(async () => (await there.query('select from note')).rowCount).toBe(1)
    await primary.kill()
    expect((await app.send('POST', '/note', { title: 'b' })).status).toBe(503)
    expect((await app.get('/note/1')).status).toBe(503)
    await there.query('select pg_promote()')
    await expect.poll(async () => (await app.send('POST', '/note', { title: 'c' })).status).toBe(201)
    expect(await app.column('title', '/note')).toEqual(['a', 'c'])
  })
})
