import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { serviceFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { type Connection, connection } from './send-request.ts'
import { workersOf } from './worker-of.ts'

/** Notes; a rejected note with the title "who" has the process ID in the problem. */
export const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { rule, service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  const who = rule(note, ({ title }) => (title === 'who' ? { detail: String(process.pid) } : undefined))
  const sample = () => [{ noun: 'note', rows: [{ id: 1, title: 'sample' }] }]
  export default service({ name: 'notes', apis: [notes], rules: [who], sample })
`

export interface NotesServer extends RunningServer {
  readonly folder: string
  readonly workers: readonly number[]
}

export async function serveNotes(
  count: number,
  source = noteService,
  flags: readonly string[] = [],
): Promise<NotesServer> {
  const folder = serviceFolder({ 'service.ts': source })
  const server = await serve(['--workers', `${count}`, ...flags], { folder })
  return { ...server, folder, workers: workersOf(server.pid) }
}

export const workerProbe = { path: '/note', body: { title: 'who' } }

export interface HalfRequest extends Connection {
  readonly worker: number
  readonly finish: () => void
}

/** A request with an incomplete body, on a connection to a known worker. */
async function halfRequest(port: number): Promise<HalfRequest> {
  const client = await connection(port)
  const head = (length: number) =>
    `POST /note HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  client.socket.write(`${head(15)}{"title":"who"}`)
  await waitUntil(() => client.received().endsWith('}'), 20_000, 'the worker responds with its process ID')
  const worker = Number(/"detail":"(\d+)"/.exec(client.received())?.[1])
  const receivedBefore = client.received().length
  client.socket.write(`${head(21)}{"title":`)
  return {
    ...client,
    worker,
    received: () => client.received().slice(receivedBefore),
    finish: () => client.socket.write('"under way"}'),
  }
}

/** One incomplete request at each worker. */
export async function halfRequests({ port, workers }: NotesServer): Promise<readonly HalfRequest[]> {
  const byWorker = new Map<number, HalfRequest>()
  for (let tries = 0; byWorker.size < workers.length; tries++) {
    expect(tries).toBeLessThan(50)
    const request = await halfRequest(port)
    if (byWorker.has(request.worker)) request.socket.destroy()
    else byWorker.set(request.worker, request)
  }
  await pause(200)
  return [...byWorker.values()]
}

export async function expectResponses(requests: readonly HalfRequest[]): Promise<void> {
  for (const { finish } of requests) finish()
  for (const { received } of requests) {
    await waitUntil(() => received().endsWith('}'), 20_000, 'the request gets a response')
    expect(received()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  }
}

export async function waitUntilRefused(port: number): Promise<void> {
  let isRefused = false
  const timer = setInterval(() => {
    connection(port).then(
      ({ socket }) => socket.destroy(),
      (error: NodeJS.ErrnoException) => {
        isRefused ||= error.code === 'ECONNREFUSED'
      },
    )
  }, 20)
  await waitUntil(() => isRefused, 20_000, 'new connections are refused').finally(() => clearInterval(timer))
}

export const linesOf = (folder: string) =>
  readFileSync(join(folder, 'data/access.log'), 'utf8').split('\n').slice(0, -1)

/** The log messages about ended workers: the reason, and the pause before the restart. */
export function workerEnds(
  log: string,
): readonly { readonly pid: number; readonly reason: string; readonly pause: number }[] {
  const line = /"Worker \d+ \(process (\d+)\) (.*)\. It restarts in (\d+) ms\."/g
  return [...log.matchAll(line)].map(([, pid, reason = '', pauseText]) => ({
    pid: Number(pid),
    reason,
    pause: Number(pauseText),
  }))
}
