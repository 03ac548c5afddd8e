// Failover of PostgreSQL under load: no acknowledged write is lost, and no service needs a restart.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@nomen/testing/postgres'
import { randomFrom } from '@nomen/testing/random'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Caller } from './caller.ts'
import { DirectoryWriter, Identities } from './directory-writer.ts'
import { temporaryFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { administer, type Pair, startPair } from './pair.ts'
import { sendRequest } from './send-request.ts'

const numberOfWriters = 8

function serveOn(database: string): Promise<RunningServer> {
  const log = join(temporaryFolder(), 'access.log')
  return serve(['apps/directory', '--database', database, '--access-log', log], { environment: { SAMPLE_USERS: '20' } })
}

/** Clients of several instances: writers, which stop at the first 503, and callers, which continue. */
class Load {
  readonly writers: readonly DirectoryWriter[]
  readonly callers: readonly Caller[]
  readonly #bases: readonly string[]
  readonly #creators: readonly Caller[]
  #calling: Promise<unknown> = Promise.resolve()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(services: readonly RunningServer[]) {
    this.#bases = services.map(({ base }) => base)
    const identities = new Identities()
    this.writers = Array.from(
      { length: numberOfWriters },
      (_, index) => new DirectoryWriter(`w${index}`, randomFrom(index), identities),
    )
    this.#creators = this.#bases.map((base, index) => new Caller(base, `c${index}`))
    this.callers = [...this.#creators, ...this.#bases.map((base) => new Caller(base, 'reader'))]
  }

  #baseOf(index: number): string {
    return this.#bases[index % this.#bases.length] as string
  }

  async start(): Promise<void> {
    this.#writing = Promise.all(this.writers.map((writer, index) => writer.write(this.#baseOf(index))))
    const calls = this.callers.map((caller, index) =>
      index < this.#creators.length ? caller.create() : caller.read(index % 2 === 0 ? '/user?pageSize=5' : '/user/1'),
    )
    this.#calling = Promise.all(calls)
    await this.waitUntil(() => this.writers.every(({ acknowledged }) => acknowledged > 10), 'all write')
  }

  /** Waits for the condition, or for the failure of a client. */
  async waitUntil(condition: () => boolean, description: string): Promise<void> {
    const failure = Promise.all([this.#calling, this.#writing]).then(() => new Promise<never>(() => undefined))
    await Promise.race([waitUntil(condition, 30_000, description), failure])
  }

  /** Waits until every client has received 503. */
  async waitUntilUnavailable(): Promise<void> {
    await this.waitUntil(() => this.callers.every((caller) => caller.count(503) > 0), 'all get 503')
    await Promise.race([this.#writing, this.#calling])
  }

  /** Waits until every client has successful responses again. */
  async waitUntilAvailable(): Promise<void> {
    const before = this.callers.map((caller) => successes(caller))
    await this.waitUntil(
      () => this.callers.every((caller, index) => successes(caller) > (before[index] ?? 0) + 5),
      'all are served',
    )
  }

  /** Expects that acknowledged writes are stored once, and uncertain ones completely or not at all. */
  async verify(): Promise<void> {
    for (const caller of this.callers) caller.stop()
    await this.#calling
    await Promise.all(
      this.writers.map(async (writer, index) => {
        await writer.resolveUncertainRequest(this.#baseOf(index))
        await writer.verify()
      }),
    )
    for (const { created } of this.#creators) {
      expect(created.length).toBeGreaterThan(10)
      for (const email of created) {
        const page = (await sendRequest(`${this.#baseOf(0)}/user?email=${email}`)).json() as { results: unknown[] }
        expect(page.results, email).toHaveLength(1)
      }
    }
  }
}

function successes(caller: Caller): number {
  return caller.count(200) + caller.count(201)
}

async function countUsers(pair: Pair, role: 'primary' | 'standby'): Promise<number> {
  const database = new URL(pair.address.replace(/,.*\//, '/')).pathname.slice(1)
  const [row] = await administer(pair[role].url(database), 'select count(*)::int as users from "user"')
  return row?.users as number
}

/** Expects that running and new instances write to the promoted server, even if the old primary is back. */
async function expectNewPrimary(pair: Pair, services: readonly RunningServer[]): Promise<void> {
  const before = { old: await countUsers(pair, 'primary'), now: await countUsers(pair, 'standby') }
  const allServices = [...services, await serveOn(pair.address)]
  for (const [index, { base }] of allServices.entries()) {
    const body = { firstName: '', lastName: '', email: `after.${index}@example.com`, department: 1 }
    expect((await sendRequest(`${base}/user`, { method: 'POST', body })).status).toBe(201)
  }
  expect(await countUsers(pair, 'primary')).toBe(before.old)
  expect(await countUsers(pair, 'standby')).toBe(before.now + allServices.length)
}

describe('a primary that fails', () => {
  it('by kill -9 is replaced by its standby, even after it is back', async () => {
    const pair = await startPair()
    const services = [await serveOn(pair.address), await serveOn(pair.address)]
    const load = new Load(services)
    await load.start()
    await pair.primary.kill()
    await load.waitUntilUnavailable()
    await pair.promote()
    await load.waitUntilAvailable()
    await load.verify()
    // The old server still acts as a primary, and is the first in the URL.
    await pair.primary.start()
    await expectNewPrimary(pair, services)
  })

  it('by kill -9 may return as a standby', async () => {
    const pair = await startPair()
    const services = [await serveOn(pair.address)]
    await pair.primary.kill()
    await pair.promote()
    writeFileSync(join(pair.primary.folder, 'standby.signal'), '')
    await pair.primary.start()
    await expect.poll(() => sendRequest(`${services[0]?.base}/user/1`).then(({ status }) => status)).toBe(200)
    await expectNewPrimary(pair, services)
  })

  it('without closing connections is replaced, even after it continues', async () => {
    const pair = await startPair()
    const services = [await serveOn(pair.address), await serveOn(pair.address)]
    const idle = await serveOn(pair.address)
    expect((await sendRequest(`${idle.base}/user/1`)).status).toBe(200)
    const load = new Load(services)
    await load.start()
    pair.primary.freeze()
    onTestFinished(() => pair.primary.thaw())
    await load.waitUntilUnavailable()
    await pair.promote()
    await load.waitUntilAvailable()
    await load.verify()
    pair.primary.thaw()
    // Within this time, an idle instance notices the failure too.
    await pause(8000)
    await expectNewPrimary(pair, [...services, idle])
  })

  it('for a restart is used again after it', async () => {
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.remove())
    const services = [await serveOn(await server.createDatabase())]
    const load = new Load(services)
    await load.start()
    await server.stop()
    await load.waitUntilUnavailable()
    await server.start()
    await load.waitUntilAvailable()
    await load.verify()
  })

  it('without closing connections does not prevent the service from stopping', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const service = await serveOn(await server.createDatabase())
    expect((await sendRequest(`${service.base}/user/1`)).status).toBe(200)
    server.freeze()
    onTestFinished(() => server.thaw())
    service.kill('SIGTERM')
    expect(await service.exit).toMatchObject({ code: 0 })
  })
})
