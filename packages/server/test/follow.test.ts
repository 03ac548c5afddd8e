// Clients follow changes by long polling and by event streams: in order, without a gap, and only what they may see.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { api, change, identity, integer, noun, operation, resource, text } from '@nomen/core'
import { handle, service, visible } from '@nomen/server'
import { audience } from '@nomen/testing/openid-provider'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bearer, claims, providedOnce, signed } from './issued.ts'
import { openService, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), line: text(), owner: text().nullable() }, { history: true })
const plain = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { children: [resource(change)] }), resource(change)],
})
const notes = service({ name: 'notes', apis: [plain] })

interface Entry {
  readonly id: number
  readonly record: string
  readonly kind: string
}

const newNote = async ({ send }: TestService, line: string, owner: string | null = null) =>
  (await send('POST', '/note', { line, owner })).body.id as number

function nextOf(headers: Readonly<Record<string, string | undefined>>): string {
  return /^<(.*)>; rel="next"$/.exec(`${headers.link}`)?.[1] ?? ''
}

/** A service on a file, and a function that sets the last ID of its history. */
async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-follow-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'notes.db')
  const app = await openService(notes, { database: `sqlite:${path}` })
  const setLastId = (id: number) => {
    const database = new DatabaseSync(path)
    database.exec(
      `delete from "change" where "id" > ${id}; update "sqlite_sequence" set "seq" = ${id} where "name" = 'change'`,
    )
    database.close()
  }
  return { app, setLastId }
}

function asAda(app: TestService): TestService {
  return { ...app, app: { ...app.app, ...app.app.as({ user: 'ada' }) } }
}

