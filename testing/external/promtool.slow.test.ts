// Prometheus accepts the alert rules of the documentation, and the expressions of the dashboard.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '@nomen/testing/debian'
import { expect, it, onTestFinished } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/monitoring')

it('promtool accepts the alert rules and the expressions of the dashboard', () => {
  const promtool = programPath(['promtool'], 'prometheus')
  const check = (file: string) => execFileSync(promtool, ['check', 'rules', file], { encoding: 'utf8' })
  expect(check(join(folder, 'alerts.yml'))).toContain('SUCCESS')
  const { panels } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'))
  const expressions: readonly string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  )
  const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }))
  const temporary = mkdtempSync(join(tmpdir(), 'nomen-promtool-'))
  onTestFinished(() => rmSync(temporary, { recursive: true }))
  const file = join(temporary, 'rules.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  expect(check(file)).toContain(`${rules.length} rules found`)
})
