// A PostgreSQL server that goes, comes back, hangs or refuses: 503 meanwhile, never a hang, and well again by itself.
import { identity, noun, resource, text } from '@nomen/core'
import { startPostgres, startStandby } from '@nomen/testing/postgres'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { wayTo as openWay, type Way } from '@nomen/testing/way'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Opened, opened, plainApi, serviceOf } from './opened.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

/** The service on a database of its own; `parameters` are added to its address. */
async function served(parameters = ''): Promise<{ app: Opened; url: string }> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const app = await opened(notes, { database: `${url}${parameters}`, onFault: () => undefined })
  await app.ask('POST', '/note', { title: 'a' })
  return { app, url }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Ends all sessions of a database but the one that asks. */
async function endOthers(client: pg.Client): Promise<number> {
  const others = "datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
  const { rowCount } = await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
  return rowCount ?? 0
}

async function waiting(client: pg.Client): Promise<number> {
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rowCount ?? 0
}

const endWaiting =
  "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"

async function wayTo(url: string): Promise<Way> {
  const way = await openWay(url)
  onTestFinished(() => way.close())
  return way
}

const unavailable = (app: Opened) => async () => {
  const answers = await Promise.all([
    app.get('/note'),
    app.get('/note/1'),
    app.ask('POST', '/note', { title: 'b' }),
    app.ask('PATCH', '/note/1', { title: 'b' }),
    app.ask('DELETE', '/note/1'),
  ])
  return answers.map(({ status, body, headers }) => [status, body?.code, headers['retry-after']])
}

describe('a server that is gone', () => {
  it('gives 503 to everything, and is found again when it is back', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const app = await opened(notes, { database: await server.createDatabase(), onFault: () => undefined })
    await app.ask('POST', '/note', { title: 'a' })
    for (const end of ['stop', 'kill'] as const) {
      await server[end]()
      expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
      expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
      await server.start()
      await expect.poll(async () => (await app.get('/note/1')).status, { timeout: 20_000 }).toBe(200)
      expect((await app.get('/note')).body.results).toEqual([{ id: 1, title: 'a' }])
      expect((await app.ask('PATCH', '/note/1', { title: 'a' })).status).toBe(200)
    }
  })

  it('in the middle of many requests loses none that was acknowledged', async () => {
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.remove())
    const app = await opened(notes, { database: await server.createDatabase(), onFault: () => undefined })
    const acknowledged: number[] = []
    const refused: unknown[] = []
    let isOver = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const { status, body } = await app.ask('POST', '/note', { title: 'x' })
        if (status === 201) acknowledged.push(body.id)
        else refused.push([status, body.code])
        if (status === 503) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(50)
    await server.kill()
    await expect.poll(() => refused.length, { timeout: 20_000 }).toBeGreaterThan(8)
    await server.start()
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 50)
    isOver = true
    await Promise.all(writers)
    expect(new Set(refused.map((one) => JSON.stringify(one)))).toEqual(new Set(['[503,"unavailable"]']))
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
  it('while nobody uses it costs nobody anything', async () => {
    const { app, url } = await served()
    const client = await connected(url)
    for (let round = 0; round < 3; round++) {
      expect(await endOthers(client)).toBeGreaterThan(0)
      const answers = await Promise.all([app.get('/note'), app.get('/note/1'), app.get('/note')])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    }
  })

  it('during a read is replaced', async () => {
    const { app, url } = await served()
    const client = await connected(url)
    await client.query('begin; lock table note in access exclusive mode')
    const reads = [app.get('/note'), app.get('/note/1')]
    const watching = await connected(url)
    await expect.poll(() => waiting(watching), { timeout: 10_000 }).toBe(2)
    await watching.query(endWaiting)
    await client.query('commit')
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('during a write that it has not finished is replaced too', async () => {
    const { app, url } = await served()
    const [client, watching] = [await connected(url), await connected(url)]
    await client.query('begin; lock table note in exclusive mode')
    const write = app.ask('PATCH', '/note/1', { title: 'b' })
    await expect.poll(() => waiting(watching), { timeout: 10_000 }).toBe(1)
    await watching.query(endWaiting)
    await client.query('commit')
    expect([(await write).status, (await write).body]).toEqual([200, { id: 1, title: 'b' }])
    expect((await app.get('/note/1')).headers.etag).toBe((await write).headers.etag)
  })

  it('before the commit of a delete means that nothing has changed', async () => {
    const { app, url } = await served()
    const [client, watching] = [await connected(url), await connected(url)]
    await client.query('begin; select from note where id = 1 for update')
    const deleted = app.ask('DELETE', '/note/1')
    await expect.poll(() => waiting(watching), { timeout: 10_000 }).toBe(1)
    await watching.query(endWaiting)
    const { status, body } = await deleted
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(body.detail).not.toContain('may have been done')
    await client.query('commit')
    expect((await app.get('/note/1')).status).toBe(200)
  })
})

describe('a connection that breaks on the way', () => {
  it('during a write leaves the outcome open, and says so', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const way = await wayTo(url)
    const app = await opened(notes, { database: way.url, onFault: () => undefined })
    await app.ask('POST', '/note', { title: 'a' })
    // Several connections, so that neither write is sent behind the other on one of them.
    await Promise.all(Array.from({ length: 40 }, () => app.get('/note/1')))
    const [client, watching] = [await connected(url), await connected(url)]
    await client.query('begin; lock table note in exclusive mode')
    const writes = [app.ask('POST', '/note', { title: 'b' }), app.ask('PATCH', '/note/1', { title: 'b' })]
    await expect.poll(() => waiting(watching), { timeout: 10_000 }).toBe(2)
    way.cut()
    for (const { status, body, headers } of await Promise.all(writes)) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
      expect(body.detail).toContain('may have been done')
      expect(body.hint).toContain('Idempotency-Key')
    }
    // As it was: the server goes on with what it has been told.
    await client.query('commit')
    await expect.poll(() => app.column('title', '/note'), { timeout: 10_000 }).toEqual(['b', 'b'])
  })

  it('without a word is given up after a while, and found again', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const way = await wayTo(url)
    const app = await opened(notes, { database: `${way.url}?statement_timeout=200`, onFault: () => undefined })
    await app.ask('POST', '/note', { title: 'a' })
    way.swallow()
    // A write that has been swallowed has been done or not; later ones are not even tried.
    expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
    expect(await unavailable(app)()).toEqual(Array(5).fill([503, 'unavailable', '1']))
    way.cut()
    await expect.poll(async () => (await app.get('/note/1')).status, { timeout: 20_000 }).toBe(200)
    expect((await app.ask('PATCH', '/note/1', { title: 'b' })).status).toBe(200)
  })
})

