// How the service stops when it is told to: what is under way is answered, everything is written, nothing holds it.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseLine } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { ask, type Connection, connection, connections, keptConnection } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { type Ended, type Served, serve, until } from './nomen.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

interface ServedNotes extends Served {
  readonly folder: string
}

async function serveNotes(): Promise<ServedNotes> {
  const folder = serviceFolder({ 'service.ts': noteService })
  return { ...(await serve(['--list-limit', '100000000'], { folder })), folder }
}

/** The end, and how long it took from the signal on. */
async function stopped(served: Served, signal: NodeJS.Signals): Promise<Ended & { readonly within: number }> {
  const begin = performance.now()
  served.kill(signal)
  const ended = await served.ended
  return { ...ended, within: performance.now() - begin }
}

/** A request whose body has not yet come whole, and the rest of it. */
async function halfRequest(port: number): Promise<Connection & { readonly finish: () => void }> {
  const body = '{"title":"under way"}'
  const opened = await connection(port)
  opened.socket.write(
    `POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  )
  return { ...opened, finish: () => opened.socket.write(body.slice(9)) }
}

/** Notes so large that an answer with all of them fills every buffer between the service and a client. */
async function fillNotes(base: string, megabytes: number): Promise<void> {
  const agent = connections(4)
  const body = { title: 'x'.repeat(1_000_000) }
  const made = Array.from({ length: megabytes }, () => ask(`${base}/note`, { method: 'POST', body, agent }))
  for (const { status } of await Promise.all(made)) expect(status).toBe(201)
}

/** Asks for all notes and does not read the answer. */
async function unreadAnswer(port: number): Promise<Connection> {
  const opened = await connection(port)
  opened.socket.pause()
  opened.socket.write('GET /note?pageSize=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return opened
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

async function untilRefused(port: number): Promise<void> {
  let isSo = false
  const asking = setInterval(async () => {
    isSo ||= await isRefused(port)
  }, 20)
  await until(() => isSo, 5000, 'new connections are refused').finally(() => clearInterval(asking))
}

const linesOf = (folder: string) => readFileSync(join(folder, 'data/access.log'), 'utf8').split('\n').slice(0, -1)

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('takes no new connection, answers the request under way, writes its line and exits with 0', async () => {
    const served = await serveNotes()
    const request = await halfRequest(served.port)
    await pause(200)
    served.kill(signal)
    await untilRefused(served.port)
    expect(request.heard()).toBe('')
    request.finish()
    await until(() => request.heard().endsWith('}'), 5000, 'the request is answered')
    expect(request.heard()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(request.heard()).toMatch(/\r\n\r\n\{"id":1,"title":"under way"\}$/)
    expect(await served.ended).toMatchObject({ code: 0, signal: null, errors: '' })
    expect(linesOf(served.folder)).toEqual([expect.stringContaining('"POST /note HTTP/1.1" 201 ')])
  })
})

describe('a stop', () => {
  it.each([['1'], ['2']])(
    'with a delay goes on serving for so long, and says so to who asks, with %s',
    async (workers) => {
      const folder = serviceFolder({ 'service.ts': noteService })
      const served = await serve(['--stop-delay', '1', '--workers', workers], { folder })
      const statusOf = async (path: string) => (await ask(`${served.base}${path}`, {})).status
      expect(await statusOf('/health/ready')).toBe(200)
      const begin = performance.now()
      served.kill('SIGTERM')
      let ready = 200
      const asking = setInterval(async () => {
        ready = await statusOf('/health/ready')
      }, 20)
      await until(() => ready === 503, 900, 'the service is not ready').finally(() => clearInterval(asking))
      expect(await statusOf('/note')).toBe(200)
      expect(await served.ended).toMatchObject({ code: 0, errors: '' })
      // A timer may be early by a fraction of a millisecond.
      expect(performance.now() - begin).toBeGreaterThan(990)
    },
  )

  it('is over as soon as the last request under way is answered', async () => {
    const served = await serveNotes()
    const request = await halfRequest(served.port)
    await pause(200)
    served.kill('SIGTERM')
    await untilRefused(served.port)
    const begin = performance.now()
    request.finish()
    expect(await served.ended).toMatchObject({ code: 0, errors: '' })
    expect(performance.now() - begin).toBeLessThan(5000)
    expect(request.heard()).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('lets a slow reader have its whole answer', async () => {
    const served = await serveNotes()
    await fillNotes(served.base, 40)
    const reader = await unreadAnswer(served.port)
    await pause(500)
    served.kill('SIGTERM')
    await untilRefused(served.port)
    reader.socket.resume()
    await reader.closed
    const length = Number(/content-length: (\d+)/i.exec(reader.heard())?.[1])
    expect(length).toBeGreaterThan(40_000_000)
    expect(reader.heard().length - reader.heard().indexOf('\r\n\r\n') - 4).toBe(length)
    expect(await served.ended).toMatchObject({ code: 0, errors: '' })
  })

  it('writes a line for every request that was answered, and keeps what they wrote', async () => {
    const served = await serveNotes()
    const answered: string[] = []
    const agent = connections(20)
    const asking = Array.from({ length: 20 }, async (_, at) => {
      for (let step = 0; ; step++) {
        const path = step % 2 ? `/note?sort=${at % 2 ? '-' : ''}title&pageSize=${at + 1}` : '/note'
        const asked = step % 2 ? {} : { method: 'POST', body: { title: `${at} ${step}` } }
        const answer = await ask(served.base + path, { ...asked, agent })
        answered.push(`${answer.port} ${path} ${answer.status} ${answer.bytes.length}`)
      }
    })
    await pause(400)
    const ended = stopped(served, 'SIGTERM')
    await Promise.allSettled(asking)
    expect(await ended).toMatchObject({ code: 0, errors: '' })
    const logged = linesOf(served.folder).map((line) => {
      const entry = parseLine(line)
      return `${entry?.port} ${entry?.target} ${entry?.status} ${entry?.size}`
    })
    expect(answered.length).toBeGreaterThan(20)
    const missing = [...answered]
    for (const line of logged) {
      const at = missing.indexOf(line)
      if (at !== -1) missing.splice(at, 1)
    }
    expect(missing).toEqual([])

    const again = await serve([], { folder: served.folder })
    const { pageInfo } = (await ask(`${again.base}/note`)).json() as { pageInfo: { numberOfRecords: number } }
    const created = answered.filter((line) => line.includes('/note 201')).length
    expect(pageInfo.numberOfRecords).toBeGreaterThanOrEqual(created)
    expect(pageInfo.numberOfRecords).toBe(logged.filter((line) => line.includes('/note 201')).length)
  })

  it('is not held by idle connections, used or not', async () => {
    const served = await serveNotes()
    const agents = Array.from({ length: 10 }, keptConnection)
    await Promise.all(agents.map((agent) => ask(`${served.base}/note`, { agent })))
    for (let count = 0; count < 10; count++) await connection(served.port)
    await pause(100)
    const { code, within } = await stopped(served, 'SIGTERM')
    expect(code).toBe(0)
    expect(within).toBeLessThan(3000)
    expect(linesOf(served.folder)).toHaveLength(10)
  })

  it('at once, with 1, when it is told twice', async () => {
    const served = await serveNotes()
    await halfRequest(served.port)
    await pause(200)
    served.kill('SIGTERM')
    await untilRefused(served.port)
    const { code, within } = await stopped(served, 'SIGINT')
    expect(code).toBe(1)
    expect(within).toBeLessThan(2000)
  })

  it('waits 10 seconds for clients that neither send nor read, and not longer', async () => {
    const served = await serveNotes()
    await fillNotes(served.base, 40)
    const stuck = [await halfRequest(served.port), await unreadAnswer(served.port)]
    const silent = await connection(served.port)
    silent.socket.write('GET /note HTTP/1.1\r\nHost: loc')
    await pause(300)
    const { code, signal, within } = await stopped(served, 'SIGTERM')
    expect([code, signal]).toEqual([0, null])
    expect(within).toBeGreaterThan(9000)
    expect(within).toBeLessThan(14_000)
    for (const { socket } of stuck) socket.resume()
    await Promise.all(stuck.map(({ socket }) => socket.destroyed || once(socket, 'close')))
    // 40 notes, and the two requests that were begun and never ended.
    const lines = linesOf(served.folder).slice(40)
    expect(lines.filter((line) => line.includes('"POST /note HTTP/1.1" 499 '))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('"GET /note?pageSize=1000 HTTP/1.1" '))).toHaveLength(1)
  })
})
