// A disk that fills up: what could not be written is not acknowledged, nothing is there by half, and it goes on.
import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { ask, connections } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { nomen, serve } from './nomen.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text(), words: text().unindexed() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note, { search: ['title'] })] })
  export default service({ name: 'notes', apis: [notes] })
`

/** Of util-linux: sets the limits of a process, before or while it runs. */
const prlimit = 'prlimit'
const canLimit = spawnSync(prlimit, ['--version']).status === 0

interface Notes {
  readonly pageInfo: { readonly numberOfRecords: number }
  readonly results: readonly { readonly title: string }[]
}

/** Of util-linux: gives a process file systems of its own, where the system lets us. */
const unshare = 'unshare'
const canMount = spawnSync(unshare, ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** Runs a command with a disk of this size at the folder, after another one in it. */
function onSmallDisk(folder: string, size: string, before: string): readonly string[] {
  const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && (cd "$0"; ${before}); exec "$@"`
  return [unshare, '-rm', 'sh', '-c', script, folder]
}

describe.runIf(canMount)('a start on a disk that is full', () => {
  const sampleService = noteService.replace(
    'apis: [notes] })',
    "apis: [notes], sample: () => [{ noun: 'note', rows: Array.from({ length: 50 }, () => ({ title: 'a', words: 'x'.repeat(4000) })) }] })",
  )

  it.each([
    ['without room for a new database', '4k', 'true'],
    ['without room for the tables', '40k', 'true'],
    ['without room for the sample', '300k', 'true'],
    [
      'without room beside a database that is there',
      '120k',
      'mv ../notes.db . && head -c 120000 /dev/zero > rest 2>/dev/null || true',
    ],
  ])('says so, and where: %s', async (_, size, before) => {
    const folder = serviceFolder({ 'service.ts': sampleService, 'data/.keep': '' })
    const made = new DatabaseSync(join(folder, 'notes.db'))
    made.exec('pragma journal_mode = wal; create table "a" ("b")')
    made.close()
    const under = onSmallDisk(join(folder, 'data'), size, before)
    const { code, errors } = await nomen(['serve', '--port', '0', '--access-log', '/dev/null'], { folder, under })
    expect(code).toBe(1)
    expect(errors).toMatch(/^nomen: .*data\/notes\.db.*the disk is full/)
    expect(errors).toContain('Make room')
    expect(errors).not.toContain('    at ')
  })
})

describe.runIf(canLimit)('a disk that is full', () => {
  it('acknowledges none of the writes that it cannot keep, and takes them once there is room', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    // A limit on the size of files stands for the disk; the access log has no part in it.
    const served = await serve(['--access-log', '/dev/null'], {
      folder,
      under: [prlimit, '--fsize=600000:unlimited'],
    })
    const agent = connections(16)
    const acknowledged: string[] = []
    const refused: string[] = []
    const post = async (title: string) => {
      const body = { title, words: 'x'.repeat(4000) }
      const answer = await ask(`${served.base}/note`, { method: 'POST', body, agent })
      if (answer.status === 201) acknowledged.push(title)
      else {
        expect([answer.status, answer.json(), answer.headers['retry-after']]).toEqual([
          503,
          expect.objectContaining({ code: 'unavailable' }),
          '1',
        ])
        refused.push(title)
      }
    }
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(Array.from({ length: 16 }, (_, at) => post(`${batch} ${at}`)))
    expect(acknowledged.length).toBeGreaterThan(16)
    expect(refused.length).toBeGreaterThan(16)
    expect(statSync(join(folder, 'data/notes.db-wal')).size).toBeLessThanOrEqual(600_000)

    const stored = async () => {
      const all = (await ask(`${served.base}/note?pageSize=1000`, { agent })).json() as Notes
      expect(all.pageInfo.numberOfRecords).toBe(all.results.length)
      return all.results.map(({ title }) => title).sort()
    }
    expect(await stored()).toEqual(acknowledged.toSorted())

    execFileSync(prlimit, ['--pid', `${served.pid}`, '--fsize=unlimited:unlimited'])
    const again = refused.splice(0)
    await Promise.all(again.map(post))
    expect(refused).toEqual([])
    expect(await stored()).toEqual(acknowledged.toSorted())

    served.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
    const database = new DatabaseSync(join(folder, 'data/notes.db'))
    try {
      expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      const { count } = database.prepare('select count(*) as count from "note"').get() as { count: number }
      expect(count).toBe(320)
    } finally {
      database.close()
    }
  })
})
