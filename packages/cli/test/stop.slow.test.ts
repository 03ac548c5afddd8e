// Graceful shutdown: open requests get a response, all writes are stored, and idle connections do not delay it.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { describe, expect, it, vi } from 'vitest'
import { serviceFolder } from './folder.ts'
import { type CommandResult, type RunningServer, serve, waitUntil } from './nomen.ts'
import { type Connection, connection, connections, keepAliveAgent, sendRequest } from './send-request.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

/** The time that a shutdown waits for open requests. */
const graceMs = 10_000

interface NotesServer extends RunningServer {
  readonly folder: string
}

async function serveNotes(): Promise<NotesServer> {
  const folder = serviceFolder({ 'service.ts': noteService })
  return { ...(await serve(['--list-limit', '100000000'], { folder })), folder }
}

/** Sends the signal, and returns the result with the duration of the shutdown. */
async function stopServer(
  server: RunningServer,
  signal: NodeJS.Signals,
): Promise<CommandResult & { readonly durationMs: number }> {
  const startTime = performance.now()
  server.kill(signal)
  const result = await server.exit
  return { ...result, durationMs: performance.now() - startTime }
}

/** A request with an incomplete body, and a function that sends the rest. */
async function halfRequest(port: number): Promise<Connection & { readonly finish: () => void }> {
  const body = '{"title":"under way"}'
  const client = await connection(port)
  client.socket.write(
    `POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  )
  return { ...client, finish: () => client.socket.write(body.slice(9)) }
}

/** Creates notes so large that a list of them fills all buffers between the service and a client. */
async function fillNotes(base: string, megabytes: number): Promise<void> {
  const agent = connections(4)
  const body = { title: 'x'.repeat(1_000_000) }
  const created = Array.from({ length: megabytes }, () => sendRequest(`${base}/note`, { method: 'POST', body, agent }))
  for (const { status } of await Promise.all(created)) expect(status).toBe(201)
}

/** Requests all notes and does not read the response. */
async function unreadResponse(port: number): Promise<Connection> {
  const client = await connection(port)
  client.socket.pause()
  client.socket.write('GET /note?pageSize=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return client
}

function isRefused(port: number): Promise<boolean> {
  return connection(port).then(
    ({ socket }) => {
      socket.destroy()
      return false
    },
    (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
  )
}

async function waitUntilRefused(port: number): Promise<void> {
  let hasRefused = false
  const timer = setInterval(async () => {
    hasRefused ||= await isRefused(port)
  }, 20)
  await waitUntil(() => hasRefused, 20_000, 'new connections are refused').finally(() => clearInterval(timer))
}

const linesOf = (folder: string) => readFileSync(join(folder, 'data/access.log'), 'utf8').split('\n').slice(0, -1)

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('accepts no new connection, responds to the open request, writes its line and exits with 0', async () => {
    const server = await serveNotes()
    const request = await halfRequest(server.port)
    await pause(200)
    server.kill(signal)
    await waitUntilRefused(server.port)
    expect(request.received()).toBe('')
    request.finish()
    await waitUntil(() => request.received().endsWith('}'), 20_000, 'the request gets a response')
    expect(request.received()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(request.received()).toMatch(/\r\n\r\n\{"id":1,"title":"under way"\}$/)
    expect(await server.exit).toMatchObject({ code: 0, signal: null, errors: '' })
    expect(linesOf(server.folder)).toEqual([expect.stringContaining('"POST /note HTTP/1.1" 201 ')])
  })
})

describe('a shutdown', () => {
  it.each([['1'], ['2']])(
    'with a delay continues to serve for that time, and reports it at /health/ready, with %s',
    async (workers) => {
      const folder = serviceFolder({ 'service.ts': noteService })
      const server = await serve(['--stop-delay', '3', '--workers', workers], { folder })
      const statusOf = async (path: string) => (await sendRequest(`${server.base}${path}`, {})).status
      expect(await statusOf('/health/ready')).toBe(200)
      const startTime = performance.now()
      server.kill('SIGTERM')
      let ready = 200
      const timer = setInterval(async () => {
        ready = await statusOf('/health/ready')
      }, 20)
      await waitUntil(() => ready === 503, 2900, 'the service is not ready').finally(() => clearInterval(timer))
      expect(await statusOf('/note')).toBe(200)
      expect(await server.exit).toMatchObject({ code: 0, errors: '' })
      // A timer may be early by a fraction of a millisecond.
      expect(performance.now() - startTime).toBeGreaterThan(2990)
    },
  )

  it('ends as soon as the last open request has its response', async () => {
    const server = await serveNotes()
    const request = await halfRequest(server.port)
    await pause(200)
    server.kill('SIGTERM')
    await waitUntilRefused(server.port)
    const startTime = performance.now()
    request.finish()
    expect(await server.exit).toMatchObject({ code: 0, errors: '' })
    expect(performance.now() - startTime).toBeLessThan(graceMs)
    expect(request.received()).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('waits until a slow client has read its response', async () => {
    const server = await serveNotes()
    await fillNotes(server.base, 40)
    const reader = await unreadResponse(server.port)
    await pause(500)
    server.kill('SIGTERM')
    await waitUntilRefused(server.port)
    reader.socket.resume()
    await reader.closed
    const length = Number(/content-length: (\d+)/i.exec(reader.received())?.[1])
    expect(length).toBeGreaterThan(40_000_000)
    expect(reader.received().length - reader.received().indexOf('\r\n\r\n') - 4).toBe(length)
    expect(await server.exit).toMatchObject({ code: 0, errors: '' })
  })

  it('writes a line for every response, and keeps all writes', async () => {
    const server = await serveNotes()
    const completed: string[] = []
    const agent = connections(20)
    const clients = Array.from({ length: 20 }, async (_, index) => {
      for (let step = 0; ; step++) {
        const path = step % 2 ? `/note?sort=${index % 2 ? '-' : ''}title&pageSize=${index + 1}` : '/note'
        const options = step % 2 ? {} : { method: 'POST', body: { title: `${index} ${step}` } }
        const response = await sendRequest(server.base + path, { ...options, agent })
        completed.push(`${response.port} ${path} ${response.status} ${response.bytes.length}`)
      }
    })
    await vi.waitFor(() => expect(completed.length).toBeGreaterThan(40), 50_000)
    const result = stopServer(server, 'SIGTERM')
    await Promise.allSettled(clients)
    const { code, errors } = await result
    expect(code).toBe(0)
    // On a busy machine, some requests are rejected because of overload, which is logged.
    expect(errors.split('\n').filter((line) => line && !line.includes('"waitingFor":"turn"'))).toEqual([])
    const logged = linesOf(server.folder).map((line) => {
      const entry = parseLine(line)
      return `${entry?.port} ${entry?.target} ${entry?.status} ${entry?.size}`
    })
    const missing = [...completed]
    for (const line of logged) {
      const position = missing.indexOf(line)
      if (position !== -1) missing.splice(position, 1)
    }
    expect(missing).toEqual([])

    const again = await serve([], { folder: server.folder })
    const { pageInfo } = (await sendRequest(`${again.base}/note`)).json() as { pageInfo: { numberOfRecords: number } }
    const created = completed.filter((line) => line.includes('/note 201')).length
    expect(pageInfo.numberOfRecords).toBeGreaterThanOrEqual(created)
    expect(pageInfo.numberOfRecords).toBe(logged.filter((line) => line.includes('/note 201')).length)
  })

  it('does not wait for idle connections, used or not', async () => {
    const server = await serveNotes()
    const agents = Array.from({ length: 10 }, keepAliveAgent)
    await Promise.all(agents.map((agent) => sendRequest(`${server.base}/note`, { agent })))
    for (let count = 0; count < 10; count++) await connection(server.port)
    await pause(100)
    const { code, durationMs } = await stopServer(server, 'SIGTERM')
    expect(code).toBe(0)
    expect(durationMs).toBeLessThan(graceMs)
    expect(linesOf(server.folder)).toHaveLength(10)
  })

  it('ends immediately with exit code 1 after a second signal', async () => {
    const server = await serveNotes()
    await halfRequest(server.port)
    await pause(200)
    server.kill('SIGTERM')
    await waitUntilRefused(server.port)
    // A shutdown that waits for the request exits with 0.
    server.kill('SIGINT')
    expect(await server.exit).toMatchObject({ code: 1 })
  })

  it('waits at most 10 seconds for clients that neither send nor read', async () => {
    const server = await serveNotes()
    await fillNotes(server.base, 40)
    const stuckReader = [await halfRequest(server.port), await unreadResponse(server.port)]
    const silent = await connection(server.port)
    silent.socket.write('GET /note HTTP/1.1\r\nHost: loc')
    await pause(300)
    const { code, signal, durationMs } = await stopServer(server, 'SIGTERM')
    expect([code, signal]).toEqual([0, null])
    expect(durationMs).toBeGreaterThan(graceMs - 1000)
    expect(durationMs).toBeLessThan(3 * graceMs)
    for (const { socket } of stuckReader) socket.resume()
    await Promise.all(stuckReader.map(({ socket }) => socket.destroyed || once(socket, 'close')))
    // 40 notes, and the two incomplete requests.
    const lines = linesOf(server.folder).slice(40)
    expect(lines.filter((line) => line.includes('"POST /note HTTP/1.1" 499 '))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('"GET /note?pageSize=1000 HTTP/1.1" '))).toHaveLength(1)
  })
})