describe('a statement that takes too long', () => {
  it('is stopped: a list is too expensive, other requests can be repeated, and the service goes on', async () => {
    const { app, url } = await served('?statement_timeout=200')
    const client = await connected(url)
    await client.query('begin; lock table note in access exclusive mode')
    const list = await app.get('/note')
    expect([list.status, list.body.code, list.headers['retry-after']]).toEqual([503, 'too-expensive', undefined])
    expect(list.body.hint).toContain('smaller page number')
    for (const answer of [await app.get('/note/1'), await app.ask('PATCH', '/note/1', { title: 'b' })]) {
      expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
      expect(answer.body.detail).not.toContain('may have been done')
    }
    await client.query('rollback')
    expect((await app.get('/note')).body.results).toEqual([{ id: 1, title: 'a' }])
  })

  it('holds up nobody for longer than five seconds who needs its connection', { timeout: 60_000 }, async () => {
    const { app, url } = await served('?statement_timeout=60000')
    const client = await connected(url)
    await client.query('begin; lock table note in access exclusive mode')
    const held = Array.from({ length: 10 }, () => app.get('/note'))
    const watching = await connected(url)
    await expect.poll(() => waiting(watching), { timeout: 20_000 }).toBe(10)
    const late = await app.get('/note')
    expect([late.status, late.body.code]).toEqual([503, 'unavailable'])
    await client.query('rollback')
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  })
})

describe('a server that lets few in', () => {
  it('serves all requests by those connections', async () => {
    const server = await startPostgres({ settings: { max_connections: '8', superuser_reserved_connections: '3' } })
    onTestFinished(() => server.remove())
    const url = new URL(await server.createDatabase())
    const client = await connected(url.href)
    await client.query('create role guest login; grant all on schema public to guest')
    await client.end()
    url.username = 'guest'
    const app = await opened(notes, { database: url.href, onFault: () => undefined })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 40 }, () => app.get('/note')))
      expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200))
    }
  })
})

describe('a server that takes no writes', () => {
  it('gives 503 to writes, and reads go on', async () => {
    const { app, url } = await served()
    const client = await connected(url)
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database ${name} set default_transaction_read_only = on`)
    await endOthers(client)
    expect((await app.get('/note/1')).status).toBe(200)
    for (const answer of [await app.ask('POST', '/note', { title: 'b' }), await app.ask('DELETE', '/note/1')])
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    await client.query('set default_transaction_read_only = off')
    await client.query(`alter database ${name} reset default_transaction_read_only`)
    await endOthers(client)
    expect((await app.ask('POST', '/note', { title: 'b' })).status).toBe(201)
  })
})

describe('several hosts', () => {
  it('are asked which of them takes writes, and asked again when it changes', { timeout: 120_000 }, async () => {
    const primary = await startPostgres()
    onTestFinished(() => primary.remove())
    const name = new URL(await primary.createDatabase()).pathname
    const standby = await startStandby(primary, 'second')
    onTestFinished(() => standby.remove())
    const database = `postgres://nomen@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${name}`
    const app = await opened(notes, { database, onFault: () => undefined })
    expect((await app.ask('POST', '/note', { title: 'a' })).status).toBe(201)
    const there = await connected(standby.url(name.slice(1)))
    await expect.poll(async () => (await there.query('select from note')).rowCount, { timeout: 20_000 }).toBe(1)
    await primary.kill()
    expect((await app.ask('POST', '/note', { title: 'b' })).status).toBe(503)
    expect((await app.get('/note/1')).status).toBe(503)
    await there.query('select pg_promote()')
    await expect
      .poll(async () => (await app.ask('POST', '/note', { title: 'c' })).status, { timeout: 30_000 })
      .toBe(201)
    expect(await app.column('title', '/note')).toEqual(['a', 'c'])
  })
})
