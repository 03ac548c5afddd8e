// Reads from replicas: callers read their own writes, however far behind a replica is.

import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { handle, type OpenService, open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { type PostgresServer, startPostgres, startStandby } from '@nomen/testing/postgres'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const note = noun('note', { id: identity(), name: text().unique() })
const renaming = operation({
  method: 'POST',
  on: 'record',
  body: { name: text() },
  response: { name: text(), before: text() },
})
const pair = operation({ method: 'POST', on: 'record', body: { name: text() }, response: { names: text() } })
const noted = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { list: ['id', 'name'], operations: { renaming, pair } })],
})
const notes = service({
  name: 'notes',
  apis: [noted],
  handlers: [
    handle(note, renaming, async ({ key, record, body, call, caller }) => {
      const { name: before } = await call(noted, { ...caller, user: 'one' }).note.read(key)
      expect(before).toBe(record.name)
      await call(noted).note.update(key, { name: body.name })
      return { ...(await call(noted, { ...caller, user: 'another' }).note.read(key)), before }
    }),
    handle(note, pair, async ({ key, body, call, transaction }) => {
      const { id } = await transaction(async (inner) => {
        await inner(noted).note.update(key, { name: `${body.name} one` })
        return inner(noted).note.create({ name: `${body.name} two` })
      })
      return { names: `${(await call(noted).note.read(key)).name}, ${(await call(noted).note.read(id)).name}` }
    }),
  ],
})

let primary: PostgresServer
let standby: PostgresServer

beforeAll(async () => {
  primary = await startPostgres()
  standby = await startStandby(primary, 'second')
})

afterAll(async () => {
  await standby.remove()
  await primary.remove()
})

async function query(server: PostgresServer, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.url())
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** A database that both servers have. */
async function createDatabase(): Promise<string> {
  const database = await primary.createDatabase()
  const statement = `select from pg_database where datname = '${new URL(database).pathname.slice(1)}'`
  await expect.poll(async () => (await query(standby, statement)).length).toBe(1)
  return database
}

/** From now on the replica stays as it is, until it goes on or the test is over. */
async function pauseReplay(): Promise<void> {
  await query(standby, 'select pg_wal_replay_pause()')
  onTestFinished(resumeReplay)
  const state = async () => (await query(standby, 'select pg_get_wal_replay_pause_state() as state'))[0]?.state
  await expect.poll(state).toBe('paused')
}

async function resumeReplay(): Promise<void> {
  await query(standby, 'select pg_wal_replay_resume()')
}

class Caller {
  readonly #app: OpenService
  readonly #address: string

  constructor(app: OpenService, address: string) {
    this.#app = app
    this.#address = address
  }

  send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown, headers: Record<string, string> = {}) {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    return inject(this.#app, {
      method,
      url,
      headers: { ...type, ...headers },
      remoteAddress: this.#address,
      ...payload,
    })
  }

  async create(name: string): Promise<number> {
    const response = await this.send('POST', '/note', { name })
    expect(response.statusCode).toBe(201)
    return response.json().id
  }

  /** The name of a note; undefined if it does not exist. */
  async nameOf(id: number, headers?: Record<string, string>): Promise<string | undefined> {
    const response = await this.send('GET', `/note/${id}`, undefined, headers)
    expect([200, 404]).toContain(response.statusCode)
    return response.json().name
  }

  async names(): Promise<string[]> {
    const response = await this.send('GET', '/note')
    expect(response.statusCode).toBe(200)
    return response.json().results.map(({ name }: { name: string }) => name)
  }
}

interface OpenedInstance {
  readonly app: OpenService
  /** The application name of the instance on the replica. */
  readonly name: string
  /** The reports about replicas. */
  readonly messages: string[]
}

let instances = 0

/** An instance with the replica. */
async function openNotes(database: string): Promise<OpenedInstance> {
  const messages: string[] = []
  const name = `instance${++instances}`
  const databaseRead = `${standby.url(new URL(database).pathname.slice(1))}?application_name=${name}`
  const app = await open(notes, { database, databaseRead, onFault: (message) => messages.push(message) })
  onTestFinished(() => app.close())
  return { app, name, messages }
}

