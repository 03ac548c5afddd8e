// Several requests on one connection, sent before their responses come: one is served at a time, in order.

import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { api, identity, integer, noun, operation, resource, text } from '@nomen/core'
import { handle, type OpenService, type Settings, service } from '@nomen/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService } from './test-service.ts'

/** How many requests of a connection may wait while one is served. */
const mostWaiting = 64

const note = noun('note', { id: identity(), value: integer().default(0), words: text().default('') })
const gate = operation({ method: 'POST', on: 'collection', response: { turn: integer() } })
const notes = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { pageSize: { default: 10, maximum: 1000 }, operations: { gate } })],
})

/** A service whose operation POST /note/gate waits until it is opened. */
async function started(settings: Partial<Settings> = {}) {
  const waiting: (() => void)[] = []
  let begun = 0
  const handlers = [
    handle(note, gate, async () => {
      const turn = ++begun
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { turn }
    }),
  ]
  const { app, send, get } = await openService(service({ name: 'notes', apis: [notes], handlers }), {
    listLimit: 64 * 1024 * 1024,
    ...settings,
  })
  onTestFinished(() => waiting.forEach((open) => void open()))
  const base = new URL(await app.listen({ port: 0 }))
  return { app, send, get, base, numberBegun: () => begun, openGate: () => waiting.shift()?.() }
}

async function connection(base: URL): Promise<Socket> {
  const socket = connect(Number(base.port), base.hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

interface Response {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Reads all responses that are whole, or `number` of them; each has a Content-Length. */
async function responses(socket: Socket, number = Number.POSITIVE_INFINITY): Promise<Response[]> {
  const all: Response[] = []
  let rest = Buffer.alloc(0)
  while (all.length < number) {
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.subarray(0, end).toString().toLowerCase()
    const length = head.startsWith('http/1.1 100 ') ? 0 : Number(/content-length: (\d+)/.exec(head)?.[1])
    if (end !== -1 && rest.length >= end + 4 + length) {
      const body = rest.subarray(end + 4, end + 4 + length).toString()
      all.push({ status: Number(head.slice(9, 12)), head, body })
      rest = rest.subarray(end + 4 + length)
      continue
    }
    const more = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => undefined)])
    if (!more) break
    rest = Buffer.concat([rest, more[0] as Buffer])
  }
  return all
}

