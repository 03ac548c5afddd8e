// What several processes share: one database and one access log. A client never learns how many there are.
import { readFileSync } from 'node:fs'
import type { Agent } from 'node:http'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it } from 'vitest'
import { type Answer, type Asked, ask, keptConnection } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { type Served, serve, until } from './nomen.ts'
import { forTest } from './over.ts'

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

/** A client with one connection, and so with one worker. */
class Client {
  readonly #base: string
  readonly #agent: Agent = keptConnection()
  worker = 0

  constructor(base: string) {
    this.#base = base
  }

  async ask(path: string, asked: Asked = {}): Promise<Answer> {
    return ask(this.#base + path, { ...asked, agent: this.#agent })
  }

  post(title: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask('/task', { method: 'POST', body: { title }, headers })
  }
}

interface ServedTasks extends Served {
  readonly folder: string
}

async function serveTasks(flags: readonly string[] = []): Promise<ServedTasks> {
  const folder = serviceFolder({ 'service.ts': taskService })
  return { ...(await serve(['--workers', `${numberOfWorkers}`, ...flags], { folder })), folder }
}

/** The flags for an empty database of its own. */
const databases = {
  SQLite: async () => [],
  PostgreSQL: async () => {
    const { url, remove } = await temporaryPostgres()
    forTest(remove)
    return ['--database', url]
  },
}

/** So many clients, with as many at each worker as at any other. */
async function clientsOf(base: string, count: number): Promise<readonly Client[]> {
  const clients = Array.from({ length: count }, () => new Client(base))
  for (const client of clients) client.worker = Number(((await client.post('who')).json() as { detail: string }).detail)
  expect(new Set(clients.map(({ worker }) => worker)).size).toBe(numberOfWorkers)
  return clients
}

async function all(client: Client | undefined): Promise<readonly Task[]> {
  const found: Task[] = []
  for (let pageNumber = 1; client; pageNumber++) {
    const { results, pageInfo } = (await client.ask(`/task?pageSize=1000&pageNumber=${pageNumber}`)).json() as {
      results: Task[]
      pageInfo: { numberOfPages: number; numberOfRecords: number }
    }
    found.push(...results)
    if (pageNumber < pageInfo.numberOfPages) continue
    expect(found).toHaveLength(pageInfo.numberOfRecords)
    break
  }
  return found
}

describe.each(['SQLite', 'PostgreSQL'] as const)('several processes on one database, %s,', (kind) => {
  // How long somebody waits is not looked at here: the machine may be busy with other tests.
  const serveEmpty = async () => serveTasks([...(await databases[kind]()), '--wait-limit', '0'])

  it('keep every write of many clients that they acknowledge, refuse none, and starve nobody', async () => {
    const served = await serveEmpty()
    const clients = await clientsOf(served.base, 64)
    const titles = await Promise.all(
      clients.map(async (client, at) => {
        const own: string[] = []
        for (let step = 0; step < 20; step++) {
          const title = `${at}.${step}`
          const made = await client.post(title)
          expect([made.status, (made.json() as Task).title]).toEqual([201, title])
          own.push(title)
          // Whoever has written something is shown it, whichever process is asked.
          const { id } = made.json() as Task
          const other = clients[(at + step) % clients.length]
          expect((await other?.ask(`/task/${id}`))?.status).toBe(200)
        }
        return own
      }),
    )
    const kept = await all(clients[0])
    expect(kept.map(({ title }) => title).sort()).toEqual(titles.flat().sort())
    expect(new Set(kept.map(({ id }) => id)).size).toBe(kept.length)
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0, errors: '' })
  })

