// kill -9 while many clients write: what was acknowledged is there, whole, and nothing is there by half.
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Answer, ask, connections } from './ask.ts'
import { DirectoryWriter, Identities, type User } from './directory-writer.ts'
import { serviceFolder, temporaryFolder } from './folder.ts'
import { type Served, serve, start, until } from './nomen.ts'
import { randomFrom } from './random.ts'
import { untilReached } from './worker-of.ts'

/** The directory; a department "who" is refused with the number of the process that was asked for it. */
const knownDirectory = `
  import { directoryService } from '@nomen/directory'
  import { rule } from '@nomen/server'
  const directory = directoryService({ users: 20 })
  const department = directory.operations.find(({ path }) => path === '/department').resource.noun
  const who = rule(department, ({ name }) => (name === 'who' ? { detail: String(process.pid) } : undefined))
  export default { ...directory, rules: [...(directory.rules ?? []), who] }
`
const who = { path: '/department', body: { name: 'who' } }

const rounds = 6
const numberOfWriters = 16

/** The file as the kill left it, in a copy: the service itself must find the original untouched. */
function copyOf(path: string): DatabaseSync {
  const copy = join(temporaryFolder(), 'copy.db')
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end)
  return new DatabaseSync(copy)
}

function fold(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The file is whole in itself: pages, references, folded texts, preferences of one kind. */
function expectWhole(database: DatabaseSync, identities: Identities): number {
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
    const users = database.prepare('select * from "user"').all() as Record<string, string | number>[]
    for (const user of users) {
      for (const field of ['firstName', 'lastName', 'email'])
        expect(user[`${field}_folded`], `${field} of user ${user.id}`).toBe(fold(`${user[field]}`))
      identities.add('user', Number(user.id))
    }
    const broken = database.prepare('select * from "preference" where ("enabled" is null) = ("value" is null)').all()
    expect(broken).toEqual([])
    for (const { id } of database.prepare('select "id" from "preference"').all())
      identities.add('preference', Number(id))
    for (const noun of ['user', 'preference'] as const) {
      const sequence = database.prepare('select seq from sqlite_sequence where name = ?').get(noun)
      expect(sequence?.seq).toBeGreaterThanOrEqual(identities.highest(noun))
    }
    return users.length
  } finally {
    database.close()
  }
}

/** The totals of a list are those of a walk over all its pages. */
async function expectTotals(base: string, path: string, count: number): Promise<void> {
  const agent = connections(1)
  const found = new Set<number>()
  for (let pageNumber = 1; ; pageNumber++) {
    const page = (await ask(`${base}${path}?pageSize=97&pageNumber=${pageNumber}`, { agent })).json() as {
      pageInfo: { numberOfRecords: number }
      results: User[]
    }
    expect(page.pageInfo.numberOfRecords).toBe(count)
    for (const { id } of page.results) found.add(id)
    if (page.results.length < 97) break
  }
  expect(found.size).toBe(count)
}

/** The highest identity of all is not given again once its record is deleted. */
async function expectNoReuse(base: string, writers: readonly DirectoryWriter[], identities: Identities): Promise<void> {
  const highest = identities.highest('user')
  const owner = writers.find(({ users }) => users.has(highest))
  await owner?.remove(highest)
  const made = await ask(`${base}/user`, {
    method: 'POST',
    body: { firstName: '', lastName: '', email: `after${highest}@example.com`, department: 1 },
  })
  expect(made.status).toBe(201)
  const { id } = made.json() as User
  expect(id).toBeGreaterThan(highest)
  identities.addNew('user', id)
}

/** Counts up in the name of one department, each time from the version that it has read. */
class Counter {
  acknowledged = 0
  doubtful = 0

