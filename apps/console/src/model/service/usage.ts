/** A usage report as a table: endpoints by caller. */

import { pathKey } from '@nomen/core/openapi'
import type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'
import { text } from '../../language/language.ts'
import type { Deprecation } from './operation.ts'
import type { Service } from './service.ts'

export type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'

export function callerName({ kind, name }: Pick<CallerReport, 'kind' | 'name'>): string {
  const { callerUser, callerOthers, callerUnknown } = text().usage
  if (kind === 'user') return callerUser(name)
  return name || (kind === 'others' ? callerOthers : callerUnknown)
}

/** The report without the calls of the console, which neither the verdicts nor the totals count. */
export function withoutConsole(report: UsageReport): UsageReport {
  const endpoints = report.endpoints.map((endpoint) => ({ ...endpoint, callers: applicationsOf(endpoint) }))
  return { ...report, endpoints }
}

export function hasConsole({ endpoints }: UsageReport): boolean {
  return endpoints.some((endpoint) => endpoint.callers.some(isConsoleCall))
}

function applicationsOf({ callers }: EndpointReport): readonly CallerReport[] {
  return callers.filter((caller) => !isConsoleCall(caller))
}

export function isConsoleCall({ kind }: CallerReport): boolean {
  return kind === 'console'
}

/** The column of all callers without a column of their own. No caller has a name with a line break. */
const otherCallers = '\n'

export function columnTitle(column: string): string {
  return column === otherCallers ? text().usage.otherCallers : column
}

/** The busiest callers, and one column for the others. */
export function columnsOf(callers: readonly CallerReport[], maxColumns: number): readonly string[] {
  const totals = new Map<string, number>()
  for (const caller of callers) {
    const name = callerName(caller)
    totals.set(name, (totals.get(name) ?? 0) + caller.requests)
  }
  const sorted = [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name)
  return sorted.length > maxColumns ? [...sorted.slice(0, maxColumns - 1), otherCallers] : sorted
}

export function callersIn(
  { callers }: EndpointReport,
  column: string,
  columns: readonly string[],
): readonly CallerReport[] {
  return callers.filter((caller) => {
    const name = callerName(caller)
    return column === otherCallers ? !columns.includes(name) : name === column
  })
}

/** Between 0 and 1, on a logarithmic scale. */
export function heat(requests: number, maxRequests: number): number {
  return requests === 0 ? 0 : Math.log(requests + 1) / Math.log(maxRequests + 1)
}

export function requestsOf(callers: readonly CallerReport[]): number {
  return callers.reduce((sum, { requests }) => sum + requests, 0)
}

/** The maximum number of days in a chart. */
const maxDays = 366

/** Every day of the window, including days without calls. */
export function daysOf({ window }: UsageReport): readonly string[] {
  if (!window) return []
  const days: string[] = []
  const end = Date.parse(window.last.slice(0, 10))
  for (let time = Date.parse(window.first.slice(0, 10)); time <= end; time += 86_400_000)
    days.push(new Date(time).toISOString().slice(0, 10))
  return days.slice(-maxDays)
}

export function byDay(callers: readonly CallerReport[], days: readonly string[]): readonly number[] {
  return days.map((day) => callers.reduce((sum, caller) => sum + (caller.days[day] ?? 0), 0))
}

/** The deprecation of an endpoint; undefined if it is not deprecated. */
export function deprecationOf(
  service: Service,
  { method, path }: Pick<EndpointReport, 'method' | 'path'>,
): Deprecation | undefined {
  const operations = service.apis.flatMap((api) => api.operations)
  const endpoint = operations.find(
    (operation) => operation.method === method && pathKey(operation.path) === pathKey(path),
  )
  return endpoint?.isDeprecated ? (endpoint.deprecation ?? {}) : undefined
}

/** The verdict on an endpoint in a few words. */
export function verdictText(endpoint: EndpointReport): string {
  const { verdict, last } = endpoint
  const callers = applicationsOf(endpoint)
  const { neverCalled, quietSince, inUse, inUseBy } = text().usage
  if (verdict === 'never called') return neverCalled
  if (verdict === 'quiet') return quietSince(last ?? '')
  // In a short range of days, an endpoint may be in use without a call.
  if (callers.length === 0) return inUse
  const names = callers.slice(0, 2).map(callerName)
  return inUseBy(names, callers.length - names.length)
}
