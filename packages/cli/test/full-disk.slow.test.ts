// A full disk: failed writes are neither acknowledged nor partly stored, and the service recovers.
import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { serviceFolder } from './folder.ts'
import { nomen, serve } from './nomen.ts'
import { connections, sendRequest } from './send-request.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text(), words: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note, { search: ['title'] })] })
  export default service({ name: 'notes', apis: [notes] })
`

/** From util-linux: sets the limits of a process, before or while it runs. */
const prlimit = 'prlimit'
const canLimit = spawnSync(prlimit, ['--version']).status === 0

interface Notes {
  readonly pageInfo: { readonly numberOfRecords: number }
  readonly results: readonly { readonly title: string }[]
}

/** From util-linux: runs a process with its own mounts, if the system allows it. */
const unshare = 'unshare'
const canMount = spawnSync(unshare, ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** Runs a command on a disk of this size at the folder, after another command. */
function onSmallDisk(folder: string, size: string, command: string): readonly string[] {
  const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && (cd "$0"; ${command}); exec "$@"`
  return [unshare, '-rm', 'sh', '-c', script, folder]
}

describe.runIf(canMount)('a start on a full disk', () => {
  const sampleService = noteService.replace(
    'apis: [notes] })',
    "apis: [notes], sample: () => [{ noun: 'note', rows: Array.from({ length: 50 }, () => ({ title: 'a', words: 'x'.repeat(4000) })) }] })",
  )

  it.each([
    ['without room for a new database', '4k', 'true'],
    ['without room for the tables', '40k', 'true'],
    ['without room for the sample', '300k', 'true'],
    [
      'without room next to an existing database',
      '120k',
      'mv ../notes.db . && head -c 120000 /dev/zero > rest 2>/dev/null || true',
    ],
  ])('reports the full disk and the path: %s', async (_, size, command) => {
    const folder = serviceFolder({ 'service.ts': sampleService, 'data/.keep': '' })
    const database = new DatabaseSync(join(folder, 'notes.db'))
    database.exec('pragma journal_mode = wal; create table "a" ("b")')
    database.close()
    const under = onSmallDisk(join(folder, 'data'), size, command)
    const { code, errors } = await nomen(['serve', '--port', '0', '--access-log', '/dev/null'], { folder, under })
    expect(code).toBe(1)
    expect(errors).toMatch(/^nomen: .*data\/notes\.db.*the disk is full/)
    expect(errors).toContain('Free some space')
    expect(errors).not.toContain('    at ')
  })
})

describe.runIf(canLimit)('a full disk', () => {
  it('causes errors for writes that cannot be stored, until there is room again', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    // A limit on the file size simulates the disk. The access log and compiled modules do not count.
    const server = await serve(['--access-log', '/dev/null'], {
      folder,
      under: [prlimit, '--fsize=600000:unlimited'],
      environment: { NODE_DISABLE_COMPILE_CACHE: '1' },
    })
    const agent = connections(16)
    const acknowledged: string[] = []
    const rejectedCount: string[] = []
    const post = async (title: string) => {
      const body = { title, words: 'x'.repeat(4000) }
      const response = await sendRequest(`${server.base}/note`, { method: 'POST', body, agent })
      if (response.status === 201) acknowledged.push(title)
      else {
        expect([response.status, response.json(), response.headers['retry-after']]).toEqual([
          503,
          expect.objectContaining({ code: 'unavailable' }),
          '1',
        ])
        rejectedCount.push(title)
      }
    }
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(Array.from({ length: 16 }, (_, index) => post(`${batch} ${index}`)))
    expect(acknowledged.length).toBeGreaterThan(16)
    expect(rejectedCount.length).toBeGreaterThan(16)
    expect(statSync(join(folder, 'data/notes.db-wal')).size).toBeLessThanOrEqual(600_000)

    const stored = async () => {
      const notes = (await sendRequest(`${server.base}/note?pageSize=1000`, { agent })).json() as Notes
      expect(notes.pageInfo.numberOfRecords).toBe(notes.results.length)
      return notes.results.map(({ title }) => title).sort()
    }
    expect(await stored()).toEqual(acknowledged.toSorted())

    execFileSync(prlimit, ['--pid', `${server.pid}`, '--fsize=unlimited:unlimited'])
    const repeated = rejectedCount.splice(0)
    await Promise.all(repeated.map(post))
    expect(rejectedCount).toEqual([])
    expect(await stored()).toEqual(acknowledged.toSorted())

    server.kill('SIGTERM')
    expect((await server.exit).code).toBe(0)
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
