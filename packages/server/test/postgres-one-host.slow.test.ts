// One host in the URL that leads to different servers over time: a virtual IP address, a DNS name, a load balancer.
import { identity, noun, resource, text } from '@nomen/core'
import { type FaultyProxy, startProxy } from '@nomen/testing/faulty-proxy'
import { type PostgresServer, startPostgres, startStandby } from '@nomen/testing/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])

let primary: PostgresServer
let standby: PostgresServer
const names: string[] = []

beforeAll(async () => {
  primary = await startPostgres()
  for (let number = 0; number < 3; number++) names.push(new URL(await primary.createDatabase()).pathname.slice(1))
  standby = await startStandby(primary, 'second')
})

afterAll(async () => {
  await standby.remove()
  await primary.remove()
})

/** One address for both servers, which leads to the primary at first, and the name of a database of its own. */
async function oneAddress(): Promise<{ proxy: FaultyProxy; name: string }> {
  const name = names.pop() ?? ''
  const proxy = await startProxy(primary.url(name))
  onTestFinished(() => proxy.close())
  return { proxy, name }
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function openNotes(database: string): Promise<{ app: TestService; messages: string[] }> {
  const messages: string[] = []
  const app = await openService(notes, { database, onFault: (message) => messages.push(message) })
  return { app, messages }
}

function create(app: TestService, title: string): Promise<number> {
  return app.send('POST', '/note', { title }).then(({ status }) => status)
}

async function ready(app: TestService): Promise<unknown[]> {
  const { status, body } = await app.get('/health/ready')
  return [status, body.status, body.parts.database.detail]
}

const readOnly = [200, 'degraded', 'The database accepts only reads.']
const readWrite = [200, 'ok', undefined]

/** Waits until the standby has the first note. */
async function waitForNote(name: string): Promise<void> {
  const count = () => query(standby.url(name), 'select count(*)::int as number from note').catch(() => [])
  await expect.poll(async () => (await count())[0]?.number).toBe(1)
}

describe('one host', () => {
  it('that leads to a standby serves reads, and writes again as soon as it leads to the primary', async () => {
    const { proxy, name } = await oneAddress()
    const { app, messages } = await openNotes(proxy.url)
    expect([await create(app, 'a'), await ready(app)]).toEqual([201, readWrite])
    await waitForNote(name)
    proxy.switchTo(standby.url())
    proxy.cut()
    await expect.poll(() => ready(app)).toEqual(readOnly)
    const { status, body, headers } = await app.send('POST', '/note', { title: 'b' })
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect(await app.column('title', '/note')).toEqual(['a'])
    // Connections to the standby stay open.
    proxy.switchTo(primary.url())
    await expect.poll(() => create(app, 'c')).toBe(201)
    expect(await app.column('title', '/note')).toEqual(['a', 'c'])
    await expect.poll(() => ready(app)).toEqual(readWrite)
    expect(messages.filter((message) => message.startsWith('The database server'))).toEqual([
      'The database server accepts only reads: it is a standby, or read-only by a setting. Writes get 503.',
      'The database server accepts writes again.',
    ])
  })

  it('whose server is made read-only by a setting serves reads, until the setting is removed', async () => {
    const { proxy } = await oneAddress()
    const { app } = await openNotes(proxy.url)
    expect(await create(app, 'a')).toBe(201)
    const configure = async (statement: string) => {
      await query(primary.url(), statement)
      await query(primary.url(), 'select pg_reload_conf()')
    }
    // Open connections become read-only, too.
    await configure('alter system set default_transaction_read_only = on')
    await expect.poll(() => create(app, 'b')).toBe(503)
    await expect.poll(() => ready(app)).toEqual(readOnly)
    expect((await app.get('/note/1')).status).toBe(200)
    await configure('alter system reset default_transaction_read_only')
    await expect.poll(() => create(app, 'c')).toBe(201)
    await expect.poll(() => ready(app)).toEqual(readWrite)
  })

  it('that leads to a standby at start writes after its promotion, and never to the replaced primary', async () => {
    const { proxy, name } = await oneAddress()
    expect(await create((await openNotes(proxy.url)).app, 'a')).toBe(201)
    await waitForNote(name)
    proxy.switchTo(standby.url())
    const { app, messages } = await openNotes(proxy.url)
    expect([await ready(app), await create(app, 'b')]).toEqual([readOnly, 503])
    expect(await app.column('title', '/note')).toEqual(['a'])
    expect(messages[0]).toContain('The database server accepts only reads')
    await query(standby.url(), 'select pg_promote()')
    await expect.poll(() => create(app, 'c')).toBe(201)
    proxy.switchTo(primary.url())
    proxy.cut()
    await expect.poll(() => create(app, 'lost')).toBe(503)
    expect((await app.get('/note/1')).status).toBe(503)
    proxy.switchTo(standby.url())
    await expect.poll(() => create(app, 'd')).toBe(201)
    expect(await query(primary.url(name), 'select title from note')).toEqual([{ title: 'a' }])
  })
})
