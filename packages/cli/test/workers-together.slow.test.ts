// Several processes share one database and one access log; clients notice no difference.
import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { forTest } from './over.ts'
import { type HttpResponse, keepAliveAgent, type RequestOptions, sendRequest } from './send-request.ts'

const numberOfWorkers = 4

const taskService = `
  import { api, identity, integer, noun, resource, text } from '@nomen/core'
  import { rule, service } from '@nomen/server'
  const task = noun('task', { id: identity(), title: text(), count: integer().default(0) })
  const tasks = api('tasks', { versioning: 'per-noun', writes: 'nested', resources: [resource(task)] })
  const who = rule(task, ({ title }) => (title === 'who' ? { detail: String(process.pid) } : undefined))
  export default service({ name: 'tasks', apis: [tasks], rules: [who] })
`

interface Task {
  readonly id: number
  readonly title: string
  readonly count: number
}

/** A client with one connection to one worker. */
class Client {
  readonly #base: string
  readonly #agent: Agent = keepAliveAgent()
  worker = 0

  constructor(base: string) {
    this.#base = base
  }

  async send(path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    return sendRequest(this.#base + path, { ...options, agent: this.#agent })
  }

  post(title: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.send('/task', { method: 'POST', body: { title }, headers })
  }
}

interface TaskServer extends RunningServer {
  readonly folder: string
}

async function serveTasks(flags: readonly string[] = []): Promise<TaskServer> {
  const folder = serviceFolder({ 'service.ts': taskService })
  return { ...(await serve(['--workers', `${numberOfWorkers}`, ...flags], { folder })), folder }
}

/** The flags for a new, empty database. */
const databases = {
  SQLite: async () => [],
  PostgreSQL: async () => {
    const { url, remove } = await temporaryPostgres()
    forTest(remove)
    return ['--database', url]
  },
}

/** This many clients, evenly distributed over the workers. */
async function clientsOf(base: string, count: number): Promise<readonly Client[]> {
  const clients = Array.from({ length: count }, () => new Client(base))
  for (const client of clients) client.worker = Number(((await client.post('who')).json() as { detail: string }).detail)
  expect(new Set(clients.map(({ worker }) => worker)).size).toBe(numberOfWorkers)
  return clients
}

async function readAllTasks(client: Client | undefined): Promise<readonly Task[]> {
  const tasks: Task[] = []
  for (let pageNumber = 1; client; pageNumber++) {
    const { results, pageInfo } = (await client.send(`/task?pageSize=1000&pageNumber=${pageNumber}`)).json() as {
      results: Task[]
      pageInfo: { numberOfPages: number; numberOfRecords: number }
    }
    tasks.push(...results)
    if (pageNumber < pageInfo.numberOfPages) continue
    expect(tasks).toHaveLength(pageInfo.numberOfRecords)
    break
  }
  return tasks
}

describe.each(['SQLite', 'PostgreSQL'] as const)('several processes on one database, %s,', (kind) => {
  // Waiting times are not checked, because the machine may be busy with other tests.
  const serveEmpty = async () => serveTasks([...(await databases[kind]()), '--wait-limit', '0'])

  it('store every acknowledged write of many clients, reject none, and serve all clients', async () => {
    const server = await serveEmpty()
    const clients = await clientsOf(server.base, 32)
    const titles = await Promise.all(
      clients.map(async (client, index) => {
        const clientTitles: string[] = []
        for (let step = 0; step < 10; step++) {
          const title = `${index}.${step}`
          const created = await client.post(title)
          expect([created.status, (created.json() as Task).title]).toEqual([201, title])
          clientTitles.push(title)
          // A client reads its own writes from every process.
          const { id } = created.json() as Task
          const nextClient = clients[(index + step) % clients.length]
          expect((await nextClient?.send(`/task/${id}`))?.status).toBe(200)
        }
        return clientTitles
      }),
    )
    const stored = await readAllTasks(clients[0])
    expect(stored.map(({ title }) => title).sort()).toEqual(titles.flat().sort())
    expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length)
    server.kill('SIGTERM')
    expect(await server.exit).toMatchObject({ code: 0, errors: '' })
  })

  it('lose no update with If-Match', async () => {
    const server = await serveEmpty()
    const clients = await clientsOf(server.base, 16)
    expect((await clients[0]?.post('counted'))?.status).toBe(201)
    const taskPath = await Promise.all(
      clients.map(async (client) => {
        let acknowledged = 0
        let rejected = 0
        while (acknowledged < 5) {
          const current = await client.send('/task/1')
          const count = (current.json() as Task).count + 1
          const headers = { 'if-match': `${current.headers.etag}` }
          const { status } = await client.send('/task/1', { method: 'PATCH', body: { count }, headers })
          if (status === 200) acknowledged++
          else rejected++
          expect([200, 412]).toContain(status)
        }
        return { acknowledged, refused: rejected }
      }),
    )
    expect(taskPath.reduce((sum, { refused: rejected }) => sum + rejected, 0)).toBeGreaterThan(0)
    expect((await clients[0]?.send('/task/1'))?.json()).toMatchObject({ count: 16 * 5 })
  })

  it('run a request once per Idempotency-Key, even if retries reach other processes', async () => {
    const server = await serveEmpty()
    const clients = await clientsOf(server.base, 16)
    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`)
    for (const key of keys) {
      const responses = await Promise.all(clients.map((client) => client.post(key, { 'idempotency-key': key })))
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201))
      expect(new Set(responses.map(({ bytes, headers }) => `${headers.location} ${headers.etag} ${bytes}`)).size).toBe(
        1,
      )
      expect(responses.filter(({ headers }) => headers['idempotency-replayed'] !== 'true')).toHaveLength(1)
    }
    for (const client of clients)
      expect((await client.post('another', { 'idempotency-key': 'key-0' })).json()).toMatchObject({ status: 422 })
    expect((await readAllTasks(clients[0])).map(({ title }) => title)).toEqual(keys)
  })
})

/** All clients send requests at the same time, with paths of all lengths. Returns the expected log entries. */
async function sendAtOnce(clients: readonly Client[], longest: number): Promise<readonly string[]> {
  const linesByClient = await Promise.all(
    clients.map(async (client, index) => {
      const lines: string[] = []
      for (let step = 0; step < 60; step++) {
        const target = `/task/${index}-${step}-${'x'.repeat((index * 97 + step * 331) % longest)}`
        const { status, bytes, port } = await client.send(target)
        lines.push(`${port} ${target} ${status} ${bytes.length}`)
      }
      return lines
    }),
  )
  return linesByClient.flat().sort()
}

/** The log lines of these requests. Every line must be complete. */
function entries(lines: readonly string[]): readonly string[] {
  const logged = lines.map((line) => {
    const entry = parseLine(line)
    expect(entry, line).toBeDefined()
    return `${entry?.port} ${entry?.target} ${entry?.status} ${entry?.size}`
  })
  return logged.filter((entry) => entry.includes(' /task/')).sort()
}

describe('several processes that write one access log', () => {
  it('write complete lines for all requests', async () => {
    const server = await serveTasks()
    const clients = await clientsOf(server.base, 32)
    const options = await sendAtOnce(clients, 2000)
    server.kill('SIGTERM')
    expect(await server.exit).toMatchObject({ code: 0, errors: '' })
    const lines = readFileSync(join(server.folder, 'data/access.log'), 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    expect(entries(lines)).toEqual(options)
    expect(lines).toHaveLength(options.length + clients.length)
  })

  it('write complete lines to standard output, after the start message', async () => {
    const server = await serveTasks(['--access-log', '-'])
    const welcome = server.stdout()
    const clients = await clientsOf(server.base, 32)
    // Longer than the size that a pipe writes atomically.
    const options = await sendAtOnce(clients, 12_000)
    await waitUntil(
      () => server.stdout().split('\n').length > options.length,
      5000,
      'most lines are written while the service runs',
    )
    server.kill('SIGTERM')
    const { code, output, errors } = await server.exit
    expect([code, errors]).toEqual([0, ''])
    const lines = output.slice(welcome.length).split('\n')
    expect(lines.pop()).toBe('')
    expect(entries(lines)).toEqual(options)
    expect(lines).toHaveLength(options.length + clients.length)
  })

  it('continue when the reader of standard output has ended', async () => {
    const server = await serveTasks(['--access-log', '-'])
    const clients = await clientsOf(server.base, 8)
    server.closeOutput()
    for (let round = 0; round < 3; round++) {
      await sendAtOnce(clients, 1000)
      await waitUntil(() => server.stderr() !== '', 5000, 'the error is reported')
    }
    expect(server.stderr()).toMatch(/^[^\n]*EPIPE[^\n]*"Standard output cannot be written\."[^\n]*\n$/)
    server.kill('SIGTERM')
    expect((await server.exit).code).toBe(0)
  })
})
