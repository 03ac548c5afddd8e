// kill -9 of a service on PostgreSQL, and of PostgreSQL below a service, while many clients write.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@nomen/testing/postgres'
import { often, patience, unhurried } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { Crowd, expectWholeRecords } from './crash.ts'
import { temporaryFolder } from './folder.ts'
import { type Served, serve } from './nomen.ts'
import { administer } from './pair.ts'

const rounds = often(5, 50)
const numberOfWriters = 8
const long = patience(180_000, 2_400_000)

function serveOn(database: string): Promise<Served> {
  const log = join(temporaryFolder(), 'access.log')
  return serve(['apps/directory', '--database', database, '--access-log', log], {
    environment: { SAMPLE_USERS: '20', ...unhurried },
  })
}

/** What a killed service has asked for may still be on its way. */
async function untilAlone(url: string): Promise<void> {
  const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await expect.poll(async () => (await administer(url, others)).length, { timeout: 20_000 }).toBe(0)
}

/** The records are whole, and no identity will be given twice. */
async function expectWhole(url: string, { identities }: Crowd): Promise<number> {
  const users = await administer(url, 'select * from "user"')
  expectWholeRecords(users, await administer(url, 'select * from "preference"'), identities)
  for (const noun of ['user', 'preference'] as const) {
    const [sequence] = await administer(url, `select last_value from "${noun}_id_seq"`)
    expect(Number(sequence?.last_value)).toBeGreaterThanOrEqual(identities.highest(noun))
  }
  return users.length
}

function expectWorked(crowd: Crowd): void {
  expect(crowd.acknowledged).toBeGreaterThan(rounds * numberOfWriters)
  expect(crowd.counted).toBeGreaterThan(rounds)
}

describe('kill -9 with PostgreSQL', () => {
  it('of the service loses no write that was acknowledged and leaves none by half', long, async () => {
    const random = randomFrom(20_261_116)
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const crowd = new Crowd(random, numberOfWriters)
    let served = await serveOn(url)
    for (let round = 0; round < rounds; round++) {
      const written = crowd.write(served.base)
      await Promise.race([written, pause(150 + random.below(600))])
      served.kill('SIGKILL')
      expect(await served.ended).toMatchObject({ signal: 'SIGKILL', errors: '' })
      await written
      expect(crowd.doubts).toBe(numberOfWriters)
      await untilAlone(url)
      const count = await expectWhole(url, crowd)
      served = await serveOn(url)
      await crowd.expectKept(served.base, count)
    }
    expectWorked(crowd)
    served.kill('SIGTERM')
    expect(await served.ended).toMatchObject({ code: 0, errors: '' })
  })

  it('of the database neither, and the service goes on by itself when that is back', long, async () => {
    const random = randomFrom(20_261_117)
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.remove())
    const url = await server.createDatabase()
    const crowd = new Crowd(random, numberOfWriters)
    const served = await serveOn(url)
    for (let round = 0; round < rounds; round++) {
      const written = crowd.write(served.base)
      await Promise.race([written, pause(150 + random.below(600))])
      await server.kill()
      await written
      expect(crowd.doubts).toBe(numberOfWriters)
      await server.start()
      const status = () => ask(`${served.base}/user/1`).then((answer) => answer.status)
      await expect.poll(status, { timeout: 30_000 }).toBe(200)
      await crowd.expectKept(served.base, await expectWhole(url, crowd))
    }
    expectWorked(crowd)
    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
  })
})
