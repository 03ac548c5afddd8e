/** Usage reports: the callers of every endpoint, and whether it is still in use. */
import type { Caller, CallerKind } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { gapsOf } from './gap.ts'
import { type Calls, dayMs, type Span, type Tally } from './tally.ts'

/** Whether an endpoint is in use. `quiet` has had no calls for the last days. */
export type Verdict = 'never called' | 'quiet' | 'in use'

/** The requests of one calling application to one endpoint. */
export interface CallerReport {
  readonly kind: CallerKind
  /** Empty for the kinds `unattributed` and `others`. */
  readonly name: string
  readonly requests: number
  readonly errors: number
  readonly bytes: number
  /** The time of the first request, in ISO 8601. */
  readonly first: string
  readonly last: string
  /** Requests by day. */
  readonly days: { readonly [day: string]: number }
}

/** The usage of one endpoint. The console of the service is among the callers, but neither the verdict nor the totals count it. */
export interface EndpointReport extends Endpoint {
  readonly verdict: Verdict
  readonly requests: number
  readonly errors: number
  readonly bytes: number
  readonly first?: string
  readonly last?: string
  /** The busiest first. */
  readonly callers: readonly CallerReport[]
}

/** The period of a usage report, in ISO 8601. */
export interface UsageWindow {
  readonly first: string
  readonly last: string
  /**
   * Days for which data may be missing: no service was running, or the logs have no line of a day that usually has some. They
   * may be before `first` or after `last` if a longer period was requested.
   */
  readonly gaps: readonly string[]
}

/** A usage report: the requests of an API by endpoint and calling application. */
export interface UsageReport {
  /** The source of the counts. */
  readonly source: 'access logs' | 'service'
  /** The requested period, if there was one: dates (inclusive), or timestamps (the second exclusive). */
  readonly requested?: { readonly from?: string; readonly to?: string }
  /** Requests in the logs outside of the requested period. */
  readonly outside?: { readonly requests: number; readonly first: string; readonly last: string }
  /** Absent if the logs have no request. */
  readonly window?: UsageWindow
  /** The number of days without a call after which an endpoint is quiet. */
  readonly quietAfter: number
  readonly requests: number
  /** The number of lines that are not requests. */
  readonly unreadable: number
  /** The number of requests to other paths. */
  readonly others: number
  readonly endpoints: readonly EndpointReport[]
}

/** Counted requests, from a `LineReader` or a `RollupReader`. */
export interface RequestCounts {
  readonly tally: Tally
  /** Returns the caller with a number. */
  caller(number: number): Caller
}

/**
 * Creates a usage report from counted requests: for each endpoint, who calls it and whether it is still in use. An endpoint
 * is quiet after `quietAfter` days without a call. `requested` is the period in which missing days are reported as gaps, by
 * default from the first to the last request.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * const reader = new LineReader(endpoints) // then read() the bytes of the logs
 * for (const { method, path, verdict } of usageReport(endpoints, reader, 30).endpoints) console.log(method, path, verdict)
 * ```
 */
export function usageReport(
  endpoints: readonly Endpoint[],
  counts: RequestCounts,
  quietAfter: number,
  requested: Span = {},
): UsageReport {
  const { tally } = counts
  const { last, outside } = tally
  const window = tally.requests > 0 ? windowOf(tally, requested) : undefined
  return {
    source: 'access logs',
    ...(outside.requests > 0 && {
      outside: { requests: outside.requests, first: timeText(outside.first), last: timeText(outside.last) },
    }),
    ...(window && { window }),
    quietAfter,
    requests: tally.requests,
    unreadable: tally.unreadable,
    others: tally.others,
    endpoints: endpoints.map((endpoint, index) => endpointReport(endpoint, index, counts, last - quietAfter * dayMs)),
  }
}

