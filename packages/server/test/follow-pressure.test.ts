// Event streams under pressure: clients that do not read, streams without changes, and an overloaded service.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { api, change, identity, noun, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { rule, service } from '@nomen/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openService, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), line: text({ maxLength: 200_000 }) }, { history: true })
const plain = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note), resource(change)] })
const notes = service({ name: 'notes', apis: [plain] })

const numberOfFollowers = async ({ get }: TestService) =>
  Number(/^nomen_http_followers (\d+)$/m.exec((await get('/metrics')).text)?.[1])

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The bytes of all buffers that are in use. */
function bufferBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** Opens a stream in process, and returns a function that reads its next chunk. */
async function streamOf({ app }: TestService, path: string) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const headers = { accept: 'text/event-stream' }
  const { body } = await app.fetch(`http://notes${path}`, { headers, signal: abort.signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  return async () => (await reader?.read())?.value
}

it('a client that does not read is disconnected, and holds up neither writers nor other clients', async () => {
  const app = await openService(notes, { timeouts: { idleMs: 2000 } })
  const url = new URL(await app.app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write('GET /change?afterId=0 HTTP/1.1\r\nHost: notes\r\nAccept: text/event-stream\r\n\r\n')
  await expect.poll(() => numberOfFollowers(app)).toBe(1)
  const line = 'x'.repeat(150_000)
  const other = await streamOf(app, '/change')
  await other()
  for (let count = 0; count < 60; count++) expect((await app.send('POST', '/note', { line })).status).toBe(201)
  let received = ''
  while (!received.includes('note/60')) received += await other()
  await expect.poll(() => numberOfFollowers(app), { timeout: 20_000 }).toBe(1)
})

it('a client that does not read keeps a part of the changes in memory, and gets all of them later', async () => {
  const app = await openService(notes)
  const url = new URL(await app.app.listen({ port: 0 }))
  const socket = connect(Number(url.port), url.hostname)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write('GET /change?afterId=0 HTTP/1.1\r\nHost: notes\r\nAccept: text/event-stream\r\n\r\n')
  await expect.poll(() => numberOfFollowers(app)).toBe(1)
  const [numberOfNotes, line] = [500, 'x'.repeat(100_000)]
  const before = bufferBytes()
  for (let count = 0; count < numberOfNotes; count++) await app.send('POST', '/note', { line })
  // Node releases the memory of collected buffers in the background.
  await expect.poll(() => bufferBytes() - before).toBeLessThan((numberOfNotes * line.length) / 2)
  let received = 0
  socket.on('data', (bytes) => {
    received += bytes.length
  })
  socket.resume()
  await expect.poll(() => received).toBeGreaterThan(numberOfNotes * line.length)
})

it('a stream without changes sends its position every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await openService(notes)
  const read = await streamOf(app, '/change')
  expect(await read()).toBe('retry: 1000\nid: 1\n\n')
  let isRead = false
  const next = read().finally(() => {
    isRead = true
  })
  await vi.advanceTimersByTimeAsync(14_000)
  expect(isRead).toBe(false)
  await vi.advanceTimersByTimeAsync(2000)
  expect(await next).toBe('id: 1\n\n')
})

it('streams end while the service is overloaded, and clients continue after it', async () => {
  const slow = rule(note, () => {
    for (const end = performance.now() + 10; performance.now() < end; );
    return undefined
  })
  const app = await openService(service({ name: 'notes', apis: [plain], rules: [slow] }), { waitLimitMs: 100 })
  const endings: string[] = []
  let delayMs = 0
  const caller = client<typeof plain>({
    baseUrl: 'http://notes',
    fetch: async (url, request) => {
      const response = await app.app.fetch(url, request)
      const record = new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          const [, retry] = /^retry: (\d+)\n/.exec(new TextDecoder().decode(bytes)) ?? []
          if (retry !== undefined && retry !== '1000') {
            endings.push(retry)
            delayMs = Number(retry)
            // The client of this test does not wait for seconds.
            controller.enqueue(new TextEncoder().encode(new TextDecoder().decode(bytes).replace(retry, '1')))
          } else controller.enqueue(bytes)
        },
      })
      return new Response(response.body?.pipeThrough(record), response)
    },
  })
  const seen: string[] = []
  const abort = new AbortController()
  const following = (async () => {
    for await (const { record, kind } of caller.change.follow({ afterId: 1 }, { signal: abort.signal }))
      if (kind === 'CREATED') seen.push(`${record}`)
  })().catch(() => {})
  onTestFinished(() => abort.abort())
  let created = 0
  const writer = async () => {
    while (endings.length === 0) {
      const { status } = await app.send('POST', '/note', { line: 'a' })
      if (status === 201) created++
      else await pause(5)
    }
  }
  await Promise.all(Array.from({ length: 60 }, writer))
  expect(delayMs).toBeGreaterThanOrEqual(5000)
  expect(delayMs).toBeLessThanOrEqual(15_000)
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(created)
  expect(new Set(seen)).toEqual(new Set(Array.from({ length: created }, (_, index) => `note/${index + 1}`)))
  abort.abort()
  await following
})
