// kill -9 of a service on PostgreSQL, and of PostgreSQL itself, while many clients write.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '@nomen/testing/postgres'
import { numberOfRuns, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectConsistentRecords, WriterGroup } from './crash.ts'
import { temporaryFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { administer } from './pair.ts'
import { sendRequest } from './send-request.ts'

const rounds = numberOfRuns(2, 50)
const numberOfWriters = 8
const timeout = timeoutOption(180_000, 2_400_000)

function serveOn(database: string): Promise<RunningServer> {
  const log = join(temporaryFolder(), 'access.log')
  return serve(['apps/directory', '--database', database, '--access-log', log], {
    environment: { SAMPLE_USERS: '20', ...withoutLoadShedding },
  })
}

/** Waits for queries of a killed service that are still running. */
async function waitUntilDisconnected(url: string): Promise<void> {
  const otherConnections = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await expect.poll(async () => (await administer(url, otherConnections)).length).toBe(0)
}

/** Expects consistent records, and sequences that assign only new IDs. */
async function expectConsistent(url: string, { identities }: WriterGroup): Promise<number> {
  const users = await administer(url, 'select * from "user"')
  expectConsistentRecords(users, await administer(url, 'select * from "preference"'), identities)
  for (const noun of ['user', 'preference'] as const) {
    const [sequence] = await administer(url, `select last_value from "${noun}_id_seq"`)
    expect(Number(sequence?.last_value)).toBeGreaterThanOrEqual(identities.highest(noun))
  }
  return users.length
}

function expectWorked(writerGroup: WriterGroup): void {
  expect(writerGroup.acknowledged).toBeGreaterThan(rounds * numberOfWriters)
  expect(writerGroup.acknowledgedCounts).toBeGreaterThan(0)
}

describe('kill -9 with PostgreSQL', () => {
  it('of the service loses no acknowledged write and leaves no partial write', timeout, async () => {
    const random = randomFrom(20_261_116)
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const writerGroup = new WriterGroup(random, numberOfWriters)
    let server = await serveOn(url)
    for (let round = 0; round < rounds; round++) {
      const writing = writerGroup.write(server.base)
      await waitUntil(() => writerGroup.acknowledgedCounts > 0, 10_000, 'a counter has written')
      await Promise.race([writing, pause(150 + random.below(600))])
      server.kill('SIGKILL')
      expect(await server.exit).toMatchObject({ signal: 'SIGKILL', errors: '' })
      await writing
      expect(writerGroup.uncertainCount).toBe(numberOfWriters)
      await waitUntilDisconnected(url)
      const count = await expectConsistent(url, writerGroup)
      server = await serveOn(url)
      await writerGroup.expectStored(server.base, count)
    }
    expectWorked(writerGroup)
    server.kill('SIGTERM')
    expect(await server.exit).toMatchObject({ code: 0, errors: '' })
  })

  it('of the database loses no acknowledged write, and the service recovers with it', timeout, async () => {
    const random = randomFrom(20_261_117)
    const server = await startPostgres({ isDurable: true })
    onTestFinished(() => server.remove())
    const url = await server.createDatabase()
    const writerGroup = new WriterGroup(random, numberOfWriters)
    const service = await serveOn(url)
    for (let round = 0; round < rounds; round++) {
      const writing = writerGroup.write(service.base)
      await waitUntil(() => writerGroup.acknowledgedCounts > 0, 10_000, 'a counter has written')
      await Promise.race([writing, pause(150 + random.below(600))])
      await server.kill()
      await writing
      expect(writerGroup.uncertainCount).toBe(numberOfWriters)
      await server.start()
      const status = () => sendRequest(`${service.base}/user/1`).then((response) => response.status)
      await expect.poll(status).toBe(200)
      await writerGroup.expectStored(service.base, await expectConsistent(url, writerGroup))
    }
    expectWorked(writerGroup)
    service.kill('SIGTERM')
    expect((await service.exit).code).toBe(0)
  })
})
