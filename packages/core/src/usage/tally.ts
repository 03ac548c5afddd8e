/** Counts requests by endpoint and calling application, in memory that does not grow with the number of requests. */
import { ownPage } from './endpoint.ts'

/** The requests of one caller to one endpoint. Times are in milliseconds since the epoch, days are counted since then. */
export interface Calls {
  requests: number
  errors: number
  bytes: number
  first: number
  last: number
  readonly days: Map<number, number>
  /** The day of the last request, and its number of requests so far, which `days` does not have yet. */
  currentDay: number
  requestsOfCurrentDay: number
}

/** A request to count. */
export interface Request {
  /** Negative if the request is to none of the endpoints. */
  endpoint: number
  /** A number that stands for the caller. */
  caller: number
  time: number
  status: number
  size: number
}

/** The counted requests of one day. */
export interface CallsOfDay {
  /** Negative if the requests are to none of the endpoints. */
  readonly endpoint: number
  readonly caller: number
  /** Since the epoch. */
  readonly day: number
  readonly requests: number
  readonly errors: number
  readonly bytes: number
  readonly first: number
  readonly last: number
}

/** A period in milliseconds since the epoch. */
export interface Span {
  /** Inclusive. */
  readonly from?: number
  /** Exclusive. */
  readonly to?: number
}

/** In milliseconds. */
export const dayMs = 86_400_000

export class Tally {
  /** The calls of each endpoint, by caller. */
  readonly endpoints: readonly Map<number, Calls>[]
  requests = 0
  /** Lines that are not requests. */
  unreadable = 0
  /** Requests to other paths. */
  others = 0
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY
  /** The number of requests by day. */
  readonly days = new Map<number, number>()
  /** Days with requests for pages of the service itself, which are not counted, but show that the log has lines. */
  readonly pageDays = new Set<number>()

  currentDay = Number.NaN
  requestsOfCurrentDay = 0

  /** Requests outside of the requested period, which are counted nowhere else. */
  readonly outside = { requests: 0, first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
  readonly #from: number
  readonly #to: number

  constructor(
    numberOfEndpoints: number,
    { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Span = {},
  ) {
    this.#from = from
    this.#to = to
    this.endpoints = Array.from({ length: numberOfEndpoints }, () => new Map())
  }

  add({ endpoint, caller, time, status, size }: Request): void {
    if (endpoint === ownPage) {
      this.pageDays.add(Math.floor(time / dayMs))
      return
    }
    if (time < this.#from || time >= this.#to) {
      this.#countOutside(time)
      return
    }
    this.requests++
    if (time < this.first) this.first = time
    if (time > this.last) this.last = time
    const day = Math.floor(time / dayMs)
    // Most requests are on the same day as the one before.
    if (day !== this.currentDay) startDay(this, day)
    this.requestsOfCurrentDay++
    const callers = this.endpoints[endpoint]
    if (!callers) {
      this.others++
      return
    }
    const calls = callers.get(caller) ?? newCalls(callers, caller, time, day)
    calls.requests++
    if (status >= 400) calls.errors++
    calls.bytes += size
    if (time < calls.first) calls.first = time
    if (time > calls.last) calls.last = time
    if (day !== calls.currentDay) startDay(calls, day)
    calls.requestsOfCurrentDay++
  }

  #countOutside(time: number): void {
    const { outside } = this
    outside.requests++
    if (time < outside.first) outside.first = time
    if (time > outside.last) outside.last = time
  }

  /** Adds the counts of a day. */
  addDay({ endpoint, caller, day, requests, errors, bytes, first, last }: CallsOfDay): void {
    this.requests += requests
    this.first = Math.min(this.first, first)
    this.last = Math.max(this.last, last)
    this.days.set(day, (this.days.get(day) ?? 0) + requests)
    const callers = this.endpoints[endpoint]
    if (!callers) {
      this.others += requests
      return
    }
    const calls = callers.get(caller) ?? newCalls(callers, caller, first, day)
    calls.requests += requests
    calls.errors += errors
    calls.bytes += bytes
    calls.first = Math.min(calls.first, first)
    calls.last = Math.max(calls.last, last)
    calls.days.set(day, (calls.days.get(day) ?? 0) + requests)
  }

  /** Adds the requests of the current day to `days`. Call it after the last request. */
  settle(): void {
    closeDay(this)
    for (const callers of this.endpoints) for (const calls of callers.values()) closeDay(calls)
  }
}

/** Adds a caller, before its first call is counted. */
function newCalls(callers: Map<number, Calls>, caller: number, time: number, day: number): Calls {
  const calls: Calls = {
    requests: 0,
    errors: 0,
    bytes: 0,
    first: time,
    last: time,
    days: new Map(),
    currentDay: day,
    requestsOfCurrentDay: 0,
  }
  callers.set(caller, calls)
  return calls
}

type Days = Pick<Calls, 'days' | 'currentDay' | 'requestsOfCurrentDay'>

function startDay(counted: Days, day: number): void {
  closeDay(counted)
  counted.currentDay = day
}

/** Adds the requests of the current day to `days`. Then no day is current. */
function closeDay(counted: Days): void {
  const { days, currentDay, requestsOfCurrentDay } = counted
  if (requestsOfCurrentDay > 0) days.set(currentDay, (days.get(currentDay) ?? 0) + requestsOfCurrentDay)
  counted.currentDay = Number.NaN
  counted.requestsOfCurrentDay = 0
}