/**
 * Returns the period of a usage report. `first` and `last` are in milliseconds since the epoch, `days` are the days with data,
 * counted since the epoch.
 *
 * @example
 * ```ts
 * usageWindow(0, 86_400_000, [0, 1]) // { first: '1970-01-01T00:00:00.000Z', last: '1970-01-02T00:00:00.000Z', gaps: [] }
 * ```
 */
export function usageWindow(first: number, last: number, days: Iterable<number>): UsageWindow {
  return { first: timeText(first), last: timeText(last), gaps: missingDays(days) }
}

/** Only whole days can be gaps. */
function windowOf({ first, last, days, pageDays }: Tally, { from, to }: Span): UsageWindow {
  const requests = new Map([...[...pageDays].map((day) => [day, 0] as const), ...days])
  const firstDay = from === undefined ? Math.floor(first / dayMs) : Math.ceil(from / dayMs)
  const lastDay = to === undefined ? Math.floor(last / dayMs) : Math.floor(to / dayMs) - 1
  return { first: timeText(first), last: timeText(last), gaps: gapsOf(requests, firstDay, lastDay).map(dayOf) }
}

/**
 * Returns the usage report of one endpoint, by its index. It is quiet if its last call is not after `quietSince`, in
 * milliseconds since the epoch.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * const reader = new LineReader(endpoints)
 * const reports = endpoints.map((endpoint, index) => endpointReport(endpoint, index, reader, Date.now() - 30 * 86_400_000))
 * ```
 */
export function endpointReport(
  endpoint: Endpoint,
  index: number,
  counts: RequestCounts,
  quietSince: number,
): EndpointReport {
  const callsByCaller = [...(counts.tally.endpoints[index] ?? [])]
  const applications = callsByCaller.filter(([number]) => counts.caller(number).kind !== 'console')
  const applicationCalls = applications.map(([, calls]) => calls)
  const last = Math.max(...applicationCalls.map((calls) => calls.last))
  return {
    ...endpoint,
    verdict: applicationCalls.length === 0 ? 'never called' : last <= quietSince ? 'quiet' : 'in use',
    requests: sum(applicationCalls, 'requests'),
    errors: sum(applicationCalls, 'errors'),
    bytes: sum(applicationCalls, 'bytes'),
    ...(applicationCalls.length > 0 && {
      first: timeText(Math.min(...applicationCalls.map((calls) => calls.first))),
      last: timeText(last),
    }),
    callers: callsByCaller
      .map(([number, calls]) => callerReport(counts.caller(number), calls))
      .sort((a, b) => b.requests - a.requests || compareText(a.name, b.name) || compareText(a.kind, b.kind)),
  }
}

function callerReport(caller: Caller, calls: Calls): CallerReport {
  const { requests, errors, bytes, first, last, days } = calls
  const sorted = [...days].sort(([a], [b]) => a - b)
  return {
    ...caller,
    requests,
    errors,
    bytes,
    first: timeText(first),
    last: timeText(last),
    days: Object.fromEntries(sorted.map(([at, count]) => [dayOf(at), count])),
  }
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function missingDays(days: Iterable<number>): readonly string[] {
  const daysWithData = new Set(days)
  const missing: string[] = []
  const last = Math.max(...daysWithData)
  for (let day = Math.min(...daysWithData); day < last; day++) if (!daysWithData.has(day)) missing.push(dayOf(day))
  return missing
}

function sum(all: readonly Calls[], column: 'requests' | 'errors' | 'bytes'): number {
  return all.reduce((total, calls) => total + calls[column], 0)
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** A cache, because every caller of a report has the same days. */
const dayTexts = new Map<number, string>()
const maxCachedDays = 10_000

function dayOf(dayNumber: number): string {
  const cached = dayTexts.get(dayNumber)
  if (cached !== undefined) return cached
  const text = new Date(dayNumber * dayMs).toISOString().slice(0, 10)
  if (dayTexts.size < maxCachedDays) dayTexts.set(dayNumber, text)
  return text
}
