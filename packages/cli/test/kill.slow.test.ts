// kill -9 while many clients write: acknowledged writes are stored, and no write is stored partly.
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { numberOfRuns, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { randomFrom } from '@nomen/testing/random'
import { describe, expect, it } from 'vitest'
import { expectConsistentRecords, expectTotals, WriterGroup } from './crash.ts'
import { Identities } from './directory-writer.ts'
import { serviceFolder, temporaryFolder } from './folder.ts'
import { type RunningServer, serve, start, waitUntil } from './nomen.ts'
import { waitForWorkers } from './worker-of.ts'

/** The directory. A department "who" is rejected with the ID of the process that received the request. */
const directorySource = `
  import { directoryService } from '@nomen/directory'
  import { rule } from '@nomen/server'
  const directory = directoryService({ users: 20 })
  const department = directory.operations.find(({ path }) => path === '/department').resource.noun
  const who = rule(department, ({ name }) => (name === 'who' ? { detail: String(process.pid) } : undefined))
  export default { ...directory, rules: [...(directory.rules ?? []), who] }
`
const workerProbe = { path: '/department', body: { name: 'who' } }

const rounds = numberOfRuns(2, 50)
const numberOfWriters = 16

/** A copy of the file after the kill, so that the check does not change the original. */
function copyOf(path: string): DatabaseSync {
  const copy = join(temporaryFolder(), 'copy.db')
  for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  return new DatabaseSync(copy)
}

/** Expects a consistent file: pages, references, records and the next IDs. */
function expectConsistent(database: DatabaseSync, identities: Identities): number {
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
    const users = database.prepare('select * from "user"').all()
    expectConsistentRecords(users, database.prepare('select * from "preference"').all(), identities)
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
    'during concurrent writes loses no acknowledged write and leaves no partial write',
    timeoutOption(60_000, 1_200_000),
    async () => {
      const random = randomFrom(20_261_115)
      const path = join(temporaryFolder(), 'directory.db')
      const serveDirectory = (): Promise<RunningServer> =>
        serve(['apps/directory', '--database', `sqlite:${path}`, '--access-log', `${path}.log`], {
          environment: { SAMPLE_USERS: '20', ...withoutLoadShedding },
        })
      const writerGroup = new WriterGroup(random, numberOfWriters)
      let uncertainCount = 0
      let server = await serveDirectory()
      for (let round = 0; round < rounds; round++) {
        const writing = writerGroup.write(server.base)
        // On a busy machine, a fixed time may pass before anything is written.
        await waitUntil(() => writerGroup.acknowledgedCounts > 0, 10_000, 'a counter has written')
        await Promise.race([writing, pause(150 + random.below(600))])
        server.kill('SIGKILL')
        expect(await server.exit).toMatchObject({ signal: 'SIGKILL', errors: '' })
        await writing
        uncertainCount += writerGroup.uncertainCount

        const count = expectConsistent(copyOf(path), writerGroup.identities)
        server = await serveDirectory()
        await writerGroup.expectStored(server.base, count)
      }
      server.kill('SIGTERM')
      expect(await server.exit).toMatchObject({ code: 0, signal: null, errors: '' })
      expectConsistent(copyOf(path), writerGroup.identities)
      expect(writerGroup.acknowledged).toBeGreaterThan(rounds * numberOfWriters)
      expect(writerGroup.acknowledgedCounts).toBeGreaterThan(0)
      expect(uncertainCount).toBe(rounds * numberOfWriters)
    },
  )

  it('of one worker after another loses no acknowledged write, and the others continue', async () => {
    const random = randomFrom(31)
    const folder = serviceFolder({ 'service.ts': directorySource })
    const path = join(folder, 'data/directory.db')
    const server = await serve(['--workers', '3'], { folder, environment: withoutLoadShedding })
    const writerGroup = new WriterGroup(random, numberOfWriters)
    const { writers, counters, identities } = writerGroup
    let kills = 0
    let workers = await waitForWorkers(server, workerProbe, 3)
    for (let round = 0; round < 2; round++) {
      let writingCount = writers.length
      const writing = Promise.all([
        ...writers.map((writer) => writer.write(server.base).finally(() => writingCount--)),
        ...counters.map((counter) => counter.write(server.base)),
      ])
      for (const [index, worker] of workers.entries()) {
        await Promise.race([writing, pause(100 + random.below(400))])
        const before = { writingCount, acknowledged: writerGroup.acknowledged }
        process.kill(worker, 'SIGKILL')
        kills++
        // Only clients of this worker notice; clients of other workers continue.
        await waitUntil(() => writingCount < before.writingCount, 10_000, 'some clients lose their connection')
        if (index < 2)
          await waitUntil(
            () => writerGroup.acknowledged > before.acknowledged + 100,
            10_000,
            'the other clients continue to write',
          )
      }
      await writing
      workers = await waitForWorkers(server, workerProbe, 3)
      // Not from a copy: opening a copy would restore unacknowledged writes of a killed worker.
      const count = expectConsistent(new DatabaseSync(path), identities)
      await writerGroup.expectStored(server.base, count)
    }
    server.kill('SIGTERM')
    const { code, errors } = await server.exit
    expect(code).toBe(0)
    const lines = errors.split('\n').slice(0, -1)
    expect(lines).toHaveLength(kills)
    for (const line of lines)
      expect(line).toMatch(
        /"level":"error","time":"[^"]+","msg":"Worker \d \(process \d+\) was terminated by SIGKILL\. It restarts /,
      )
    expectConsistent(copyOf(path), identities)
  })

  it('during the first start leaves a file that the next start completes', async () => {
    const random = randomFrom(7)
    for (let round = 0; round < 3; round++) {
      const path = join(temporaryFolder(), 'directory.db')
      const args = ['apps/directory', '--database', `sqlite:${path}`, '--access-log', `${path}.log`]
      const environment = { SAMPLE_USERS: '2000' }
      const killed = start(['serve', ...args, '--port', '0'], { environment })
      await waitUntil(() => existsSync(path), 20_000, 'the file exists')
      await pause(random.below(120))
      killed.kill('SIGKILL')
      await killed.exit
      const server = await serve(args, { environment })
      await expectTotals(server.base, '/user', 2000)
      server.kill('SIGTERM')
      expect(await server.exit).toMatchObject({ code: 0, errors: '' })
      expectConsistent(copyOf(path), new Identities())
    }
  })
})
