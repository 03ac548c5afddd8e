// Bent requests to every operation of the directory: none is the service's fault, none hangs, none goes unnoted.
import { join } from 'node:path'
import type { CheckReport } from '@nomen/conventions'
import { often, patience, proofSeed, unhurried } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, root, serve } from './nomen.ts'

/** To each of two documents on each of two databases. */
const requests = often(1500, 50_000)

async function databaseOn(kind: 'SQLite' | 'PostgreSQL'): Promise<string> {
  if (kind === 'SQLite') return `sqlite:${join(temporaryFolder(), 'directory.db')}`
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

describe.each(['SQLite', 'PostgreSQL'] as const)('bent requests on %s', (kind) => {
  it.each(['', '/v1'])(
    'to the operations of "%s" are all answered well',
    patience(180_000, 3_600_000),
    async (path) => {
      const place = { folder: temporaryFolder(), environment: { SAMPLE_USERS: '40', ...unhurried } }
      const database = await databaseOn(kind)
      const directory = join(root, 'apps/directory/service.ts')
      const served = await serve([directory, '--database', database, '--access-log', 'access.log'], place)
      const flags = ['--write', '--fuzz', `${requests}`, '--seed', proofSeed(), '--timeout', '60']
      const ended = await nomen(
        ['check', `${served.base}${path}`, ...flags, '--access-log', 'access.log', '--format', 'json'],
        place,
      )
      const report = JSON.parse(ended.output) as CheckReport
      expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
      expect(report.requests).toBeGreaterThan(requests)
      const noteOf = (code: string) => report.results.find((one) => one.code === code)?.note ?? ''
      // what is sent from outside makes the service neither fail nor pause
      expect(noteOf('fuzz-unharmed')).toMatch(/of status 200, /)
      expect(noteOf('fuzz-unharmed')).not.toMatch(/of status 50[0234]/)
      expect(noteOf('fuzz-log')).toMatch(/^\d+ requests$/)
      console.log(`${kind} ${path || '/'}: ${noteOf('fuzz-log')}, --seed ${report.seed}: ${noteOf('fuzz-unharmed')}`)
      served.kill('SIGTERM')
      expect(await served.ended).toMatchObject({ code: 0, errors: '' })
    },
  )
})
