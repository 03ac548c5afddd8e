/** A report of a lint as JUnit XML. */
import { type JunitCase, junitXml } from '../../junit.ts'
import type { Finding, IgnoredFinding, LintReport } from '../finding.ts'

/**
 * Each file is a suite, each rule that is broken in it a case: errors fail, warnings do not, what is ignored is skipped.
 * A file in which nothing is found is one case that passes.
 */
export function junitReport({ sources, findings, ignored }: LintReport): string {
  const byFile = Map.groupBy<string, Finding | IgnoredFinding>([...findings, ...ignored], ({ file }) => file)
  const files = [...new Set([...sources, ...byFile.keys()])]
  return junitXml(
    'nomen lint',
    files.map((name) => ({ name, cases: casesOf(byFile.get(name) ?? []) })),
  )
}

/** What is ignored is a case of its own, since a rule may be broken beside it. */
function casesOf(findings: readonly (Finding | IgnoredFinding)[]): readonly JunitCase[] {
  const groups = Map.groupBy(findings, (one) => `${one.code}${'reason' in one ? ' (ignored)' : ''}`)
  if (groups.size === 0) return [{ name: 'nomen lint', outcome: 'passed' }]
  return [...groups].map(([name, [first, ...others]]) => {
    const text = [first, ...others].flatMap((one) => (one ? findingText(one) : [])).join('\n')
    const message = `${first?.message}${others.length > 0 ? ` And ${others.length} more.` : ''}`
    return { name, outcome: outcomeOf(first), text, message, type: first?.code ?? name }
  })
}

function outcomeOf(first: Finding | IgnoredFinding | undefined): JunitCase['outcome'] {
  if (first && 'reason' in first) return 'skipped'
  return first?.severity === 'error' ? 'failed' : 'passed'
}

function findingText(one: Finding | IgnoredFinding): string {
  const place = one.line === undefined ? one.pointer : `${one.line}:${one.column}`
  const reason = 'reason' in one ? ` Ignored: ${one.reason}` : ''
  return `${place} ${one.message} ${one.fix}${reason}`
}
