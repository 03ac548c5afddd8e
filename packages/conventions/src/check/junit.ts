/** The JUnit report of a check. */
import { type JunitCase, junitXml } from '../junit.ts'
import { catalog } from './catalog.ts'
import type { Report, Result } from './result.ts'

/**
 * Writes a conformance report as JUnit XML, with a suite for each collection and a case for each check.
 *
 * @example
 * ```ts
 * const xml = checkJunit(await checkService({ base: 'http://localhost:3000' }))
 * ```
 */
export function junit({ title, base, seed, seconds, results }: Report): string {
  const suites = [...Map.groupBy(results, ({ subject }) => subject)].map(([name, cases]) => {
    return { name, cases: cases.map(caseOf) }
  })
  return `${junitXml(`${title} at ${base}, seed ${seed}`, suites, seconds)}\n`
}

function caseOf({ code, outcome, note, expected, actual, curl }: Result): JunitCase {
  switch (outcome) {
    case 'not specified':
      return { name: code, outcome: 'passed', text: `Not specified: ${actual}. Nomen expects ${expected}.` }
    case 'failed': {
      const lines = [catalog[code][0], `expected ${expected}`, `actual ${actual}`, ...(curl ? [curl] : [])]
      return { name: code, outcome, text: lines.join('\n'), message: `expected ${expected}; ${actual}` }
    }
    default:
      return { name: code, outcome, text: note }
  }
}
