// The primary of a PostgreSQL pair is lost under load: nothing that was acknowledged is, and nobody restarts anything.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@nomen/testing/postgres'
import { randomFrom } from '@nomen/testing/random'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { Caller } from './caller.ts'
import { DirectoryWriter, Identities } from './directory-writer.ts'
import { temporaryFolder } from './folder.ts'
import { type Served, serve, until } from './nomen.ts'
import { administer, type Pair, startPair } from './pair.ts'

const numberOfWriters = 8

function serveOn(database: string): Promise<Served> {
  const log = join(temporaryFolder(), 'access.log')
  return serve(['apps/directory', '--database', database, '--access-log', log], { environment: { SAMPLE_USERS: '20' } })
}

/** Clients of several instances: writers, which stop at the first 503, and callers, which go on. */
class Load {
  readonly writers: readonly DirectoryWriter[]
  readonly callers: readonly Caller[]
  readonly #bases: readonly string[]
  readonly #creators: readonly Caller[]
  #calling: Promise<unknown> = Promise.resolve()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(services: readonly Served[]) {
    this.#bases = services.map(({ base }) => base)
    const identities = new Identities()
    this.writers = Array.from(
      { length: numberOfWriters },
      (_, at) => new DirectoryWriter(`w${at}`, randomFrom(at), identities),
    )
    this.#creators = this.#bases.map((base, at) => new Caller(base, `c${at}`))
    this.callers = [...this.#creators, ...this.#bases.map((base) => new Caller(base, 'reader'))]
  }

  #baseOf(at: number): string {
    return this.#bases[at % this.#bases.length] as string
  }

  async begin(): Promise<void> {
    this.#writing = Promise.all(this.writers.map((writer, at) => writer.write(this.#baseOf(at))))
    const calls = this.callers.map((caller, at) =>
      at < this.#creators.length ? caller.create() : caller.read(at % 2 === 0 ? '/user?pageSize=5' : '/user/1'),
    )
    this.#calling = Promise.all(calls)
    await this.until(() => this.writers.every(({ acknowledged }) => acknowledged > 10), 'all write')
  }

  /** Waits for it, unless one of the clients fails before. */
  async until(isSo: () => boolean, what: string): Promise<void> {
    const failed = Promise.all([this.#calling, this.#writing]).then(() => new Promise<never>(() => undefined))
    await Promise.race([until(isSo, 30_000, what), failed])
  }

  /** Everybody has been told that the database is away. */
  async untilRefused(): Promise<void> {
    await this.until(() => this.callers.every((caller) => caller.count(503) > 0), 'all are answered 503')
    await Promise.race([this.#writing, this.#calling])
  }

  /** Everybody is served again. */
  async untilServed(): Promise<void> {
    const before = this.callers.map((caller) => successes(caller))
    await this.until(
      () => this.callers.every((caller, at) => successes(caller) > (before[at] ?? 0) + 5),
      'all are served',
    )
  }

  /** Whatever was acknowledged is there, once; whatever was doubtful is there whole, or is not. */
  async verify(): Promise<void> {
    for (const caller of this.callers) caller.stop()
    await this.#calling
    await Promise.all(
      this.writers.map(async (writer, at) => {
        await writer.settle(this.#baseOf(at))
        await writer.verify()
      }),
    )
    for (const { created } of this.#creators) {
      expect(created.length).toBeGreaterThan(10)
      for (const email of created) {
        const found = (await ask(`${this.#baseOf(0)}/user?email=${email}`)).json() as { results: unknown[] }
        expect(found.results, email).toHaveLength(1)
      }
    }
  }
}

function successes(caller: Caller): number {
  return caller.count(200) + caller.count(201)
}

async function users(pair: Pair, of: 'primary' | 'standby'): Promise<number> {
  const database = new URL(pair.address.replace(/,.*\//, '/')).pathname.slice(1)
  const [row] = await administer(pair[of].url(database), 'select count(*)::int as users from "user"')
  return row?.users as number
}

/** Instances that run and one that starts write to the one that was promoted, though the other is there again. */
async function expectNewPrimary(pair: Pair, services: readonly Served[]): Promise<void> {
  const before = { old: await users(pair, 'primary'), now: await users(pair, 'standby') }
  const all = [...services, await serveOn(pair.address)]
  for (const [at, { base }] of all.entries()) {
    const body = { firstName: '', lastName: '', email: `after.${at}@example.com`, department: 1 }
    expect((await ask(`${base}/user`, { method: 'POST', body })).status).toBe(201)
  }
  expect(await users(pair, 'primary')).toBe(before.old)
  expect(await users(pair, 'standby')).toBe(before.now + all.length)
}

describe('a primary that is lost', { timeout: 120_000 }, () => {
  it('to kill -9 is replaced by its standby, and stays so when it comes back', async () => {
    const pair = await startPair()
    const services = [await serveOn(pair.address), await serveOn(pair.address)]
    const load = new Load(services)
    await load.begin()
    await pair.primary.kill()
    await load.untilRefused()
    await pair.promote()
    await load.untilServed()
    await load.verify()
    // It still believes to be the primary, and is named first.
    await pair.primary.start()
    await expectNewPrimary(pair, services)
  })

  it('to kill -9 may come back as a standby', async () => {
    const pair = await startPair()
    const services = [await serveOn(pair.address)]
    await pair.primary.kill()
    await pair.promote()
    writeFileSync(join(pair.primary.folder, 'standby.signal'), '')
    await pair.primary.start()
    await expect
      .poll(() => ask(`${services[0]?.base}/user/1`).then(({ status }) => status), { timeout: 20_000 })
      .toBe(200)
    await expectNewPrimary(pair, services)
  })

  it('without a word is replaced as well, also when it wakes up', async () => {
    const pair = await startPair()
    const services = [await serveOn(pair.address), await serveOn(pair.address)]
    const idle = await serveOn(pair.address)
    expect((await ask(`${idle.base}/user/1`)).status).toBe(200)
    const load = new Load(services)
    await load.begin()
    pair.primary.freeze()
    onTestFinished(() => pair.primary.thaw())
    await load.untilRefused()
    await pair.promote()
    await load.untilServed()
    await load.verify()
    pair.primary.thaw()
    // Within this time an instance that was asked for nothing notices as well.
    await pause(8000)
    await expectNewPrimary(pair, [...services, idle])
  })

  it('for a restart is waited for', async () => {
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.remove())
    const services = [await serveOn(await server.createDatabase())]
    const load = new Load(services)
    await load.begin()
    await server.stop()
    await load.untilRefused()
    await server.start()
    await load.untilServed()
    await load.verify()
  })

  it('without a word does not keep the service from stopping', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const served = await serveOn(await server.createDatabase())
    expect((await ask(`${served.base}/user/1`)).status).toBe(200)
    server.freeze()
    onTestFinished(() => server.thaw())
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0 })
  })
})