function request(method: string, path: string, body?: unknown, headers: readonly string[] = []): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const bodyHeaders = body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${text.length}`]
  return `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...bodyHeaders, ...headers].join('\r\n')}\r\n\r\n${text}`
}

const statuses = (all: readonly Response[]) => all.map(({ status }) => status)

/** Records whose list is larger than what a connection takes ahead. */
async function fill(send: Awaited<ReturnType<typeof started>>['send'], number: number): Promise<void> {
  for (let count = 0; count < number; count++)
    expect((await send('POST', '/note', { words: 'x'.repeat(900_000) })).status).toBe(201)
}

/** The number of requests that have begun and have no response yet. */
async function numberUnderWay(app: OpenService): Promise<number | undefined> {
  const families = await app.metrics()
  return families.find(({ name }) => name === 'nomen_http_requests_under_way')?.samples[0]?.value
}

describe('pipelined requests', () => {
  it('run in order: the last write wins, and a later read shows it', async () => {
    const { send, base } = await started()
    const { id } = (await send('POST', '/note', {})).body
    const socket = await connection(base)
    for (let round = 0; round < 100; round++) {
      const values = [1, 2, 3].map((step) => round * 10 + step)
      const writes = values.map((value) => request('PATCH', `/note/${id}`, { value }))
      socket.write(writes.join('') + request('GET', `/note/${id}`))
      const all = await responses(socket, 4)
      expect(all.map(({ status, body }) => [status, JSON.parse(body).value])).toEqual(
        [...values, values[2]].map((value) => [200, value]),
      )
    }
  })

  it('start only after the previous response is sent', async () => {
    const { app, base, numberBegun, openGate } = await started()
    const socket = await connection(base)
    socket.write(request('POST', '/note/gate').repeat(5))
    for (let turn = 1; turn <= 5; turn++) {
      await expect.poll(numberBegun).toBe(turn)
      expect(await numberUnderWay(app)).toBe(1)
      openGate()
      const [response] = await responses(socket, 1)
      expect(JSON.parse(response?.body ?? '')).toEqual({ turn })
    }
  })

  it('all get responses, whatever their size, and the connection stays open', async () => {
    const { base } = await started()
    const socket = await connection(base)
    const number = 300
    const writes = Array.from({ length: number }, (_, value) =>
      request('POST', '/note', { value, words: 'x'.repeat(5000) }),
    )
    socket.write(writes.join(''))
    const all = await responses(socket, number)
    expect(all.map(({ status, body }) => [status, JSON.parse(body).value])).toEqual(
      Array.from({ length: number }, (_, value) => [201, value]),
    )
    socket.write(request('GET', '/note/1'))
    expect(statuses(await responses(socket, 1))).toEqual([200])
  })

  it.each([100, 4000])('are dropped if too many wait: %i at once', async (number) => {
    const { send, base } = await started()
    await send('POST', '/note', {})
    const socket = await connection(base)
    socket.write(request('GET', '/note/1').repeat(number))
    const all = await responses(socket)
    expect(statuses(all)).toEqual(Array(mostWaiting + 1).fill(200))
    expect(all.map(({ head }) => head.includes('connection: close'))).toEqual([...Array(mostWaiting).fill(false), true])
  })

  it('that are dropped use no memory', async () => {
    const { base, numberBegun, openGate } = await started()
    setFlagsFromString('--expose-gc')
    const used = () => {
      runInNewContext('gc')()
      return process.memoryUsage().heapUsed
    }
    const before = used()
    const number = 60
    for (let count = 0; count < number; count++) {
      const socket = await connection(base)
      socket.write(request('POST', '/note/gate') + request('GET', '/note/1').repeat(1500))
    }
    await expect.poll(numberBegun).toBe(number)
    // 1,500 requests and responses take more than 2 MB.
    expect((used() - before) / number).toBeLessThan(700_000)
    for (let count = 0; count < number; count++) openGate()
  })

  it('do not start for a client that reads nothing, and others are served', async () => {
    const { app, send, get, base } = await started()
    await fill(send, 16)
    const before = process.memoryUsage().rss
    const greedy = await Promise.all([1, 2, 3].map(() => connection(base)))
    for (const socket of greedy) {
      socket.pause()
      socket.write(request('GET', '/note?pageSize=1000').repeat(800))
    }
    await expect.poll(() => numberUnderWay(app)).toBe(3)
    for (let count = 0; count < 20; count++) expect((await get('/note?pageSize=1')).status).toBe(200)
    expect(await numberUnderWay(app)).toBe(3)
    // 2,400 responses would take more than 40 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(1_000_000_000)
    for (const socket of greedy) socket.destroy()
    const left = 'nomen_http_requests_total{method="GET",route="/note",status="499"} 3\n'
    await expect.poll(async () => (await get('/metrics')).text).toContain(left)
  })

  it('of a disconnected client do not start, and only the started one is in the access log', async () => {
    const accessLog = temporaryPath()
    const { app, base, numberBegun, openGate } = await started({ accessLog })
    const socket = await connection(base)
    socket.write(request('POST', '/note/gate').repeat(3))
    await expect.poll(numberBegun).toBe(1)
    socket.resetAndDestroy()
    openGate()
    await expect.poll(() => numberUnderWay(app)).toBe(0)
    await app.close()
    const lines = () => (existsSync(accessLog) ? readFileSync(accessLog, 'utf8').trim().split('\n') : [])
    // A write to a connection that the client has reset may still be taken.
    expect(numberBegun()).toBeLessThanOrEqual(2)
    expect(lines().filter((line) => line.includes('/note/gate'))).toHaveLength(numberBegun())
  })

  it('are dropped at shutdown: only started ones get responses', async () => {
    const { app, base, numberBegun, openGate } = await started()
    const socket = await connection(base)
    socket.write(request('POST', '/note/gate').repeat(3))
    await expect.poll(numberBegun).toBe(1)
    const closed = app.close()
    const read = responses(socket)
    await expect.poll(() => connection(base).catch(({ code }) => code)).toBe('ECONNREFUSED')
    openGate()
    const all = await read
    await closed
    expect(all.map(({ status, body }) => [status, JSON.parse(body).turn])).toEqual([[200, 1]])
    expect(all[0]?.head).toContain('connection: close')
    expect(numberBegun()).toBe(1)
  })

  it('get responses before the error for malformed bytes after them', async () => {
    const { send, base } = await started()
    await send('POST', '/note', {})
    for (const number of [1, 2, 10]) {
      const socket = await connection(base)
      socket.write(`${request('GET', '/note/1').repeat(number)}noise\r\n\r\n`)
      expect(statuses(await responses(socket))).toEqual([...Array(number).fill(200), 400])
    }
  })

  it('get responses before a request with an incomplete body, which is rejected in its turn', async () => {
    const { base, numberBegun, openGate, get } = await started()
    const socket = await connection(base)
    const broken = request('POST', '/note', undefined, ['Content-Type: application/json', 'Transfer-Encoding: chunked'])
    socket.write(`${request('POST', '/note/gate')}${broken}5\r\n{"val\r\nZZ\r\n`)
    await expect.poll(numberBegun).toBe(1)
    openGate()
    expect(statuses(await responses(socket))).toEqual([200, 400])
    expect((await get('/note')).body.pageInfo.numberOfRecords).toBe(0)
  })

  it('get responses before a request whose head does not arrive in time', async () => {
    const { base, numberBegun, openGate } = await started({ timeouts: { headMs: 200, requestMs: 400 } })
    const late = async (number: number) => {
      const socket = await connection(base)
      const begun = numberBegun()
      socket.write(`${request('POST', '/note/gate').repeat(number)}GET /note HTTP/1.1\r\nHost: loc`)
      await expect.poll(numberBegun).toBe(begun + 1)
      const read = responses(socket)
      await new Promise((resolve) => setTimeout(resolve, 700))
      for (let turn = 1; turn <= number; turn++) {
        await expect.poll(numberBegun).toBe(begun + turn)
        openGate()
      }
      return statuses(await read)
    }
    expect(await late(1)).toEqual([200, 408])
    expect(await late(2)).toEqual([200, 200, 408])
  })

  it('may wait for 100 Continue', async () => {
    const { base } = await started()
    const socket = await connection(base)
    const body = JSON.stringify({ value: 7 })
    const headers = [`Content-Length: ${body.length}`, 'Content-Type: application/json', 'Expect: 100-continue']
    socket.write(request('POST', '/note', { value: 6 }) + request('POST', '/note', undefined, headers))
    expect(statuses(await responses(socket, 2))).toEqual([201, 100])
    socket.write(body)
    const [response] = await responses(socket, 1)
    expect([response?.status, JSON.parse(response?.body ?? '').value]).toEqual([201, 7])
  })
})

