/** Counts requests by endpoint and calling application, in memory that does not grow with the number of requests. */

/** How an application is known: by its user agent, by where its pages are, by its user; or not at all. */
export type CallerKind = 'agent' | 'referrer' | 'user' | 'unattributed' | 'others'

export interface Caller {
  readonly kind: CallerKind
  readonly name: string
}

/** What one caller did with one endpoint. Times are in milliseconds since the epoch, days are counted from there. */
export interface Calls {
  requests: number
  errors: number
  bytes: number
  first: number
  last: number
  readonly days: Map<number, number>
  /** The day of the last request, and how many it has so far: not in `days` yet. */
  today: number
  requestsToday: number
}

/** One request as it is counted. */
export interface Request {
  /** Below 0 for what is none of the endpoints. */
  endpoint: number
  /** A number that stands for the caller. */
  caller: number
  time: number
  status: number
  size: number
}

const day = 86_400_000

export class Tally {
  /** Of each endpoint, by caller. */
  readonly endpoints: readonly Map<number, Calls>[]
  /** Lines that are requests, and lines that are none. */
  requests = 0
  unreadable = 0
  /** Requests that are for none of the endpoints. */
  others = 0
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY
  /** How many requests each day has. */
  readonly days = new Map<number, number>()

  today = Number.NaN
  requestsToday = 0

  constructor(numberOfEndpoints: number) {
    this.endpoints = Array.from({ length: numberOfEndpoints }, () => new Map())
  }

  add({ endpoint, caller, time, status, size }: Request): void {
    this.requests++
    if (time < this.first) this.first = time
    if (time > this.last) this.last = time
    const today = Math.floor(time / day)
    // Most requests are of the day of the one before.
    if (today !== this.today) turn(this, today)
    this.requestsToday++
    const callers = this.endpoints[endpoint]
    if (!callers) {
      this.others++
      return
    }
    let calls = callers.get(caller)
    if (!calls) {
      calls = { requests: 0, errors: 0, bytes: 0, first: time, last: time, days: new Map(), today, requestsToday: 0 }
      callers.set(caller, calls)
    }
    calls.requests++
    if (status >= 400) calls.errors++
    calls.bytes += size
    if (time < calls.first) calls.first = time
    if (time > calls.last) calls.last = time
    if (today !== calls.today) turn(calls, today)
    calls.requestsToday++
  }

  /** All requests of all days are in `days` after this. */
  settle(): void {
    turn(this, Number.NaN)
    for (const callers of this.endpoints) for (const calls of callers.values()) turn(calls, Number.NaN)
  }
}

type Days = Pick<Calls, 'days' | 'today' | 'requestsToday'>

function turn(counted: Days, today: number): void {
  const { days, requestsToday } = counted
  if (requestsToday > 0) days.set(counted.today, (days.get(counted.today) ?? 0) + requestsToday)
  counted.today = today
  counted.requestsToday = 0
}
