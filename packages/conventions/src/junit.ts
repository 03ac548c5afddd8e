/** JUnit XML for build servers: suites of cases. */

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

export interface JunitCase {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** The details; required for failed and skipped cases. */
  readonly text?: string | undefined
  /** The first line of a failure, and its type. */
  readonly message?: string
  readonly type?: string
}

export function junitXml(name: string, suites: readonly JunitSuite[], seconds?: number): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(name)}" ${totals(suites.flatMap(({ cases }) => cases))}${time}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${xmlText(suite.name)}" ${totals(suite.cases)}>`,
      ...suite.cases.map((testCase) => caseText(suite.name, testCase)),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n')
}

function totals(cases: readonly JunitCase[]): string {
  const count = (outcome: JunitCase['outcome']) => cases.filter((testCase) => testCase.outcome === outcome).length
  return `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
}

function caseText(suite: string, { name, outcome, text, message = '', type = name }: JunitCase): string {
  const start = `    <testcase name="${xmlText(name)}" classname="${xmlText(suite)}"`
  if (text === undefined) return `${start}/>`
  const element = {
    passed: `<system-out>${xmlText(text)}</system-out>`,
    skipped: `<skipped message="${xmlText(text)}"/>`,
    failed: `<failure type="${xmlText(type)}" message="${xmlText(message)}">${xmlText(text)}</failure>`,
  }[outcome]
  return `${start}>${element}</testcase>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for an element or an attribute in double quotes. XML cannot contain control characters. */
function xmlText(text: string): string {
  const printable = text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd')
  return printable.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
}
