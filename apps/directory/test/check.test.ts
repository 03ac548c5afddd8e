/** The directory passes `nomen check`, at the root and below /v1. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkService } from '@nomen/conventions'
import { expect, it, onTestFinished } from 'vitest'
import { openDirectory } from './service.ts'

it.each(['', '/v1'])('passes nomen check --write --strict at "%s"', async (prefix) => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const accessLog = join(folder, 'access.log')
  const app = await openDirectory(60, { accessLog })
  onTestFinished(() => app.close())
  const base = await app.listen({ port: 0, host: '127.0.0.1' })
  const report = await checkService({ base: `${base}${prefix}`, isWriting: true, isStrict: true, accessLog, seed: 'a' })
  expect(report.results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  // Nearly all checks run. The sample has no webhooks.
  expect(report.counts.passed).toBeGreaterThan(prefix === '' ? 200 : 450)
  expect(report.counts.skipped).toBeLessThan(70)
})
