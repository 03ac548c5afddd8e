/** The JUnit report of the linter. */
import { type JunitCase, junitXml } from '../../junit.ts'
import type { Finding, IgnoredFinding, LintReport } from '../finding.ts'

/**
 * Writes a lint report as JUnit XML, with a suite for each file. Errors fail, warnings pass, findings with exceptions are skipped.
 *
 * @example
 * ```ts
 * console.log(junitReport(await lintDocument('openapi.yaml')))
 * ```
 */
export function junitReport({ sources, findings, ignored }: LintReport): string {
  const byFile = Map.groupBy<string, Finding | IgnoredFinding>([...findings, ...ignored], ({ file }) => file)
  const files = [...new Set([...sources, ...byFile.keys()])]
  return junitXml(
    'nomen lint',
    files.map((name) => ({ name, cases: casesOf(byFile.get(name) ?? []) })),
  )
}

/** Ignored findings are a separate case, because the same rule may have other findings. */
function casesOf(findings: readonly (Finding | IgnoredFinding)[]): readonly JunitCase[] {
  const groups = Map.groupBy(findings, (finding) => `${finding.code}${'reason' in finding ? ' (exception)' : ''}`)
  if (groups.size === 0) return [{ name: 'nomen lint', outcome: 'passed' }]
  return [...groups].map(([name, [first, ...others]]) => {
    const text = [first, ...others].flatMap((finding) => (finding ? findingText(finding) : [])).join('\n')
    const message = `${first?.message}${others.length > 0 ? ` And ${others.length} more.` : ''}`
    return { name, outcome: outcomeOf(first), text, message, type: first?.code ?? name }
  })
}

function outcomeOf(first: Finding | IgnoredFinding | undefined): JunitCase['outcome'] {
  if (first && 'reason' in first) return 'skipped'
  return first?.severity === 'error' ? 'failed' : 'passed'
}

function findingText(finding: Finding | IgnoredFinding): string {
  const position = finding.line === undefined ? finding.pointer : `${finding.line}:${finding.column}`
  const reason = 'reason' in finding ? ` Exception: ${finding.reason}` : ''
  return `${position} ${finding.message} ${finding.fix}${reason}`
}
