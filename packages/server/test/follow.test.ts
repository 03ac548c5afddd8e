// Clients follow changes by long polling and by event streams: in order, without a gap, and only what they may see.

import { setTimeout as pause } from 'node:timers/promises'
import { api, change, identity, noun, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { service, visible } from '@nomen/server'
import { describe, expect, it, onTestFinished } from 'vitest'
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
    const app = await openService(notes)
    await newNote(app, 'a')
    const { body, headers } = await app.get('/change?afterId=0&record=note/77')
    expect([body.pageInfo.numberOfRecords, nextOf(headers)]).toEqual([0, '?afterId=2&record=note%2F77'])
  })

  it.each([
    ['afterId=9', 'afterId', 'is 9, but the last ID is 2'],
    ['afterId=x', 'afterId', 'must be an integer from 0, not "x"'],
    ['afterId=1&afterId=2', 'afterId', 'was sent 2 times. Send it once'],
    ['afterId=1&wait=61', 'wait', 'must be at most 60, not "61"'],
    ['afterId=1&sort=id', 'sort', 'cannot be combined with afterId or wait'],
    ['wait=1&pageNumber=2', 'pageNumber', 'cannot be combined with afterId or wait'],
  ])('refuses %s', async (query, parameter, detail) => {
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
    const { entry } = await streamOf({ ...app, app: { ...app.app, ...app.app.as({ user: 'ada' }) } }, '/change')
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
    const refused = await streamOf(app, '/change')
    expect(refused.response.status).toBe(429)
    const polled = (query: string) => app.app.fetch(`http://notes/change?${query}`)
    expect([(await polled('wait=1')).status, (await polled('afterId=0')).status]).toEqual([429, 200])
    first.abort()
    await expect.poll(async () => (await streamOf(app, '/change')).response.status).toBe(200)
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

describe('follow() of the client', () => {
  it('iterates over changes, and continues where a connection was cut', async () => {
    const app = await openService(notes)
    await newNote(app, 'a')
    let connections = 0
    const caller = client<typeof plain>({
      baseUrl: 'http://notes',
      fetch: async (url, request) => {
        const response = await app.app.fetch(url, request)
        connections++
        if (connections > 3 || !response.body) return response
        // Cut off after two chunks: the greeting and one batch of events.
        const reader = response.body.getReader()
        let chunks = 0
        const cut = new ReadableStream({
          pull: async (controller) => {
            const { value } = await reader.read()
            controller.enqueue(value)
            if (++chunks < 2) return
            await reader.cancel()
            controller.error(new TypeError('terminated'))
          },
        })
        return new Response(cut, response)
      },
    })
    const abort = new AbortController()
    const seen: number[] = []
    const following = (async () => {
      for await (const { id } of caller.change.follow({ afterId: 1 }, { signal: abort.signal })) {
        seen.push(id)
        if (id < 6) await newNote(app, `n${id}`)
        else abort.abort(new Error('enough'))
      }
    })()
    await expect(following).rejects.toThrow('enough')
    expect([seen, connections]).toEqual([[2, 3, 4, 5, 6], 4])
  })

  it('rejects with the problem of a request that the service refuses', async () => {
    const app = await openService(notes)
    const caller = client<typeof plain>({ baseUrl: 'http://notes', fetch: app.app.fetch })
    await expect(caller.change.follow({ afterId: 99 }).next()).rejects.toThrow('but the last ID is')
  })
})
