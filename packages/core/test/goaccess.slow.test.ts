// GoAccess reads the access log with the format of docs/usage.md.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeLine } from '@nomen/core'
import { programPath } from '@nomen/testing/debian'
import { expect, it, onTestFinished } from 'vitest'

/** The flags in the docs. */
function formatFlags(): string[] {
  const docs = readFileSync(new URL('../../../docs/usage.md', import.meta.url), 'utf8')
  const [, flags = ''] = /^goaccess access\.log (--log-format.*)$/m.exec(docs) ?? []
  return [...flags.matchAll(/(--[\w-]+)='([^']*)'/g)].map(([, name, value]) => `${name}=${value}`)
}

// The first run may have to install GoAccess.
it('GoAccess reads every line of any request', { timeout: 300_000 }, () => {
  const hostile = [
    'plain',
    'with space',
    '"quoted"',
    'back\\slash',
    'Bücher ✓',
    '\u001b[31m',
    'a\nb',
    '%20',
    "it's",
    '[x]',
  ]
  const entries = hostile.flatMap((text, index) =>
    ['10.0.0.1', '::1', '2001:db8::7'].map((address) => ({
      address,
      port: 40_000 + index,
      user: index % 2 ? text : undefined,
      time: Date.parse('2026-11-15T03:29:00Z') + index * 1000,
      method: 'GET',
      target: `/user?search=${text}`,
      protocol: 'HTTP/1.1',
      status: 200,
      size: index,
      referrer: index % 3 ? text : undefined,
      userAgent: text,
    })),
  )
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = join(folder, 'access.log')
  writeFileSync(log, entries.map((entry) => `${writeLine(entry)}\n`).join(''))
  const output = join(folder, 'report.json')
  const flags = formatFlags()
  expect(flags).toHaveLength(3)
  execFileSync(programPath(['goaccess'], 'goaccess'), [log, ...flags, '--no-global-config', '-o', output], {
    stdio: 'ignore',
  })
  const report = JSON.parse(readFileSync(output, 'utf8'))
  expect(report.general).toMatchObject({ total_requests: 30, valid_requests: 30, failed_requests: 0 })
  expect(report.hosts.data.map(({ data }: { data: string }) => data).sort()).toEqual(['10.0.0.1', '2001:db8::7', '::1'])
})
