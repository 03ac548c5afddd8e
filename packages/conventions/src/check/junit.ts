/** A report as JUnit XML, which build servers show. */
import { catalogue } from './catalogue.ts'
import type { Report, Result } from './result.ts'

/** Each collection is a suite, each check a case. What is not specified passes, and says so. */
export function junit({ title, base, seed, seconds, counts, results }: Report): string {
  const suites = Map.groupBy(results, ({ subject }) => subject)
  const total = `tests="${results.length}" failures="${counts.failed}" skipped="${counts.skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(`${title} at ${base}, seed ${seed}`)}" ${total} time="${seconds.toFixed(3)}">`,
    ...[...suites].flatMap(([subject, cases]) => suite(subject, cases)),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(subject: string, cases: readonly Result[]): string[] {
  const count = (outcome: Result['outcome']) => cases.filter((one) => one.outcome === outcome).length
  const totals = `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
  return [`  <testsuite name="${escaped(subject)}" ${totals}>`, ...cases.map((one) => testCase(one)), '  </testsuite>']
}

function testCase({ code, subject, outcome, note, expected, actual, curl }: Result): string {
  const inside = {
    passed: note && `<system-out>${escaped(note)}</system-out>`,
    skipped: `<skipped message="${escaped(`${note}`)}"/>`,
    'not specified': `<system-out>${escaped(`Not specified: ${actual}. Nomen expects ${expected}.`)}</system-out>`,
    failed: `<failure type="${code}" message="${escaped(`expected ${expected}; ${actual}`)}">${escaped(
      [catalogue[code][0], `expected ${expected}`, `actual ${actual}`, ...(curl ? [curl] : [])].join('\n'),
    )}</failure>`,
  }[outcome]
  const start = `    <testcase name="${code}" classname="${escaped(subject)}"`
  return inside ? `${start}>${inside}</testcase>` : `${start}/>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML cannot hold control characters at all. */
function escaped(text: string): string {
  const clean = text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd')
  return clean.replaceAll(/[&<>"]/g, (one) => entities[one] ?? '')
}
