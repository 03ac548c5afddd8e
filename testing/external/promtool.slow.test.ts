// Prometheus accepts the configuration of docs/metrics.md, its alert rules, and the expressions of the dashboard.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '@nomen/testing/debian'
import { blocksOf } from '@nomen/testing/markdown/block'
import { expect, it, onTestFinished } from 'vitest'

const docs = join(import.meta.dirname, '../../docs')
const folder = join(docs, 'monitoring')

function temporaryFolder(): string {
  const temporary = mkdtempSync(join(tmpdir(), 'nomen-promtool-'))
  onTestFinished(() => rmSync(temporary, { recursive: true }))
  return temporary
}

it('promtool accepts the configuration of the page', () => {
  const promtool = programPath(['promtool'], 'prometheus')
  const [block] = blocksOf(readFileSync(join(docs, 'metrics.md'), 'utf8')).filter(({ language }) => language === 'yaml')
  const temporary = temporaryFolder()
  writeFileSync(join(temporary, 'prometheus.yml'), `${block?.code}`)
  cpSync(join(folder, 'alerts.yml'), join(temporary, 'alerts.yml'))
  const output = execFileSync(promtool, ['check', 'config', join(temporary, 'prometheus.yml')], { encoding: 'utf8' })
  expect(output).toContain('1 rule files found')
})

it('promtool accepts the alert rules and the expressions of the dashboard', () => {
  const promtool = programPath(['promtool'], 'prometheus')
  const check = (file: string) => execFileSync(promtool, ['check', 'rules', file], { encoding: 'utf8' })
  expect(check(join(folder, 'alerts.yml'))).toContain('SUCCESS')
  const { panels } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'))
  const expressions: readonly string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  )
  const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }))
  const file = join(temporaryFolder(), 'rules.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  expect(check(file)).toContain(`${rules.length} rules found`)
})
