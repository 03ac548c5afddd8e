/** Usage for a person at a terminal. */
import { styleText } from 'node:util'
import type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'
import { counted, grouped } from '../output/figure.ts'
import { printable } from './printable.ts'

/** So many callers are named, the rest is counted. */
const namedCallers = 3

export function usageTable(report: UsageReport, isColoured: boolean): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text
  const width = Math.max(...report.endpoints.map(({ path }) => `DELETE ${path}`.length), 8)
  const lines = report.endpoints.map((endpoint) => {
    const name = `${endpoint.method.padEnd(6)} ${endpoint.path}`.padEnd(width + 2)
    const requests = grouped(endpoint.requests).padStart(12)
    const verdict = verdictOf(endpoint, report.quietAfter)
    const colour = { 'in use': 'green', quiet: 'yellow', 'never called': 'red' } as const
    return `${name}${requests}  ${paint(colour[endpoint.verdict], verdict)}`
  })
  return [
    ...lines,
    '',
    ...coverage(report).map((line) => paint('dim', line)),
    ...warnings(report).map((line) => paint('yellow', line)),
  ].join('\n')
}

function verdictOf(endpoint: EndpointReport, quietAfter: number): string {
  return `${calledOf(endpoint, quietAfter)}${deprecated(endpoint)}`
}

/** What callers were told of it. */
export function deprecated({ deprecation }: EndpointReport): string {
  if (!deprecation) return ''
  const { since, sunset, gone } = deprecation
  return `; ${gone ? 'gone' : 'deprecated'} since ${since}${sunset === undefined ? '' : `, sunset ${sunset}`}`
}

function calledOf({ verdict, last, callers }: EndpointReport, quietAfter: number): string {
  if (verdict === 'never called') return 'never called'
  if (verdict === 'quiet')
    return `quiet for ${counted(quietAfter, 'day')} or more, last ${last?.slice(0, 10)} by ${named(callers)}`
  return `in use by ${named(callers)}`
}

function named(callers: readonly CallerReport[]): string {
  const first = callers.slice(0, namedCallers).map((caller) => `${callerName(caller)} (${grouped(caller.requests)})`)
  const more = callers.length - first.length
  return [...first, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

export function callerName({ kind, name }: Pick<CallerReport, 'kind' | 'name'>): string {
  const shown = printable(name)
  if (kind === 'user') return `user ${shown}`
  return kind === 'agent' || kind === 'referrer' ? shown : kind === 'others' ? 'others' : 'unattributed'
}

/** What the figures are true for. */
export function coverage(report: UsageReport): readonly string[] {
  return [...asked(report), ...covered(report)]
}

function asked({ asked: given }: UsageReport): readonly string[] {
  if (!given) return []
  const { from, to } = given
  return [
    `Asked for ${from === undefined ? 'all' : `the time from ${from}`} ${to === undefined ? 'to now' : `to ${to}`}.`,
  ]
}

function covered({ source, asked: given, outside, window, requests, others }: UsageReport): readonly string[] {
  if (!window && given && outside)
    return [
      `The logs hold no request of that time: their ${counted(outside.requests, 'request')} are from ${outside.first} to ${outside.last}.`,
    ]
  if (!window && given && source === 'service') return ['The service has counted nothing in that time.']
  if (!window) return [source === 'service' ? 'The service has counted nothing yet.' : 'The logs hold no request.']
  const apart = others > 0 ? `, ${grouped(others)} of them for none of these endpoints` : ''
  return [`${counted(requests, 'request')} from ${window.first} to ${window.last}${apart}.`]
}

export function warnings({ source, window, unreadable }: UsageReport): readonly string[] {
  const gaps = window?.gaps ?? []
  const shown = gaps.length > 5 ? `${gaps.slice(0, 5).join(', ')} and ${gaps.length - 5} more` : gaps.join(', ')
  return [
    ...(gaps.length === 0
      ? []
      : source === 'service'
        ? [`The service was not running on ${shown}, or did not count.`]
        : [`No line of ${shown}: what was called then and not logged is not counted.`]),
    ...(unreadable > 0 ? [`${counted(unreadable, 'line')} could not be read.`] : []),
  ]
}
