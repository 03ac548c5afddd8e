/** A report as JUnit XML, which build servers show. */
import { xmlText } from '../../xml-text.ts'
import type { Finding, IgnoredFinding, LintReport } from '../finding.ts'

/**
 * Each file is a suite, each rule that is broken in it a case: errors fail, warnings do not, what is ignored is skipped.
 * A file in which nothing is found is one case that passes.
 */
export function junitReport({ sources, findings, ignored }: LintReport): string {
  const byFile = Map.groupBy<string, Finding | IgnoredFinding>([...findings, ...ignored], ({ file }) => file)
  const files = [...new Set([...sources, ...byFile.keys()])]
  const suites = files.map((file) => suiteOf(file, casesOf(byFile.get(file) ?? [])))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="nomen lint" ${totals(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ lines }) => lines),
    '</testsuites>',
  ].join('\n')
}

interface Case {
  readonly code: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly members: readonly (Finding | IgnoredFinding)[]
}

/** What is ignored is a case of its own, since a rule may be broken beside it. */
function casesOf(found: readonly (Finding | IgnoredFinding)[]): readonly Case[] {
  const groups = Map.groupBy(found, (one) => `${one.code}${'reason' in one ? ' (ignored)' : ''}`)
  if (groups.size === 0) return [{ code: 'nomen lint', outcome: 'passed', members: [] }]
  return [...groups].map(([code, members]) => ({ code, outcome: outcomeOf(members), members }))
}

function outcomeOf([first]: Case['members']): Case['outcome'] {
  if (first && 'reason' in first) return 'skipped'
  return first?.severity === 'error' ? 'failed' : 'passed'
}

function suiteOf(file: string, cases: readonly Case[]) {
  const lines = [
    `  <testsuite name="${xmlText(file)}" ${totals(cases)}>`,
    ...cases.map((one) => caseText(file, one)),
    '  </testsuite>',
  ]
  return { cases, lines }
}

function totals(cases: readonly Case[]): string {
  const count = (outcome: Case['outcome']) => cases.filter((one) => one.outcome === outcome).length
  return `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
}

function caseText(file: string, { code, outcome, members }: Case): string {
  const start = `    <testcase name="${xmlText(code)}" classname="${xmlText(file)}"`
  const [first] = members
  if (!first) return `${start}/>`
  const told = xmlText(members.map(findingText).join('\n'))
  const inside = {
    passed: `<system-out>${told}</system-out>`,
    skipped: `<skipped message="${told}"/>`,
    failed: `<failure type="${xmlText(first.code)}" message="${xmlText(headline(members))}">${told}</failure>`,
  }[outcome]
  return `${start}>${inside}</testcase>`
}

function headline([first, ...others]: Case['members']): string {
  return `${first?.message}${others.length > 0 ? ` And ${others.length} more.` : ''}`
}

function findingText(one: Finding | IgnoredFinding): string {
  const place = one.line === undefined ? one.pointer : `${one.line}:${one.column}`
  const reason = 'reason' in one ? ` Ignored: ${one.reason}` : ''
  return `${place} ${one.message} ${one.fix}${reason}`
}
