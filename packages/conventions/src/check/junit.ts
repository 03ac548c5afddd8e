/** A report as JUnit XML, which build servers show. */
import { xmlText } from '../xml-text.ts'
import { catalogue } from './catalogue.ts'
import type { Report, Result } from './result.ts'

/** Each collection is a suite, each check a case. What is not specified passes, and says so. */
export function junit({ title, base, seed, seconds, counts, results }: Report): string {
  const suites = Map.groupBy(results, ({ subject }) => subject)
  const total = `tests="${results.length}" failures="${counts.failed}" skipped="${counts.skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(`${title} at ${base}, seed ${seed}`)}" ${total} time="${seconds.toFixed(3)}">`,
    ...[...suites].flatMap(([subject, cases]) => suite(subject, cases)),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(subject: string, cases: readonly Result[]): string[] {
  const count = (outcome: Result['outcome']) => cases.filter((one) => one.outcome === outcome).length
  const totals = `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
  return [`  <testsuite name="${xmlText(subject)}" ${totals}>`, ...cases.map((one) => testCase(one)), '  </testsuite>']
}

function testCase({ code, subject, outcome, note, expected, actual, curl }: Result): string {
  const inside = {
    passed: note && `<system-out>${xmlText(note)}</system-out>`,
    skipped: `<skipped message="${xmlText(`${note}`)}"/>`,
    'not specified': `<system-out>${xmlText(`Not specified: ${actual}. Nomen expects ${expected}.`)}</system-out>`,
    failed: `<failure type="${code}" message="${xmlText(`expected ${expected}; ${actual}`)}">${xmlText(
      [catalogue[code][0], `expected ${expected}`, `actual ${actual}`, ...(curl ? [curl] : [])].join('\n'),
    )}</failure>`,
  }[outcome]
  const start = `    <testcase name="${code}" classname="${xmlText(subject)}"`
  return inside ? `${start}>${inside}</testcase>` : `${start}/>`
}