/** Reads events one after the other until the test ends. */
async function streamOf({ app }: TestService, path: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await app.fetch(`http://notes${path}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const event = async (): Promise<string | undefined> => {
    while (!text.includes('\n\n')) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
    const [first = '', ...others] = text.split('\n\n')
    text = others.join('\n\n')
    return first
  }
  const entry = async () => {
    for (;;) {
      const next = await event()
      if (next === undefined) return undefined
      const [, data] = /^data: (.*)$/m.exec(next) ?? []
      if (data !== undefined) return JSON.parse(data) as Entry
    }
  }
  return { response, event, entry, abort: () => abort.abort() }
}

describe('long polling', () => {
  it('lists the changes after an ID, the oldest first, page by page', async () => {
    const app = await openService(notes)
    for (const line of ['a', 'b', 'c', 'd', 'e']) await newNote(app, line)
    const lines: unknown[] = []
    let query = '?afterId=0&kind=CREATED&pageSize=2'
    for (let page = 0; page < 4; page++) {
      const { body, headers } = await app.get(`/change${query}`)
      lines.push(body.results.map(({ after }: { after: string }) => JSON.parse(after).line))
      query = nextOf(headers)
    }
    expect(lines).toEqual([['a', 'b'], ['c', 'd'], ['e'], []])
    expect((await app.get(`/change${query}`)).headers.link).toBe(`<${query}>; rel="next"`)
  })

  it('waits for a change that matches', async () => {
    const app = await openService(notes)
    const id = await newNote(app, 'a')
    const start = nextOf((await app.get('/change?wait=0')).headers)
    expect((await app.get(`/change${start}`)).body.results).toEqual([])
    const waiting = app.get(`/change${start.replace('wait=0', 'wait=60')}&record=note/${id}&changedField=line`)
    await newNote(app, 'b')
    await app.send('PATCH', `/note/${id}`, { owner: 'x' })
    await app.send('PATCH', `/note/${id}`, { line: 'c' })
    const { body } = await waiting
    expect(body.results).toMatchObject([{ record: `note/${id}`, fields: 'line' }])
  })

  it('returns an empty list after the time', async () => {
    const app = await openService(notes)
    await newNote(app, 'a')
    const { body, headers } = await app.get('/change?wait=1')
    expect([body.results, nextOf(headers)]).toEqual([[], '?wait=1&afterId=2'])
  })

  it('reads a window of IDs at a time, however many entries do not match', async () => {
    const { app, setLastId } = await openFile()
    setLastId(25_000)
    const { body, headers } = await app.get('/change?afterId=0&record=note/77')
    expect([body.pageInfo.numberOfRecords, nextOf(headers)]).toEqual([0, '?afterId=10000&record=note%2F77'])
  })

  it('does not count a request whose client has gone', async () => {
    const { app } = await openService(notes, { followerLimit: 1 })
    const url = `${await app.listen({ port: 0 })}/change?wait=60`
    await expect(fetch(url, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
    await vi.waitFor(async () => expect((await fetch(url.replace('wait=60', 'wait=1'))).status).toBe(200), 60_000)
  })

  it('is rejected in a transaction, which it would wait for', async () => {
    const counting = operation({ method: 'POST', on: 'collection', response: { number: integer() } })
    const counted = api('notes', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(note, { operations: { counting } }), resource(change)],
    })
    const count = handle(note, counting, ({ transaction }) =>
      transaction(async (call) => ({ number: (await call(counted).change.list({ afterId: 0 })).results.length })),
    )
    const definition = service({ name: 'notes', apis: [counted], handlers: [count] })
    const { send } = await openService(definition, { database: 'sqlite::memory:' })
    const { status, body } = await send('POST', '/note/counting')
    expect([status, body.errors?.[0].parameter]).toEqual([400, 'afterId'])
  })

  it.each([
    ['afterId=9', 'afterId', 'is 9, but the last ID is 2'],
    ['afterId=x', 'afterId', 'must be an integer from 0, not "x"'],
    ['afterId=1&afterId=2', 'afterId', 'was sent 2 times. Send it once'],
    ['afterId=1&wait=61', 'wait', 'must be at most 60, not "61"'],
    ['afterId=1&sort=id', 'sort', 'cannot be combined with afterId or wait'],
    ['wait=1&pageNumber=2', 'pageNumber', 'cannot be combined with afterId or wait'],
  ])('rejects %s', async (query, parameter, detail) => {
    const app = await openService(notes)
    await newNote(app, 'a')
    const { status, body } = await app.get(`/change?${query}`)
    expect([status, body.errors]).toEqual([400, [{ parameter, detail }]])
  })
})

describe('an event stream', () => {
  it('has old and new changes, and continues after the last event', async () => {
    const app = await openService(notes)
    await newNote(app, 'a')
    const { response, event, entry, abort } = await streamOf(app, '/change?afterId=0')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await event()).toBe('retry: 1000\nid: 0')
    expect([(await entry())?.kind, (await entry())?.kind]).toEqual(['STARTED', 'CREATED'])
    await newNote(app, 'b')
    expect(await event()).toMatch(/^id: 3\ndata: \{"id":3,.*"record":"note\/2"/)
    abort()
    await newNote(app, 'c')
    const again = await streamOf(app, '/change?afterId=0', { 'last-event-id': '3' })
    expect((await again.entry())?.record).toBe('note/3')
  })

  it('has new changes only without an ID, of one record if the path names it', async () => {
    const app = await openService(notes)
    const [first, second] = [await newNote(app, 'a'), await newNote(app, 'b')]
    const { entry, event } = await streamOf(app, `/note/${second}/change`)
    await app.send('PATCH', `/note/${first}`, { line: 'x' })
    await app.send('PATCH', `/note/${second}`, { line: 'y' })
    expect(await entry()).toMatchObject({ record: `note/${second}`, kind: 'CHANGED' })
    await app.send('DELETE', `/note/${second}`)
    // The path no longer exists, so the stream ends, with the ID to continue from.
    expect(await event()).toBe('id: 5')
    expect(await event()).toBeUndefined()
    expect((await streamOf(app, `/note/${second}/change`)).response.status).toBe(404)
  })

  it('has only entries of records that the caller sees, as the visibility changes', async () => {
    const own = visible(note, ({ user = '' }) => user === 'root' || { owner: user })
    const app = await openService(service({ name: 'notes', apis: [plain], visibility: [own] }))
    const root = async (method: string, path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const sent = { method, headers, body: JSON.stringify(body) }
      expect((await app.app.as({ user: 'root' }).fetch(`http://notes${path}`, sent)).ok).toBe(true)
    }
    const { entry } = await streamOf(asAda(app), '/change')
    await root('POST', '/note', { line: 'a', owner: 'bob' })
    await root('PATCH', '/note/1', { line: 'b' })
    await root('POST', '/note', { line: 'c', owner: 'ada' })
    expect(await entry()).toMatchObject({ record: 'note/2', kind: 'CREATED' })
    await root('PATCH', '/note/1', { owner: 'ada' })
    expect(await entry()).toMatchObject({ record: 'note/1', kind: 'CHANGED' })
    await root('PATCH', '/note/1', { owner: 'bob' })
    await root('PATCH', '/note/2', { line: 'd' })
    expect(await entry()).toMatchObject({ record: 'note/2', kind: 'CHANGED' })
  })

  it('ends when the service closes, with the ID to continue from', async () => {
    const app = await openService(notes)
    await newNote(app, 'a')
    const { event } = await streamOf(app, '/change')
    expect(await event()).toBe('retry: 1000\nid: 2')
    const polled = app.get('/change?wait=60')
    await pause(20)
    await app.app.close()
    expect([await event(), await event()]).toEqual(['id: 2', undefined])
    expect((await polled).body.results).toEqual([])
  })

  it('is limited in number for each caller, and frees its place when the client leaves', async () => {
    const app = await openService(notes, { followerLimit: 2 })
    const first = await streamOf(app, '/change')
    await streamOf(app, '/change')
    const rejected = await streamOf(app, '/change')
    expect(rejected.response.status).toBe(429)
    const polled = (query: string) => app.app.fetch(`http://notes/change?${query}`)
    expect([(await polled('wait=1')).status, (await polled('afterId=0')).status]).toEqual([429, 200])
    first.abort()
    await expect.poll(async () => (await streamOf(app, '/change')).response.status).toBe(200)
  })

  it('lets other requests run while it reads many IDs without a match', async () => {
    const { app, setLastId } = await openFile()
    setLastId(20_000_000)
    await newNote(app, 'the last entry')
    // The service then knows the last entry, and a stream reads at once.
    await app.get('/change?afterId=20000000&wait=1')
    const { event } = await streamOf(app, '/change?afterId=2')
    await event()
    let hasRead = false
    void event().then(() => {
      hasRead = true
    })
    // Reading takes thousands of turns of the event loop.
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    expect(hasRead).toBe(false)
  })

  it('says how far it has read if that takes long', async () => {
    const { app, setLastId } = await openFile()
    setLastId(25_000)
    const { event } = await streamOf(app, '/change?afterId=2')
    await event()
    const now = performance.now.bind(performance)
    let reads = 0
    // Each look at the clock takes a minute.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ++reads * 60_000)
    onTestFinished(() => clock.mockRestore())
    expect(await event()).toBe('id: 10002')
  })

  it('ends if the database was restored from a backup', async () => {
    const { app, setLastId } = await openFile()
    for (const line of ['a', 'b', 'c']) await newNote(app, line)
    const { event } = await streamOf(app, '/change')
    expect(await event()).toContain('id: 4')
    const next = event()
    setLastId(2)
    expect([await next, await event()]).toEqual(['id: 4', undefined])
  })

  it('counts all addresses of an IPv6 network as one client', async () => {
    const app = await openService(notes, { followerLimit: 1, trustProxy: 1 })
    const from = async (address: string) =>
      (await streamOf(app, '/change', { 'x-forwarded-for': address })).response.status
    expect(await from('2001:db8:0:7::1')).toBe(200)
    expect(await from('2001:db8:0:7::2')).toBe(429)
    expect(await from('2001:db8:0:8::1')).toBe(200)
  })

  it('reports an error after the start', async () => {
    const faults: unknown[] = []
    let isBroken = false
    const failing = visible(note, ({ user }) => {
      if (user === 'ada' && isBroken) throw new Error('broken')
      return true
    })
    const definition = service({ name: 'notes', apis: [plain], visibility: [failing] })
    const app = await openService(definition, { onFault: (_, error) => void faults.push(error) })
    const { event } = await streamOf(asAda(app), '/change')
    await event()
    const next = event()
    isBroken = true
    await newNote(app, 'a')
    await expect(next).rejects.toThrow('broken')
    expect(faults).toMatchObject([{ message: 'broken' }])
  })

  it('is not sent to a client that does not ask for it', async () => {
    const app = await openService(notes)
    for (const accept of ['text/event-stream;q=0', 'application/json', '*/*'])
      expect((await app.get('/change', { accept })).headers['content-type']).toBe('application/json; charset=utf-8')
    for (const id of ['x', '99']) {
      const { body } = await app.get('/change', { accept: 'text/event-stream', 'last-event-id': id })
      expect([body.code, body.detail]).toEqual([
        'invalid-header',
        `Last-Event-ID ${id === 'x' ? '"x"' : id} is not the ID of an event of this service.`,
      ])
    }
  })
})