  it('lose no update that is guarded by If-Match', async () => {
    const served = await serveEmpty()
    const clients = await clientsOf(served.base, 16)
    expect((await clients[0]?.post('counted'))?.status).toBe(201)
    const counted = await Promise.all(
      clients.map(async (client) => {
        let acknowledged = 0
        let refused = 0
        while (acknowledged < 5) {
          const read = await client.ask('/task/1')
          const count = (read.json() as Task).count + 1
          const headers = { 'if-match': `${read.headers.etag}` }
          const { status } = await client.ask('/task/1', { method: 'PATCH', body: { count }, headers })
          if (status === 200) acknowledged++
          else refused++
          expect([200, 412]).toContain(status)
        }
        return { acknowledged, refused }
      }),
    )
    expect(counted.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(0)
    expect((await clients[0]?.ask('/task/1'))?.json()).toMatchObject({ count: 16 * 5 })
  })

  it('do a request once for its Idempotency-Key, though repetitions reach other processes', async () => {
    const served = await serveEmpty()
    const clients = await clientsOf(served.base, 16)
    const keys = Array.from({ length: 40 }, (_, at) => `key-${at}`)
    for (const key of keys) {
      const answers = await Promise.all(clients.map((client) => client.post(key, { 'idempotency-key': key })))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      expect(new Set(answers.map(({ bytes, headers }) => `${headers.location} ${headers.etag} ${bytes}`)).size).toBe(1)
      expect(answers.filter(({ headers }) => headers['idempotency-replayed'] !== 'true')).toHaveLength(1)
    }
    for (const client of clients)
      expect((await client.post('another', { 'idempotency-key': 'key-0' })).json()).toMatchObject({ status: 422 })
    expect((await all(clients[0])).map(({ title }) => title)).toEqual(keys)
  })
})

/** Everyone asks at once, with targets of every length; gives what the log must hold of it. */
async function askAtOnce(clients: readonly Client[], longest: number): Promise<readonly string[]> {
  const asked = await Promise.all(
    clients.map(async (client, at) => {
      const own: string[] = []
      for (let step = 0; step < 60; step++) {
        const target = `/task/${at}-${step}-${'x'.repeat((at * 97 + step * 331) % longest)}`
        const { status, bytes, port } = await client.ask(target)
        own.push(`${port} ${target} ${status} ${bytes.length}`)
      }
      return own
    }),
  )
  return asked.flat().sort()
}

/** What the lines hold of these requests. Every line must be whole. */
function entries(lines: readonly string[]): readonly string[] {
  const found = lines.map((line) => {
    const entry = parseLine(line)
    expect(entry, line).toBeDefined()
    return `${entry?.port} ${entry?.target} ${entry?.status} ${entry?.size}`
  })
  return found.filter((one) => one.includes(' /task/')).sort()
}

describe('several processes that write one access log', () => {
  it('leave every line of every request whole', async () => {
    const served = await serveTasks()
    const clients = await clientsOf(served.base, 32)
    const asked = await askAtOnce(clients, 2000)
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0, errors: '' })
    const lines = readFileSync(join(served.folder, 'data/access.log'), 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    expect(entries(lines)).toEqual(asked)
    expect(lines).toHaveLength(asked.length + clients.length)
  })

  it('do so on standard output too, below the welcome', async () => {
    const served = await serveTasks(['--access-log', '-'])
    const welcome = served.said()
    const clients = await clientsOf(served.base, 32)
    // Longer than what a pipe takes from several writers without mixing it.
    const asked = await askAtOnce(clients, 12_000)
    await until(() => served.said().split('\n').length > asked.length, 5000, 'most lines are there while it runs')
    served.kill('SIGTERM')
    const { code, output, errors } = await served.ended
    expect([code, errors]).toEqual([0, ''])
    const lines = output.slice(welcome.length).split('\n')
    expect(lines.pop()).toBe('')
    expect(entries(lines)).toEqual(asked)
    expect(lines).toHaveLength(asked.length + clients.length)
  })

  it('go on when nobody reads their standard output any more', async () => {
    const served = await serveTasks(['--access-log', '-'])
    const clients = await clientsOf(served.base, 8)
    served.closeOutput()
    for (let round = 0; round < 3; round++) {
      await askAtOnce(clients, 1000)
      await until(() => served.complained() !== '', 5000, 'it is told')
    }
    expect(served.complained()).toMatch(/^[^\n]*"Standard output cannot be written\."[^\n]*EPIPE[^\n]*\n$/)
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
  })
})
