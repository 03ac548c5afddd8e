/** What the counts say: for every endpoint who calls it, and whether it could go. */
import type { Endpoint } from './endpoint.ts'
import type { LineReader } from './line-reader.ts'
import type { CallerKind, Calls } from './tally.ts'

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

export interface UsageReport {
  /** What the logs cover; absent where they hold no request. */
  readonly window?: {
    readonly first: string
    readonly last: string
    /** Days within it that have no line at all: nobody called, or it was not logged. */
    readonly gaps: readonly string[]
  }
  /** After so many days without a call an endpoint is quiet. */
  readonly quietAfter: number
  readonly requests: number
  readonly unreadable: number
  /** Requests for none of the endpoints. */
  readonly others: number
  readonly endpoints: readonly EndpointReport[]
}

const day = 86_400_000

export function usageReport(endpoints: readonly Endpoint[], reader: LineReader, quietAfter: number): UsageReport {
  const { tally } = reader
  const isEmpty = tally.requests === 0
  return {
    ...(!isEmpty && { window: { first: shown(tally.first), last: shown(tally.last), gaps: gapsOf(tally.days) } }),
    quietAfter,
    requests: tally.requests,
    unreadable: tally.unreadable,
    others: tally.others,
    endpoints: endpoints.map((endpoint, index) => {
      const callers = [...(tally.endpoints[index] ?? [])].map(([number, calls]) => callerReport(reader, number, calls))
      const all = [...(tally.endpoints[index]?.values() ?? [])]
      const last = Math.max(...all.map((calls) => calls.last))
      const isQuiet = tally.last - last >= quietAfter * day
      return {
        ...endpoint,
        verdict: all.length === 0 ? 'never called' : isQuiet ? 'quiet' : 'in use',
        requests: sum(all, 'requests'),
        errors: sum(all, 'errors'),
        bytes: sum(all, 'bytes'),
        ...(all.length > 0 && { first: shown(Math.min(...all.map((calls) => calls.first))), last: shown(last) }),
        callers: callers.sort((one, other) => other.requests - one.requests || (one.name < other.name ? -1 : 1)),
      }
    }),
  }
}

function callerReport(reader: LineReader, number: number, calls: Calls): CallerReport {
  const { requests, errors, bytes, first, last, days } = calls
  const sorted = [...days].sort(([one], [other]) => one - other)
  return {
    ...reader.caller(number),
    requests,
    errors,
    bytes,
    first: shown(first),
    last: shown(last),
    days: Object.fromEntries(sorted.map(([at, count]) => [dayOf(at), count])),
  }
}

function gapsOf(days: ReadonlyMap<number, number>): readonly string[] {
  const known = [...days.keys()].sort((one, other) => one - other)
  const gaps: string[] = []
  const [first = 0, last = -1] = [known[0], known.at(-1)]
  for (let at = first; at <= last; at++) if (!days.has(at)) gaps.push(dayOf(at))
  return gaps
}

function sum(all: readonly Calls[], column: 'requests' | 'errors' | 'bytes'): number {
  return all.reduce((total, calls) => total + calls[column], 0)
}

function shown(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z')
}

function dayOf(at: number): string {
  return new Date(at * day).toISOString().slice(0, 10)
}
