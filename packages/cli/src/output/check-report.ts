/** The text report of `nomen check`: failures first with all details, then short lists of the other results. */
import { styleText } from 'node:util'
import { type CheckOutcome, type CheckReport, type CheckResult, checks } from '@nomen/conventions'
import { countText, duration, numberText } from './number-text.ts'

type Format = Parameters<typeof styleText>[0]

/** How many names a list shows before "and … more". */
const maxNames = 3

export function checkReport(report: CheckReport, stream: NodeJS.WriteStream = process.stdout): string {
  const paint = (format: Format, text: string) => styleText(format, text, { stream })
  const resultsOf = (outcome: CheckOutcome) => report.results.filter((result) => result.outcome === outcome)
  const sampled = resultsOf('passed').filter(({ note, code }) => note !== undefined && code.startsWith('page-'))
  return [
    `${paint('bold', report.title)} at ${report.base}`,
    ...resultsOf('failed').flatMap((result) => ['', ...failure(result, paint)]),
    ...resultsOf('failed')
      .slice(0, 1)
      .flatMap(({ code }) => ['', paint('dim', `Run nomen check --explain ${code} for the reason of this check.`)]),
    ...section('Checked in part', sampled, ({ note }) => `${note}`, paint),
    ...section('Not specified by the conventions', resultsOf('not specified'), openText, paint),
    ...section('Skipped', resultsOf('skipped'), ({ note }) => `${note}`, paint),
    '',
    countLine(report, paint),
    `${countText(report.requests, 'request')}, ${duration(report.seconds)}, --seed ${report.seed}${report.isWriting ? '' : '. Only reads were checked. Use --write to check writes.'}`,
  ].join('\n')
}

type Paint = (format: Format, text: string) => string

function failure({ code, subject, expected, actual, curl }: CheckResult, paint: Paint): string[] {
  return [
    `${paint('red', 'failed')}  ${paint('bold', code)}  ${subject}`,
    `  ${checks[code][0]}`,
    `  expected  ${expected}`,
    `  actual    ${actual}`,
    ...(curl ? [`  ${paint('dim', curl)}`] : []),
  ]
}

function openText({ expected, actual }: CheckResult): string {
  return `${actual}. Nomen: ${expected}`
}

/** Groups results with the same message, so that it appears once. */
function section(
  title: string,
  results: readonly CheckResult[],
  textOf: (result: CheckResult) => string,
  paint: Paint,
): string[] {
  const lines = [...Map.groupBy(results, textOf)].map(([text, group]) => {
    const codes = shorten(group.map(({ code }) => code))
    return `  ${paint('bold', codes)}  ${shorten(group.map(({ subject }) => subject))}\n    ${text}`
  })
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines]
}

function shorten(all: readonly string[]): string {
  const names = [...new Set(all)]
  const moreText = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return `${names.slice(0, maxNames).join(', ')}${moreText}`
}

function countLine({ counts }: CheckReport, paint: Paint): string {
  return [
    paint('green', `${numberText(counts.passed)} passed`),
    counts.failed > 0 ? paint('red', `${numberText(counts.failed)} failed`) : '0 failed',
    `${numberText(counts['not specified'])} not specified`,
    `${numberText(counts.skipped)} skipped`,
  ].join(', ')
}
