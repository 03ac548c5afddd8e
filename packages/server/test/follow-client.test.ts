// follow() of the client: all changes in order, over interruptions, and an error if there is no stream.

import { api, change, identity, noun, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { service } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { openService, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), line: text() }, { history: true })
const plain = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note), resource(change)] })
const notes = service({ name: 'notes', apis: [plain] })

const newNote = ({ send }: TestService, line: string) => send('POST', '/note', { line })

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

  it('has all characters of a string', async () => {
    const app = await openService(notes)
    const line = 'a\u2028id: 7\u2029data: b\r\n\n\u0085é😀'
    await newNote(app, line)
    const caller = client<typeof plain>({ baseUrl: 'http://notes', fetch: app.app.fetch })
    const changes = caller.change.follow({ afterId: 1 })
    expect(JSON.parse(`${(await changes.next()).value?.after}`).line).toBe(line)
    await changes.return(undefined)
  })

  it.each(['a stream', 'a change', 'a retry'])('ends at once while it waits for %s', async (state) => {
    const app = await openService(notes)
    const [opened, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()]
    const caller = client<typeof plain>({
      baseUrl: 'http://notes',
      fetch: async (url, request) => {
        request.signal?.addEventListener('abort', ended.resolve)
        opened.resolve()
        return state === 'a retry'
          ? new Response('', { status: 503, headers: { 'retry-after': '60' } })
          : app.app.fetch(url, request)
      },
    })
    await newNote(app, 'a')
    const changes = caller.change.follow({ afterId: 1 })
    if (state === 'a change') expect((await changes.next()).value?.kind).toBe('CREATED')
    const next = changes.next()
    await opened.promise
    expect(await changes.return('done')).toEqual({ done: true, value: 'done' })
    expect(await next).toEqual({ done: true, value: undefined })
    await ended.promise
  })

  it('waits longer and longer if streams end after their first event', async () => {
    let connections = 0
    const caller = client<typeof plain>({
      baseUrl: 'http://notes',
      fetch: async () => {
        connections++
        return new Response('retry: 1000\nid: 5\n\n', { headers: { 'content-type': 'text/event-stream' } })
      },
    })
    await expect(caller.change.follow({}, { signal: AbortSignal.timeout(2000) }).next()).rejects.toThrow()
    expect(connections).toBeLessThan(7)
  })

  it('rejects a response that is not a stream, such as a page of a proxy', async () => {
    const fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
    const caller = client<typeof plain>({ baseUrl: 'http://notes', fetch })
    await expect(caller.change.follow().next()).rejects.toThrow('has the Content-Type text/html')
  })

  it('rejects with the problem of a request that the service rejects', async () => {
    const app = await openService(notes)
    const caller = client<typeof plain>({ baseUrl: 'http://notes', fetch: app.app.fetch })
    await expect(caller.change.follow({ afterId: 99 }).next()).rejects.toThrow('but the last ID is')
  })
})
