// Malformed requests to every operation of the directory: none gets 5xx, hangs, or is missing from the log.
import { join } from 'node:path'
import type { CheckReport } from '@nomen/conventions'
import { isFull, numberOfRuns, proofSeed, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, root, serve } from './nomen.ts'

/** The number of requests for each of two documents on each of two databases. */
const requests = numberOfRuns(300, 50_000)

async function databaseOn(kind: 'SQLite' | 'PostgreSQL'): Promise<string> {
  if (kind === 'SQLite') return `sqlite:${join(temporaryFolder(), 'directory.db')}`
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

describe.each(['SQLite', 'PostgreSQL'] as const)('malformed requests on %s', (kind) => {
  // Both APIs have the same implementation: one of them is enough on the second database.
  it.each(kind === 'SQLite' || isFull ? ['', '/v1'] : [''])(
    'to the operations of "%s" all get a correct response',
    timeoutOption(180_000, 3_600_000),
    async (path) => {
      const options = { folder: temporaryFolder(), environment: { SAMPLE_USERS: '40', ...withoutLoadShedding } }
      const database = await databaseOn(kind)
      const directory = join(root, 'apps/directory/service.ts')
      const server = await serve([directory, '--database', database, '--access-log', 'access.log'], options)
      const flags = ['--write', '--fuzz', `${requests}`, '--seed', proofSeed(), '--timeout', '60']
      const result = await nomen(
        ['check', `${server.base}${path}`, ...flags, '--access-log', 'access.log', '--format', 'json'],
        options,
      )
      const report = JSON.parse(result.output) as CheckReport
      expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
      expect(report.requests).toBeGreaterThan(requests)
      const noteOf = (code: string) => report.results.find((result) => result.code === code)?.note ?? ''
      // Malformed requests cause neither failures nor pauses of the service.
      expect(noteOf('fuzz-side-effect')).toMatch(/with status 200, /)
      expect(noteOf('fuzz-side-effect')).not.toMatch(/with status 50[0234]/)
      expect(noteOf('fuzz-log')).toMatch(/^\d+ requests$/)
      console.log(`${kind} ${path || '/'}: ${noteOf('fuzz-log')}, --seed ${report.seed}: ${noteOf('fuzz-side-effect')}`)
      server.kill('SIGTERM')
      expect(await server.exit).toMatchObject({ code: 0, errors: '' })
    },
  )
})
