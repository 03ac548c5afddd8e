// kill -9 while many clients write: what was acknowledged is there, whole, and nothing is there by half.
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { often, patience, unhurried } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { describe, expect, it } from 'vitest'
import { Crowd, expectTotals, expectWholeRecords } from './crash.ts'
import { Identities } from './directory-writer.ts'
import { serviceFolder, temporaryFolder } from './folder.ts'
import { type Served, serve, start, until } from './nomen.ts'
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

const rounds = often(6, 50)
const numberOfWriters = 16

/** The file as the kill left it, in a copy: the service itself must find the original untouched. */
function copyOf(path: string): DatabaseSync {
  const copy = join(temporaryFolder(), 'copy.db')
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end)
  return new DatabaseSync(copy)
}

/** The file is whole in itself: pages, references, records, and the identities that it will give next. */
function expectWhole(database: DatabaseSync, identities: Identities): number {
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
    const users = database.prepare('select * from "user"').all()
    expectWholeRecords(users, database.prepare('select * from "preference"').all(), identities)
    for (const noun of ['user', 'preference'] as const) {
      const sequence = database.prepare('select seq from sqlite_sequence where name = ?').get(noun)
      expect(sequence?.seq).toBeGreaterThanOrEqual(identities.highest(noun))
    }
    return users.length
  } finally {
    database.close()
  }
}

describe('kill -9', () => {
  it(
    'under concurrent writes loses none that was acknowledged and leaves none by half',
    patience(60_000, 1_200_000),
    async () => {
      const random = randomFrom(20_261_115)
      const path = join(temporaryFolder(), 'directory.db')
      const serveDirectory = (): Promise<Served> =>
        serve(['apps/directory', '--database', `sqlite:${path}`, '--access-log', `${path}.log`], {
          environment: { SAMPLE_USERS: '20', ...unhurried },
        })
      const crowd = new Crowd(random, numberOfWriters)
      let doubts = 0
      let served = await serveDirectory()
      for (let round = 0; round < rounds; round++) {
        const written = crowd.write(served.base)
        await Promise.race([written, pause(150 + random.below(600))])
        served.kill('SIGKILL')
        expect(await served.ended).toMatchObject({ signal: 'SIGKILL', errors: '' })
        await written
        doubts += crowd.doubts

        const count = expectWhole(copyOf(path), crowd.identities)
        served = await serveDirectory()
        await crowd.expectKept(served.base, count)
      }
      served.kill('SIGTERM')
      expect(await served.ended).toMatchObject({ code: 0, signal: null, errors: '' })
      expectWhole(copyOf(path), crowd.identities)
      expect(crowd.acknowledged).toBeGreaterThan(rounds * numberOfWriters)
      expect(crowd.counted).toBeGreaterThan(rounds)
      expect(doubts).toBe(rounds * numberOfWriters)
    },
  )

  it('of one worker after another loses nothing either, and the others go on', { timeout: 120_000 }, async () => {
    const random = randomFrom(31)
    const folder = serviceFolder({ 'service.ts': knownDirectory })
    const path = join(folder, 'data/directory.db')
    const served = await serve(['--workers', '3'], { folder, environment: unhurried })
    const crowd = new Crowd(random, numberOfWriters)
    const { writers, counters, identities } = crowd
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
        const before = { writing, acknowledged: crowd.acknowledged }
        process.kill(worker, 'SIGKILL')
        kills++
        // Those whose connections it had notice; whoever writes to another worker goes on.
        await until(() => writing < before.writing, 10_000, 'some clients are cut off')
        if (at < 2) await until(() => crowd.acknowledged > before.acknowledged + 100, 10_000, 'the others write on')
      }
      await written
      workers = await untilReached(served, who, 3)
      // Not of a copy: that would bring back what a killed worker had written and nobody was told of.
      const count = expectWhole(new DatabaseSync(path), identities)
      await crowd.expectKept(served.base, count)
    }
    served.kill('SIGTERM')
    const { code, errors } = await served.ended
    expect(code).toBe(0)
    const lines = errors.split('\n').slice(0, -1)
    expect(lines).toHaveLength(kills)
    for (const line of lines)
      expect(line).toMatch(/"level":"error","message":"Worker \d \(process \d+\) was ended by SIGKILL\. It is /)
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
