// Two instances behind HAProxy on a million records: from an old version to a new one and back, without a failed request.
// Only npm run prove runs it. packages/server/test/postgres-two-versions.test.ts is the short form.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@nomen/testing/free-port'
import { startHaProxy } from '@nomen/testing/haproxy'
import { startPostgres } from '@nomen/testing/postgres'
import { isFull } from '@nomen/testing/prove'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { type RunningCommand, start, waitUntil } from './nomen.ts'
import { administer } from './pair.ts'
import { connections, sendRequest } from './send-request.ts'

const numberOfRecords = 1_000_000
const startLimitMs = 900_000
const old = {
  name: 'text()',
  phone: 'text().nullable()',
  size: 'integer().default(1)',
  note: 'text().nullable()',
  status: "choice('OPEN', 'DONE').default('OPEN')",
}

type Fields = Readonly<Record<string, string>>

function source(fields: Fields, options = ''): string {
  const lines = Object.entries(fields).map(([name, field]) => `  ${name}: ${field},`)
  return `import { api, choice, identity, integer, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
const user = noun('user', {
  id: identity(),
${lines.join('\n')}
})
export default service({
  name: 'people',
  apis: [api('people', { versioning: 'per-noun', writes: 'nested', resources: [resource(user, { ${options} })] })],
})
`
}

const { phone: _phone, ...withoutPhone } = old
const changes: readonly [string, Fields, string?][] = [
  ['an added field', { ...old, nickname: 'text().nullable()', town: "text().default('Bern')" }],
  ['a renamed field with its column', { ...withoutPhone, mobile: "text().nullable().column('phone')" }],
  ['a removed field', withoutPhone],
  ['a new choice value', { ...old, status: "choice('OPEN', 'DONE', 'LATE').default('OPEN')" }],
  ['a new counted choice', { ...old, level: "choice('LOW', 'HIGH').default('LOW')" }],
  ['a new index', { ...old, note: 'text().nullable().indexed()' }],
  ['a new search', old, "search: ['name']"],
]
const rejected: readonly [string, Fields][] = [
  ['a renamed column', { ...withoutPhone, mobile: "text().nullable().renamedFrom('phone')" }],
  ['another type', { ...old, size: "text().default('1')" }],
]

/** Writes and reads all the time, and counts the responses. */
class Load {
  requests = 0
  longestMs = 0
  readonly failures: string[] = []
  #isStopped = false
  readonly #work: Promise<unknown>

  constructor(base: string, clients: number) {
    const agent = connections(clients)
    const send = async (method: string, path: string, body?: object) => {
      const startMs = performance.now()
      const response = await sendRequest(`${base}${path}`, { method, agent, ...(body && { body }) }).catch((error) => ({
        status: 0,
        bytes: `${error}`,
        json: () => ({}),
      }))
      this.requests++
      this.longestMs = Math.max(this.longestMs, performance.now() - startMs)
      const isFailed = response.status === 0 || response.status >= 400
      if (isFailed) this.failures.push(`${method} ${path} ${response.status} ${response.bytes}`)
      return (isFailed ? {} : response.json()) as { id?: number }
    }
    const client = async (number: number) => {
      for (let turn = 1; !this.#isStopped; turn++) {
        const { id } = await send('POST', '/user', { name: `Client ${number}, turn ${turn}` })
        await send('PATCH', `/user/${id}`, { name: `Changed ${turn}`, status: 'DONE' })
        await send('GET', `/user/${1 + ((turn * 7919) % numberOfRecords)}`)
        await send('GET', '/user?status=OPEN&pageNumber=5')
      }
    }
    this.#work = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
  }
}

describe.runIf(isFull)('a rolling upgrade on a million records', () => {
  it('fails no request from A to B and back to A, or is rejected before anything changes', {
    timeout: 3_600_000,
  }, async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const database = await server.createDatabase()
    const folder = serviceFolder({ 'a.ts': source(old), 'b.ts': '' })
    const ports = [await freePort(), await freePort()]
    const instances: RunningCommand[] = []
    const logOf = (index: number) => join(folder, `access-${index}.log`)
    const linesOf = (index: number) =>
      existsSync(logOf(index)) ? readFileSync(logOf(index), 'utf8').split('\n').length : 0
    const begin = (file: string, index: number) =>
      start(['serve', file, '--port', `${ports[index] ?? 0}`, '--allow-anonymous'], {
        folder,
        environment: { DATABASE_URL: database, STOP_DELAY: '3', WAIT_LIMIT: '0', ACCESS_LOG: logOf(index) },
      })
    const replace = async (index: number, file: string) => {
      instances[index]?.kill('SIGTERM')
      await instances[index]?.exit
      const before = linesOf(index)
      const command = begin(file, index)
      instances[index] = command
      let hasEnded = false
      void command.exit.then(() => {
        hasEnded = true
      })
      await waitUntil(() => hasEnded || command.stdout().includes('is running at'), startLimitMs, `${file} runs`)
      expect(hasEnded, command.stderr()).toBe(false)
      if (load)
        await waitUntil(() => linesOf(index) > before + 100, startLimitMs, 'HAProxy sends requests to the new instance')
    }
    let load: Load | undefined
    await replace(0, 'a.ts')
    await administer(
      database,
      `insert into "user" (name, phone, size, status)
      select 'Näme ' || n, n::text, n % 100, (array['OPEN', 'DONE'])[1 + n % 2] from generate_series(1, ${numberOfRecords}) n`,
    )
    await administer(database, 'vacuum analyze')
    await replace(1, 'a.ts')
    const proxy = await startHaProxy(ports)
    onTestFinished(() => proxy.stop())
    const isReady = () => sendRequest(`${proxy.base}/user/1`).then(({ status }) => status === 200)
    await expect.poll(isReady).toBe(true)
    for (const [change, fields, options] of changes) {
      writeFileSync(join(folder, 'b.ts'), source(fields, options))
      load = new Load(proxy.base, 4)
      for (const file of ['b.ts', 'a.ts']) for (const index of [0, 1]) await replace(index, file)
      await load.stop()
      console.log(
        `${change}: ${load.requests} requests, ${load.failures.length} failed, longest ${Math.round(load.longestMs)} ms`,
      )
      expect([change, ...load.failures.slice(0, 5)]).toEqual([change])
    }
    for (const [change, fields] of rejected) {
      writeFileSync(join(folder, 'b.ts'), source(fields))
      const before = await administer(database, 'select * from _schema')
      load = new Load(proxy.base, 4)
      const { code, errors } = await begin('b.ts', ports.length).exit
      await load.stop()
      expect([code, errors]).toEqual([1, expect.stringContaining('Nothing was changed.')])
      expect([change, ...load.failures.slice(0, 5)]).toEqual([change])
      expect(await administer(database, 'select * from _schema')).toEqual(before)
    }
  })
})