it('sends an entry that exceeds the limit of a list without its values, and then the next ones', async () => {
  const app = await openService(notes, { listLimit: 2000 })
  await newNote(app, 'x'.repeat(5000))
  await newNote(app, 'a')
  const large = { id: 2, record: 'note/1', kind: 'CREATED', before: null, after: null }
  const { body, headers } = await app.get('/change?afterId=1')
  expect([body.results, nextOf(headers)]).toMatchObject([[large], '?afterId=2'])
  const { entry } = await streamOf(app, '/change?afterId=1')
  expect([await entry(), await entry()]).toMatchObject([large, { id: 3, record: 'note/2' }])
})

describe('after a token has expired', () => {
  const provider = providedOnce()

  it('a waiting request gets no more changes, and a stream ends', async () => {
    const { issuer } = provider()
    const app = await openService(notes, { auth: { issuer, audience, clockSkewSeconds: 0 } })
    const root = bearer(await signed(claims(issuer)))
    await app.send('POST', '/note', { line: 'a', owner: null }, root)
    const short = bearer(await signed(claims(issuer, { exp: Math.floor(Date.now() / 1000) + 3 })))
    const waiting = app.get('/change?wait=30', short)
    const { event } = await streamOf(app, '/change', short)
    expect(await event()).toContain('id: 2')
    await pause(3500)
    await app.send('POST', '/note', { line: 'b', owner: null }, root)
    expect((await waiting).body.results).toEqual([])
    expect([await event(), await event()]).toEqual(['id: 2', undefined])
  })
})
