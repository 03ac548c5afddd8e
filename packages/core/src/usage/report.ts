/** What the counts say: for every endpoint who calls it, and whether it could go. */
import type { Caller, CallerKind } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { type Calls, dayLength, type Tally } from './tally.ts'

export type Verdict = 'never called' | 'quiet' | 'in use'

export interface CallerReport {
  readonly kind: CallerKind
  /** Empty for those that cannot be told apart. */
  readonly name: string
  readonly requests: number
  readonly errors: number
  readonly bytes: number
  /** ISO, as are all times. */
  readonly first: string
  readonly last: string
  /** Requests by day. */
  readonly days: { readonly [day: string]: number }
}

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

/** What the figures are true for. */
export interface UsageWindow {
  readonly first: string
  readonly last: string
  /** Days within it of which nothing is known: that have no line in the logs, or on which no service was running. */
  readonly gaps: readonly string[]
}

export interface UsageReport {
  /** Where the figures are from. */
  readonly source: 'access logs' | 'service'
  /** The time that was asked for, where it was: days, both included, or moments, the second not. */
  readonly asked?: { readonly from?: string; readonly to?: string }
  /** Requests in the logs that are of other times. */
  readonly outside?: { readonly requests: number; readonly first: string; readonly last: string }
  /** Absent where logs hold no request. */
  readonly window?: UsageWindow
  /** After so many days without a call an endpoint is quiet. */
  readonly quietAfter: number
  readonly requests: number
  /** Lines that are no requests. */
  readonly unreadable: number
  /** Requests for none of the endpoints. */
  readonly others: number
  readonly endpoints: readonly EndpointReport[]
}

/** Requests that were counted, from whatever source. */
export interface Counted {
  readonly tally: Tally
  /** Who the number of a caller stands for. */
  caller(number: number): Caller
}

export function usageReport(endpoints: readonly Endpoint[], counted: Counted, quietAfter: number): UsageReport {
  const { tally } = counted
  const { first, last, outside } = tally
  const window = tally.requests > 0 ? usageWindow(first, last, tally.days.keys()) : undefined
  return {
    source: 'access logs',
    ...(outside.requests > 0 && {
      outside: { requests: outside.requests, first: shown(outside.first), last: shown(outside.last) },
    }),
    ...(window && { window }),
    quietAfter,
    requests: tally.requests,
    unreadable: tally.unreadable,
    others: tally.others,
    endpoints: endpoints.map((endpoint, index) =>
      endpointReport(endpoint, index, counted, last - quietAfter * dayLength),
    ),
  }
}

/** From one moment to another, both in milliseconds; `days` are those that something is known of, since the epoch. */
export function usageWindow(first: number, last: number, days: Iterable<number>): UsageWindow {
  return { first: shown(first), last: shown(last), gaps: gapsOf(days) }
}

/** Of the endpoint at an index of those that were counted; it is quiet if its last call is not after the moment given. */
export function endpointReport(
  endpoint: Endpoint,
  index: number,
  counted: Counted,
  quietSince: number,
): EndpointReport {
  const called = [...(counted.tally.endpoints[index] ?? [])]
  const all = called.map(([, calls]) => calls)
  const last = Math.max(...all.map((calls) => calls.last))
  return {
    ...endpoint,
    verdict: all.length === 0 ? 'never called' : last <= quietSince ? 'quiet' : 'in use',
    requests: sum(all, 'requests'),
    errors: sum(all, 'errors'),
    bytes: sum(all, 'bytes'),
    ...(all.length > 0 && { first: shown(Math.min(...all.map((calls) => calls.first))), last: shown(last) }),
    callers: called
      .map(([number, calls]) => callerReport(counted.caller(number), calls))
      .sort(
        (one, other) =>
          other.requests - one.requests || compared(one.name, other.name) || compared(one.kind, other.kind),
      ),
  }
}

function callerReport(caller: Caller, calls: Calls): CallerReport {
  const { requests, errors, bytes, first, last, days } = calls
  const sorted = [...days].sort(([one], [other]) => one - other)
  return {
    ...caller,
    requests,
    errors,
    bytes,
    first: shown(first),
    last: shown(last),
    days: Object.fromEntries(sorted.map(([at, count]) => [dayOf(at), count])),
  }
}

function compared(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function gapsOf(days: Iterable<number>): readonly string[] {
  const known = new Set(days)
  const gaps: string[] = []
  const last = Math.max(...known)
  for (let at = Math.min(...known); at < last; at++) if (!known.has(at)) gaps.push(dayOf(at))
  return gaps
}

function sum(all: readonly Calls[], column: 'requests' | 'errors' | 'bytes'): number {
  return all.reduce((total, calls) => total + calls[column], 0)
}

function shown(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

/** The days of a report come again for every caller. */
const days = new Map<number, string>()
const mostDays = 10_000

function dayOf(at: number): string {
  const known = days.get(at)
  if (known !== undefined) return known
  const day = new Date(at * dayLength).toISOString().slice(0, 10)
  if (days.size < mostDays) days.set(at, day)
  return day
}
