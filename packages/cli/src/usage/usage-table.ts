/** Usage as a table for a terminal. */
import { styleText } from 'node:util'
import type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'
import { countText, numberText } from '../output/number-text.ts'
import { printable } from './printable.ts'

/** How many callers an endpoint shows by name. */
const maxNamedCallers = 3

export function usageTable(report: UsageReport, isColored: boolean): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    isColored ? styleText(format, text, { validateStream: false }) : text
  const width = Math.max(...report.endpoints.map(({ path }) => `DELETE ${path}`.length), 8)
  const lines = report.endpoints.map((endpoint) => {
    const name = `${endpoint.method.padEnd(6)} ${endpoint.path}`.padEnd(width + 2)
    const requests = numberText(endpoint.requests).padStart(12)
    const verdict = verdictOf(endpoint, report.quietAfter)
    const color = { 'in use': 'green', quiet: 'yellow', 'never called': 'red' } as const
    return `${name}${requests}  ${paint(color[endpoint.verdict], verdict)}`
  })
  return [
    ...lines,
    '',
    ...coverage(report).map((line) => paint('dim', line)),
    ...warnings(report).map((line) => paint('yellow', line)),
  ].join('\n')
}

function verdictOf(endpoint: EndpointReport, quietAfter: number): string {
  return `${activityOf(endpoint, quietAfter)}${deprecationText(endpoint)}`
}

/** The deprecation of an endpoint, as its responses announce it. */
export function deprecationText({ deprecation }: EndpointReport): string {
  if (!deprecation) return ''
  const { since, sunset, gone } = deprecation
  return `; ${gone ? 'removed (410)' : 'deprecated'} since ${since}${sunset === undefined ? '' : `, sunset ${sunset}`}`
}

function activityOf({ verdict, last, callers: allCallers }: EndpointReport, quietAfter: number): string {
  const callers = applicationsOf(allCallers)
  if (verdict === 'never called')
    return allCallers.length > callers.length ? 'never called, except by the console' : 'never called'
  if (verdict === 'quiet')
    return `quiet for ${countText(quietAfter, 'day')} or more, last call ${last?.slice(0, 10)} by ${callerList(callers)}`
  return `in use by ${callerList(callers)}`
}

/** The callers without the console, whose calls do not keep an endpoint in use. */
export function applicationsOf(callers: readonly CallerReport[]): readonly CallerReport[] {
  return callers.filter(({ kind }) => kind !== 'console')
}

function callerList(callers: readonly CallerReport[]): string {
  const first = callers
    .slice(0, maxNamedCallers)
    .map((caller) => `${callerName(caller)} (${numberText(caller.requests)})`)
  const moreCount = callers.length - first.length
  return [...first, ...(moreCount > 0 ? [`${moreCount} more`] : [])].join(', ')
}

export function callerName({ kind, name }: Pick<CallerReport, 'kind' | 'name'>): string {
  const printableName = printable(name)
  if (kind === 'user') return `user ${printableName}`
  return name === '' ? (kind === 'others' ? 'others' : 'unknown caller') : printableName
}

/** The period and the number of requests that the report covers. */
export function coverage(report: UsageReport): readonly string[] {
  return [...requestedPeriod(report), ...coveredPeriod(report)]
}

function requestedPeriod({ requested: period }: UsageReport): readonly string[] {
  if (!period) return []
  const { from, to } = period
  const bounds = [from !== undefined && `from ${from}`, to !== undefined && `until ${to}`]
  return [`Requested period: ${bounds.filter(Boolean).join(' ')}.`]
}

function coveredPeriod({
  source,
  requested: period,
  outside,
  window,
  requests,
  others,
}: UsageReport): readonly string[] {
  if (!window && period && outside)
    return [
      `The logs contain no requests in that period: they have ${countText(outside.requests, 'request')} from ${outside.first} to ${outside.last}.`,
    ]
  if (!window && period && source === 'service') return ['The service has counted no requests in that period.']
  if (!window)
    return [source === 'service' ? 'The service has counted no requests yet.' : 'The logs contain no requests.']
  const otherPathsNote = others > 0 ? `, ${numberText(others)} of which did not match an endpoint of the service` : ''
  return [`${countText(requests, 'request')} from ${window.first} to ${window.last}${otherPathsNote}.`]
}

export function warnings({ source, window, unreadable }: UsageReport): readonly string[] {
  const gaps = window?.gaps ?? []
  const gapList = gaps.length > 5 ? `${gaps.slice(0, 5).join(', ')} and ${gaps.length - 5} more` : gaps.join(', ')
  return [
    ...(gaps.length === 0
      ? []
      : source === 'service'
        ? [`The service was not running, or did not count, on ${gapList}.`]
        : [`The logs have no lines of ${gapList}. Calls on these days may be missing.`]),
    ...(unreadable > 0 ? [`${countText(unreadable, 'line')} could not be read.`] : []),
  ]
}
