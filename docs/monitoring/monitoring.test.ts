// The dashboard and the alert rules use metrics that exist.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const known = new Set([...read('../metrics.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name))

function unknownIn(expressions: readonly string[]): readonly string[] {
  const names = expressions.flatMap((expression) => expression.match(/\b(?:nomen|process|nodejs)_\w+/g) ?? [])
  return names.map((name) => name.replace(/_bucket$/, '')).filter((name) => !known.has(name))
}

it('the alert rules use metrics that exist', () => {
  const rules: readonly { alert: string; expr: string }[] = parse(read('alerts.yml')).groups[0].rules
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([])
})

it('the dashboard uses metrics that exist', () => {
  const { panels } = JSON.parse(read('dashboard.json'))
  const targets = panels.flatMap((panel: { targets: { expr: string }[] }) => panel.targets)
  expect(targets.length).toBeGreaterThan(20)
  expect(unknownIn(targets.map(({ expr }: { expr: string }) => expr))).toEqual([])
})
