// Followers of changes, while many clients write with slow transactions and rollbacks, and processes are killed: a follower's
// copy of the records equals the database at the end.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { client } from '@nomen/core/client'
import { startPostgres } from '@nomen/testing/postgres'
import { numberOfRuns, proofSeed, seedNumber, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { type Random, randomFrom } from '@nomen/testing/random'
import { expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { Instances, numberOfInstances, send } from './instances.ts'
import { serve } from './nomen.ts'

const serviceSource = `
  import { setTimeout as pause } from 'node:timers/promises'
  import { api, change, identity, integer, noun, operation, ProblemError, problem, resource } from '@nomen/core'
  import { handle, service } from '@nomen/server'
  const item = noun('item', { id: identity(), number: integer() }, { history: true })
  // Writes, waits, and writes again in one transaction. It is rolled back if a number is negative.
  const slow = operation({ method: 'POST', on: 'collection', body: { first: integer(), second: integer(), ms: integer() } })
  const items = api('items', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(item, { operations: { slow } }), resource(change)],
  })
  const runSlow = handle(item, slow, ({ body: { first, second, ms }, transaction }) =>
    transaction(async (call) => {
      await call(items).item.create({ number: first })
      await pause(ms)
      if (second < 0) throw new ProblemError(problem('rule-broken', { detail: 'It is rolled back.' }))
      const { results } = await call(items).item.list({ sort: '-id', pageSize: 5 })
      for (const { id } of results) await call(items).item.update(id, { number: second })
    }),
  )
  export default service({ name: 'items', apis: [items], handlers: [runSlow] })
`

interface Entry {
  readonly id: number
  readonly record: string
  readonly kind: string
  readonly after: string | null
}
interface Items {
  readonly change: { follow(query: object, call: object): AsyncGenerator<Entry> }
  readonly item: { records(query: object): AsyncGenerator<{ readonly id: number; readonly number: number }> }
}

const numberOfWriters = 6
const rounds = numberOfRuns(2, 40)
const minWritten = numberOfRuns(20, 5000)

async function write(instances: Instances, random: Random, isDone: () => boolean, onWrite: () => void) {
  let written = 0
  const number = () => random.below(1000)
  while (!isDone()) {
    const id = 1 + random.below(40 + written)
    const slow = { first: number(), second: random.pick([number(), -1]), ms: random.below(120) }
    const status = await random.pick([
      () => send(instances.base(random), 'POST', '/item', { number: number() }),
      () => send(instances.base(random), 'PATCH', `/item/${id}`, { number: number() }),
      () => send(instances.base(random), 'PATCH', `/item/${id}`, { number: number() }),
      () => send(instances.base(random), 'DELETE', `/item/${id}`),
      () => send(instances.base(random), 'POST', '/item/slow', slow),
    ])()
    if (status >= 200 && status < 300) {
      written++
      onWrite()
    }
    if (status === 0 || status >= 500) await pause(20)
  }
}

/** A copy of the items that is kept by following changes. */
class Follower {
  readonly copy = new Map<string, unknown>()
  lastId = 0
  readonly #abort = new AbortController()
  readonly #following: Promise<void>

  constructor(instances: Instances, random: Random) {
    const items = client<never>({
      baseUrl: 'http://items',
      fetch: (url: string, request: RequestInit) => fetch(url.replace('http://items', instances.base(random)), request),
    } as never) as never as Items
    this.#following = this.#follow(items.change.follow({ afterId: 0 }, { signal: this.#abort.signal }))
    this.#following.catch(() => {})
  }

  async #follow(entries: AsyncIterable<Entry>): Promise<void> {
    for await (const { id, record, kind, after } of entries) {
      expect(id).toBeGreaterThan(this.lastId)
      this.lastId = id
      if (kind === 'CREATED' || kind === 'CHANGED') {
        expect([id, kind, this.copy.has(record)]).toEqual([id, kind, kind === 'CHANGED'])
        this.copy.set(record, { ...(this.copy.get(record) as object), ...JSON.parse(after ?? '{}') })
      } else if (kind === 'DELETED') expect(this.copy.delete(record)).toBe(true)
    }
  }

  /** Rejects if the entries were wrong. */
  async stop(): Promise<void> {
    this.#abort.abort(new Error('stopped'))
    await expect(this.#following).rejects.toThrow('stopped')
  }
}

async function proveFollowing(database: string, disturb: (instances: Instances, random: Random) => Promise<void>) {
  const random = randomFrom(seedNumber(proofSeed()))
  const folder = serviceFolder({ 'service.ts': serviceSource })
  const environment = { ...withoutLoadShedding, ACCESS_LOG: '-' }
  const instances = new Instances(() =>
    serve(['--database', database.replace('FOLDER', folder)], { folder, environment }),
  )
  await instances.startAll()
  const followers = Array.from({ length: 3 }, () => new Follower(instances, random))
  let [isDone, written] = [false, 0]
  const onWrite = () => void written++
  const writing = Array.from({ length: numberOfWriters }, () => write(instances, random, () => isDone, onWrite))
  for (let round = 0; round < rounds || written < minWritten; round++) {
    await pause(300 + random.below(500))
    await disturb(instances, random)
  }
  await pause(300)
  isDone = true
  await Promise.all(writing)
  const { link = '' } = Object.fromEntries((await fetch(`${instances.base(random)}/change?wait=0`)).headers)
  const lastId = Number(/afterId=(\d+)/.exec(link)?.[1])
  expect(lastId).toBeGreaterThan(written)
  const items = client<never>({ baseUrl: instances.base(random) } as never) as never as Items
  const records = new Map<string, unknown>()
  for await (const record of items.item.records({ pageSize: 1000 })) records.set(`item/${record.id}`, record)
  // A rolled back transaction may have drawn the last IDs, so the last change is compared, not the last ID.
  const sorted = (copy: ReadonlyMap<string, unknown>) => [...copy].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const follower of followers) {
    await expect.poll(() => sorted(follower.copy), { timeout: 30_000 }).toEqual(sorted(records))
    await follower.stop()
  }
}

const timeout = timeoutOption(120_000, 1_200_000)

it('equals the database after kills of instances on SQLite', timeout, async () => {
  await proveFollowing(`sqlite:${join('FOLDER', 'items.db')}`, (instances, random) =>
    instances.replace(random.below(numberOfInstances), random.pick(['SIGKILL', 'SIGTERM'])),
  )
})

it('equals the database after kills of instances and of the database on PostgreSQL', timeout, async () => {
  const postgres = await startPostgres({ isDurable: true })
  onTestFinished(() => postgres.remove())
  let round = 0
  await proveFollowing(await postgres.createDatabase(), async (instances, random) => {
    if (round++ % 2 === 0)
      return instances.replace(random.below(numberOfInstances), random.pick(['SIGKILL', 'SIGTERM']))
    await postgres.kill()
    await postgres.start()
  })
})