describe('unread responses of one address', () => {
  it('have a limit over all its connections, and further requests are rejected', async () => {
    const { app, send, base } = await started()
    await fill(send, 16)
    const slow = await Promise.all(Array.from({ length: 6 }, () => connection(base)))
    for (const socket of slow) {
      socket.pause()
      socket.write(request('GET', '/note?pageSize=1000'))
    }
    const rejected = async (path = '/note/1') => {
      const socket = await connection(base)
      socket.write(request('GET', path))
      const [response] = await responses(socket, 1)
      return response
    }
    await expect.poll(async () => (await rejected())?.status).toBe(503)
    const rejectedResponse = await rejected()
    expect(rejectedResponse?.head).toContain('connection: close')
    expect(JSON.parse(rejectedResponse?.body ?? '')).toMatchObject({
      code: 'overloaded',
      hint: expect.stringContaining('Read'),
    })
    expect((await rejected('/health/live'))?.status).toBe(200)
    expect((await app.fetch('http://localhost/note/1')).status).toBe(200)
    for (const socket of slow) socket.destroy()
    await expect.poll(async () => (await rejected())?.status).toBe(200)
  })

  it('have no limit for a trusted proxy', async () => {
    const { send, base } = await started({ trustProxy: ['127.0.0.1'] })
    await fill(send, 16)
    const slow = await Promise.all(Array.from({ length: 6 }, () => connection(base)))
    for (const socket of slow) {
      socket.pause()
      socket.write(request('GET', '/note?pageSize=1000'))
    }
    const socket = await connection(base)
    for (let count = 0; count < 10; count++) {
      socket.write(request('GET', '/note/1'))
      expect(statuses(await responses(socket, 1))).toEqual([200])
    }
  })
})
