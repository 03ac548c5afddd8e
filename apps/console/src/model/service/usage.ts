/** What a usage report says, as rows and columns: endpoints by calling application. */

import { pathKey } from '@nomen/core/openapi'
import type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'
import type { Deprecation } from './operation.ts'
import type { Service } from './service.ts'

export type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'

export function callerName({ kind, name }: Pick<CallerReport, 'kind' | 'name'>): string {
  if (kind === 'user') return `user ${name}`
  return kind === 'agent' || kind === 'referrer' ? name : kind === 'others' ? 'others' : 'unattributed'
}

export const rest = 'all others'

/** The busiest applications, and the rest as one. */
export function columnsOf({ endpoints }: UsageReport, most: number): readonly string[] {
  const totals = new Map<string, number>()
  for (const caller of endpoints.flatMap(({ callers }) => callers)) {
    const name = callerName(caller)
    totals.set(name, (totals.get(name) ?? 0) + caller.requests)
  }
  const sorted = [...totals].sort(([, one], [, other]) => other - one).map(([name]) => name)
  return sorted.length > most ? [...sorted.slice(0, most - 1), rest] : sorted
}

export function callersIn(
  { callers }: EndpointReport,
  column: string,
  columns: readonly string[],
): readonly CallerReport[] {
  return callers.filter((caller) => {
    const name = callerName(caller)
    return column === rest ? !columns.includes(name) : name === column
  })
}

/** Between 0 and 1: ten times as many are a step of the same size everywhere. */
export function heat(requests: number, most: number): number {
  return requests === 0 ? 0 : Math.log(requests + 1) / Math.log(most + 1)
}

export function requestsOf(callers: readonly CallerReport[]): number {
  return callers.reduce((sum, { requests }) => sum + requests, 0)
}

/** So many days are drawn at most. */
const mostDays = 366

/** Every day of the window, those without a call included. */
export function daysOf({ window }: UsageReport): readonly string[] {
  if (!window) return []
  const days: string[] = []
  const end = Date.parse(window.last.slice(0, 10))
  for (let at = Date.parse(window.first.slice(0, 10)); at <= end; at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days.slice(-mostDays)
}

export function byDay(callers: readonly CallerReport[], days: readonly string[]): readonly number[] {
  return days.map((day) => callers.reduce((sum, caller) => sum + (caller.days[day] ?? 0), 0))
}

/** What the documents say of an endpoint's end; undefined where it is not to go. */
export function deprecationOf(
  service: Service,
  { method, path }: Pick<EndpointReport, 'method' | 'path'>,
): Deprecation | undefined {
  const operations = service.apis.flatMap((api) => api.operations)
  const found = operations.find((one) => one.method === method && pathKey(one.path) === pathKey(path))
  return found?.isDeprecated ? (found.deprecation ?? {}) : undefined
}

/** How the verdict on an endpoint is told. */
export function verdictText({ verdict, callers, last }: EndpointReport): string {
  if (verdict === 'never called') return 'Never called'
  if (verdict === 'quiet') return `Quiet since ${last?.slice(0, 10)}`
  const named = callers.slice(0, 2).map(callerName)
  const more = callers.length - named.length
  return `In use by ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`
}