/** A note that both servers have; callers that have not written read it from the replica. */
async function replicated({ app, name: instance }: OpenedInstance, name: string): Promise<number> {
  const id = await new Caller(app, '10.0.0.99').create(name)
  const activity = `select from pg_stat_activity where application_name = '${instance}' and query like '%"note"%'`
  const readFromReplica = async () => {
    const shown = await new Caller(app, '10.0.0.98').nameOf(id)
    return (await query(standby, activity)).length > 0 ? shown : undefined
  }
  await expect.poll(readFromReplica).toBe(name)
  return id
}

describe('a read replica', () => {
  it('shows callers their own writes, and others the state of the replica', async () => {
    const instance = await openNotes(await createDatabase())
    const { app, messages } = instance
    const id = await replicated(instance, 'first')
    const [writer, other] = [new Caller(app, '10.0.0.1'), new Caller(app, '10.0.0.2')]
    await pauseReplay()
    await writer.send('PATCH', `/note/${id}`, { name: 'changed' })
    const second = await writer.create('second')
    expect(await writer.names()).toEqual(['changed', 'second'])
    expect(await writer.nameOf(id)).toBe('changed')
    expect(await other.names()).toEqual(['first'])
    expect(await other.nameOf(second)).toBeUndefined()
    await resumeReplay()
    await expect.poll(() => other.names()).toEqual(['changed', 'second'])
    expect(messages).toEqual([])
  })

  it('serves a caller again once it has the writes of the caller', async () => {
    const instance = await openNotes(await createDatabase())
    const { app } = instance
    const writer = new Caller(app, '10.0.0.1')
    const id = await replicated(instance, 'first')
    await writer.send('PATCH', `/note/${id}`, { name: 'changed' })
    const isBack = async () => {
      await pauseReplay()
      const name = `${Math.random()}`
      await new Caller(app, '10.0.0.2').send('PATCH', `/note/${id}`, { name })
      const shown = await writer.nameOf(id)
      await resumeReplay()
      return shown !== name
    }
    await expect.poll(isBack).toBe(true)
  })

  it('serves requests of another instance with the header from the response to the write', async () => {
    const database = await createDatabase()
    const [here, there] = [await openNotes(database), await openNotes(database)]
    const id = await replicated(here, 'first')
    await replicated(there, 'second')
    await pauseReplay()
    const changed = await new Caller(here.app, '10.0.0.1').send('PATCH', `/note/${id}`, { name: 'changed' })
    const reader = new Caller(there.app, '10.0.0.1')
    const position = `${changed.headers['x-read-after']}`
    expect(position).toMatch(/^1-[0-9A-F]+\/[0-9A-F]+$/)
    expect(await reader.nameOf(id)).toBe('first')
    expect(await reader.nameOf(id, { 'x-read-after': position })).toBe('changed')
    for (const broken of ['', '0', 'now', '1-0/0/0', `${position}x`, '-1/0', '1-123456789/0', position.slice(2)])
      expect(await reader.nameOf(id, { 'x-read-after': broken }), broken).toBe('first')
    expect(await reader.nameOf(id, { 'x-read-after': '0/1' })).toBe('first')
  })

  it('is still used if a client invents a position ahead of the primary', async () => {
    const database = await createDatabase()
    const [here, there] = [await openNotes(database), await openNotes(database)]
    const id = await replicated(here, 'first')
    await replicated(there, 'second')
    await pauseReplay()
    const writer = new Caller(here.app, '10.0.0.1')
    const [, low = ''] =
      `${(await writer.send('PATCH', `/note/${id}`, { name: 'one' })).headers['x-read-after']}`.split('/')
    const reader = new Caller(there.app, '10.0.0.1')
    for (const ahead of ['1-FFFFFFFF/FFFFFFFF', `1-FF/${low}`, '1-0/FFFFFFFF', '2-0/0'])
      expect(await reader.nameOf(id, { 'x-read-after': ahead }), ahead).toBe('first')
    // A position of another instance is believed though it is new, also among many that are made up.
    for (let round = 0; round < 20; round++) {
      const name = `round ${round}`
      const forged = Array.from({ length: 20 }, () => reader.nameOf(id, { 'x-read-after': '1-FFFFFFFF/FFFFFFFF' }))
      const changed = await writer.send('PATCH', `/note/${id}`, { name })
      const more = Array.from({ length: 20 }, () => reader.nameOf(id, { 'x-read-after': '1-FFFFFFFF/FFFFFFFF' }))
      expect(await reader.nameOf(id, { 'x-read-after': `${changed.headers['x-read-after']}` })).toBe(name)
      expect(new Set(await Promise.all([...forged, ...more]))).toEqual(new Set(['first']))
    }
  })

  it('is documented by a service with replicas; one without replicas still sends positions', async () => {
    const database = await createDatabase()
    const there = await openNotes(database)
    const here = await open(notes, { database, databaseRead: 'elsewhere' })
    onTestFinished(() => here.close())
    const id = await replicated(there, 'first')
    await pauseReplay()
    const [writer, reader] = [new Caller(here, '10.0.0.1'), new Caller(there.app, '10.0.0.1')]
    const changed = await writer.send('PATCH', `/note/${id}`, { name: 'changed' })
    expect(await reader.nameOf(id)).toBe('first')
    expect(await reader.nameOf(id, { 'x-read-after': `${changed.headers['x-read-after']}` })).toBe('changed')
    expect(await writer.nameOf(id)).toBe('changed')
    for (const app of [here, there.app]) {
      const { paths, components } = (await inject(app, '/openapi.json')).json()
      const { get, patch } = paths['/note/{id}']
      expect(get.parameters).toContainEqual({ $ref: '#/components/parameters/ReadAfter' })
      expect(patch.responses[200].headers['X-Read-After']).toEqual({ $ref: '#/components/headers/ReadAfter' })
      expect([components.parameters.ReadAfter.name, components.headers.ReadAfter]).toEqual([
        'X-Read-After',
        expect.anything(),
      ])
    }
  })

  it('shows a custom operation its own writes, and its caller by the header', async () => {
    const database = await createDatabase()
    const [here, there] = [await openNotes(database), await openNotes(database)]
    const id = await replicated(here, 'first')
    await replicated(there, 'second')
    await pauseReplay()
    const changed = await new Caller(here.app, '10.0.0.1').send('POST', `/note/${id}/renaming`, { name: 'changed' })
    expect([changed.statusCode, changed.json()]).toEqual([200, { name: 'changed', before: 'first' }])
    const reader = new Caller(there.app, '10.0.0.1')
    expect(await reader.nameOf(id)).toBe('first')
    expect(await reader.nameOf(id, { 'x-read-after': `${changed.headers['x-read-after']}` })).toBe('changed')
    const again = await new Caller(there.app, '10.0.0.3').send('POST', `/note/${id}/renaming`, { name: 'again' })
    expect(again.json()).toEqual({ name: 'again', before: 'changed' })
    const response = await new Caller(here.app, '10.0.0.2').send('POST', `/note/${id}/renaming`, { name: 'second' })
    expect([response.statusCode, response.headers['x-read-after']]).toEqual([409, expect.any(String)])
  })

  it('shows a transaction to the operation, its caller, and others by the header', async () => {
    const database = await createDatabase()
    const [here, there] = [await openNotes(database), await openNotes(database)]
    const id = await replicated(here, 'first')
    await replicated(there, 'second')
    await pauseReplay()
    const writer = new Caller(here.app, '10.0.0.1')
    const paired = await writer.send('POST', `/note/${id}/pair`, { name: 'both' })
    expect([paired.statusCode, paired.json()]).toEqual([200, { names: 'both one, both two' }])
    expect(await writer.nameOf(id)).toBe('both one')
    const reader = new Caller(there.app, '10.0.0.1')
    expect(await reader.nameOf(id)).toBe('first')
    expect(await reader.nameOf(id, { 'x-read-after': `${paired.headers['x-read-after']}` })).toBe('both one')
  })

  it('shows the record that caused a rejection', async () => {
    const instance = await openNotes(await createDatabase())
    const { app } = instance
    const id = await replicated(instance, 'first')
    const [writer, rejected, late] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map(
      (address) => new Caller(app, address),
    ) as [Caller, Caller, Caller]
    const before = await late.send('GET', `/note/${id}`)
    await pauseReplay()
    await writer.send('PATCH', `/note/${id}`, { name: 'taken' })
    const conflict = await rejected.send('POST', '/note', { name: 'taken' })
    expect([conflict.statusCode, conflict.headers['x-read-after']]).toEqual([409, expect.any(String)])
    expect(await rejected.names()).toEqual(['taken'])
    const changed = await late.send('PATCH', `/note/${id}`, { name: 'x' }, { 'if-match': `${before.headers.etag}` })
    expect(changed.statusCode).toBe(412)
    expect(await late.nameOf(id)).toBe('taken')
    expect((await writer.send('DELETE', `/note/${id}`)).headers['x-read-after']).toEqual(expect.any(String))
    expect((await rejected.send('DELETE', `/note/${id}`)).statusCode).toBe(404)
    expect(await rejected.nameOf(id)).toBeUndefined()
  })

  it('shows everything that was written before an instance started', async () => {
    const database = await createDatabase()
    const before = await openNotes(database)
    const id = await replicated(before, 'first')
    await pauseReplay()
    await new Caller(before.app, '10.0.0.1').send('PATCH', `/note/${id}`, { name: 'changed' })
    const after = await openNotes(database)
    expect(await new Caller(after.app, '10.0.0.1').names()).toEqual(['changed'])
  })

  it('that fails is skipped, and used again when it is back; both are reported once', async () => {
    const instance = await openNotes(await createDatabase())
    const { app, messages } = instance
    const id = await replicated(instance, 'first')
    const reader = new Caller(app, '10.0.0.1')
    await standby.kill()
    for (let times = 0; times < 20; times++) expect(await reader.nameOf(id)).toBe('first')
    await expect.poll(() => messages).toHaveLength(1)
    expect(messages[0]).toBe(
      `The read replica 127.0.0.1:${standby.port} is unavailable (connect ECONNREFUSED 127.0.0.1:${standby.port}). Reads use other replicas or the primary.`,
    )
    await standby.start()
    await expect.poll(() => messages).toHaveLength(2)
    expect(messages[1]).toBe(`The read replica 127.0.0.1:${standby.port} is available again.`)
    await pauseReplay()
    await new Caller(app, '10.0.0.2').send('PATCH', `/note/${id}`, { name: 'changed' })
    expect(await reader.nameOf(id)).toBe('first')
  })

  it('that does not respond is skipped', async () => {
    const instance = await openNotes(await createDatabase())
    const { app, messages } = instance
    const id = await replicated(instance, 'first')
    standby.freeze()
    onTestFinished(() => standby.thaw())
    const readers = Array.from({ length: 10 }, (_, at) => new Caller(app, `10.0.1.${at}`))
    expect(await Promise.all(readers.map((reader) => reader.nameOf(id)))).toEqual(readers.map(() => 'first'))
    await expect.poll(() => messages).toHaveLength(1)
    standby.thaw()
    await expect.poll(() => messages).toHaveLength(2)
  })

  it('that is not a standby is not used', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const messages: string[] = []
    const app = await open(notes, { database: url, databaseRead: url, onFault: (message) => messages.push(message) })
    onTestFinished(() => app.close())
    const caller = new Caller(app, '10.0.0.1')
    await caller.create('first')
    expect(await new Caller(app, '10.0.0.2').names()).toEqual(['first'])
    expect(messages).toEqual([expect.stringContaining('the server is not a standby')])
  })

  it('is rejected with SQLite, and must be a PostgreSQL URL', async () => {
    const databaseRead = 'postgres://nomen@127.0.0.1:1/x'
    await expect(open(notes, { database: 'sqlite::memory:', databaseRead })).rejects.toThrow(
      '--database-read (DATABASE_READ_URL) can be used only with a PostgreSQL database',
    )
    const wrong = open(notes, { database: databaseRead, databaseRead: 'mysql://me:secret@host/x' })
    await expect(wrong).rejects.toThrow(
      /^(?!.*secret).*--database-read \(DATABASE_READ_URL\) must be a PostgreSQL URL or the word elsewhere, not "mysql:…"/s,
    )
  })
})