  async write(base: string): Promise<void> {
    const agent = connections(1)
    try {
      for (;;) {
        const read = await ask(base + counted, { agent })
        const name = `${countOf(read) + 1}`
        const headers = { 'if-match': `${read.headers.etag}` }
        this.doubtful++
        const { status } = await ask(base + counted, { method: 'PATCH', body: { name }, headers, agent })
        this.doubtful--
        if (status === 200) this.acknowledged++
        else expect(status).toBe(412)
      }
    } catch (error) {
      // Only a connection that broke has a code.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

function acknowledgedBy(writers: readonly DirectoryWriter[]): number {
  return writers.reduce((sum, writer) => sum + writer.acknowledged, 0)
}

const counted = '/department/15'

function countOf(answer: Answer): number {
  return Number((answer.json() as { name: string }).name) || 0
}

/** No acknowledged count was overwritten by another. */
async function expectCounted(base: string, counters: readonly Counter[]): Promise<void> {
  const count = countOf(await ask(base + counted))
  const acknowledged = counters.reduce((sum, counter) => sum + counter.acknowledged, 0)
  const doubtful = counters.reduce((sum, counter) => sum + counter.doubtful, 0)
  expect(count).toBeGreaterThanOrEqual(acknowledged)
  expect(count).toBeLessThanOrEqual(acknowledged + doubtful)
}

describe('kill -9', () => {
  it('under concurrent writes loses none that was acknowledged and leaves none by half', async () => {
    const random = randomFrom(20_261_115)
    const path = join(temporaryFolder(), 'directory.db')
    const serveDirectory = (): Promise<Served> =>
      serve(['apps/directory', '--database', `sqlite:${path}`, '--access-log', `${path}.log`], {
        environment: { SAMPLE_USERS: '20' },
      })
    const identities = new Identities()
    const writers = Array.from(
      { length: numberOfWriters },
      (_, at) => new DirectoryWriter(`w${at}`, randomFrom(random.below(2 ** 32)), identities),
    )
    const counters = Array.from({ length: 4 }, () => new Counter())
    let doubts = 0
    let served = await serveDirectory()
    for (let round = 0; round < rounds; round++) {
      const written = Promise.all([
        ...writers.map((writer) => writer.write(served.base)),
        ...counters.map((counter) => counter.write(served.base)),
      ])
      await Promise.race([written, pause(150 + random.below(600))])
      served.kill('SIGKILL')
      expect(await served.ended).toMatchObject({ signal: 'SIGKILL', errors: '' })
      await written
      doubts += writers.filter(({ doubt }) => doubt).length

      const count = expectWhole(copyOf(path), identities)
      served = await serveDirectory()
      await expectTotals(served.base, '/user', count)
      await Promise.all(
        writers.map(async (writer) => {
          await writer.settle(served.base)
          await writer.verify()
        }),
      )
      await expectNoReuse(served.base, writers, identities)
      await expectCounted(served.base, counters)
    }
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0, signal: null, errors: '' })
    expectWhole(copyOf(path), identities)
    expect(acknowledgedBy(writers)).toBeGreaterThan(rounds * numberOfWriters)
    expect(counters.reduce((sum, counter) => sum + counter.acknowledged, 0)).toBeGreaterThan(rounds)
    expect(doubts).toBe(rounds * numberOfWriters)
  })

  it('of one worker after another loses nothing either, and the others go on', { timeout: 120_000 }, async () => {
    const random = randomFrom(31)
    const folder = serviceFolder({ 'service.ts': knownDirectory })
    const path = join(folder, 'data/directory.db')
    const served = await serve(['--workers', '3'], { folder })
    const identities = new Identities()
    const writers = Array.from(
      { length: numberOfWriters },
      (_, at) => new DirectoryWriter(`w${at}`, randomFrom(random.below(2 ** 32)), identities),
    )
    const counters = Array.from({ length: 4 }, () => new Counter())
    let kills = 0
    let workers = await untilReached(served, who, 3)
    for (let round = 0; round < 2; round++) {
      let writing = writers.length
      const written = Promise.all([
        ...writers.map((writer) => writer.write(served.base).finally(() => writing--)),
        ...counters.map((counter) => counter.write(served.base)),
      ])
      for (const [at, worker] of workers.entries()) {
        await Promise.race([written, pause(100 + random.below(400))])
        const before = { writing, acknowledged: acknowledgedBy(writers) }
        process.kill(worker, 'SIGKILL')
        kills++
        // Those whose connections it had notice; whoever writes to another worker goes on.
        await until(() => writing < before.writing, 10_000, 'some clients are cut off')
        if (at < 2)
          await until(() => acknowledgedBy(writers) > before.acknowledged + 100, 10_000, 'the others write on')
      }
      await written
      workers = await untilReached(served, who, 3)
      // Not of a copy: that would bring back what a killed worker had written and nobody was told of.
      const count = expectWhole(new DatabaseSync(path), identities)
      await expectTotals(served.base, '/user', count)
      await Promise.all(
        writers.map(async (writer) => {
          await writer.settle(served.base)
          await writer.verify()
        }),
      )
      await expectNoReuse(served.base, writers, identities)
      await expectCounted(served.base, counters)
    }
    served.kill('SIGTERM')
    const { code, errors } = await served.ended
    expect(code).toBe(0)
    const lines = errors.split('\n').slice(0, -1)
    expect(lines).toHaveLength(kills)
    for (const line of lines) expect(line).toMatch(/^nomen: Worker \d \(process \d+\) was ended by SIGKILL\. It is /)
    expectWhole(copyOf(path), identities)
  })

  it('during the first start leaves a file that the next start completes', async () => {
    const random = randomFrom(7)
    for (let round = 0; round < 3; round++) {
      const path = join(temporaryFolder(), 'directory.db')
      const given = ['apps/directory', '--database', `sqlite:${path}`, '--access-log', `${path}.log`]
      const environment = { SAMPLE_USERS: '2000' }
      const killed = start(['serve', ...given, '--port', '0'], { environment })
      await until(() => existsSync(path), 20_000, 'there is a file')
      await pause(random.below(120))
      killed.kill('SIGKILL')
      await killed.ended
      const served = await serve(given, { environment })
      await expectTotals(served.base, '/user', 2000)
      served.kill('SIGTERM')
      expect(await served.ended).toMatchObject({ code: 0, errors: '' })
      expectWhole(copyOf(path), new Identities())
    }
  })
})
