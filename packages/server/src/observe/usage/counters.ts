/** Counts requests in memory, in a few nanoseconds each, until the counts are saved. */
import type { AccessEntry } from '@nomen/core'
import { type Caller, callerByAgent, callerOf, others } from '@nomen/core/usage'

/**
 * The maximum number of new callers per day, and of their counters. Further ones are probably invented, and are counted
 * together. Callers of earlier days have their own limit, so that invented names cannot displace them.
 */
const maxCallers = 1000
const maxCells = 10_000

/** The number of days after which an inactive caller counts as new again. */
const knownDays = 30

/** The maximum number of counters that are kept while the database is unavailable. */
const maxUnsaved = 50_000

/** The maximum number of cached user agents and referrers, and their maximum length. */
const maxCachedTexts = 1000
const maxCachedLength = 500

const secondMs = 1000
const dayMs = 86_400_000

/** Requests of one day, operation, caller and class of status. */
export interface Cell {
  /** Days since the epoch. */
  readonly day: number
  /** The index of the operation; -1 for none. */
  readonly operation: number
  readonly caller: Caller
  /** The first digit of the status. */
  readonly status: number
  requests: number
  bytes: number
  /** Milliseconds since the epoch, rounded to seconds as in the access log. */
  first: number
  last: number
}

/** The counters of one caller on one day, by operation and status. */
interface CallerCounters {
  readonly caller: Caller
  /** Whether the caller is known from an earlier day. */
  readonly isKnown: boolean
  readonly cells: Map<number, Cell>
}

/** A user agent that does not identify the caller by itself. */
const undecidedAgent: CallerCounters = { caller: others, isKnown: false, cells: new Map() }

type CountedEntry = Pick<AccessEntry, 'time' | 'status' | 'size' | 'userAgent' | 'referrer' | 'user'>

export interface CountersOptions {
  /** Whether callers need a token. A request without a user then cannot add a new caller. */
  readonly requiresToken?: boolean
}

/** Statuses of rejected requests: no valid token, no scope, rate limit, overload. */
const rejectedStatuses: readonly number[] = [401, 403, 429, 503]

export class Counters {
  readonly #requiresToken: boolean
  #day = Number.NaN
  #callers = new Map<string, CallerCounters>()
  /** Callers of earlier days with the last day of a request; the oldest callers first. */
  #known = new Map<string, number>()
  #numberOfNew = 0
  #numberOfCells = 0
  #numberOfKnownCells = 0
  readonly #byAgent = new Map<string, CallerCounters>()
  readonly #byReferrer = new Map<string, CallerCounters>()
  /** The counters of requests that have no referrer, no user, and an undecided user agent, by that agent. */
  readonly #byAgentOnly = new Map<string, CallerCounters>()
  /** Counters that have changed since they were last taken, in the order of their first change. */
  #changed: Cell[] = []
  #lost = 0

  constructor({ requiresToken = false }: CountersOptions = {}) {
    this.#requiresToken = requiresToken
  }

  /** Adds callers of an earlier day, in days since the epoch. */
  addKnownCallers(callers: Iterable<Caller>, day: number): void {
    for (const caller of callers) {
      if (this.#known.size >= maxCallers) break
      const key = keyOf(caller)
      if (!this.#known.has(key)) this.#known.set(key, day)
    }
    // Some of them may have been counted as others until now.
    this.#forgetTexts()
  }

  /** Counts one request; `operation` is an index, or -1 for none. */
  add(entry: CountedEntry, operation: number): void {
    const { time, status, size } = entry
    const day = Math.floor(time / dayMs)
    if (day !== this.#day) this.#startDay(day)
    const digit = Math.floor(status / 100)
    const key = operation * 16 + digit
    const isUnproven = rejectedStatuses.includes(status) || (this.#requiresToken && entry.user === undefined)
    const counters = isUnproven ? this.#countersIfNamed(entry) : this.#countersOfEntry(entry)
    const cell = counters.cells.get(key) ?? this.#addCell(counters, key, operation, digit)
    const seconds = time - (time % secondMs)
    if (cell.requests === 0) {
      this.#changed.push(cell)
      cell.first = seconds
      cell.last = seconds
    }
    cell.requests++
    cell.bytes += size
    if (seconds < cell.first) cell.first = seconds
    if (seconds > cell.last) cell.last = seconds
  }

  get unsavedCount(): number {
    return this.#changed.length
  }

  /** Takes and resets up to `maxNumber` counters of one day, the oldest first. They are all different. */
  take(maxNumber: number): readonly Cell[] {
    const day = this.#changed[0]?.day
    let end = 0
    while (end < Math.min(maxNumber, this.#changed.length) && this.#changed[end]?.day === day) end++
    const cells = this.#changed.slice(0, end).map((cell) => ({ ...cell }))
    for (const cell of this.#changed.slice(0, end)) {
      cell.requests = 0
      cell.bytes = 0
    }
    this.#changed = this.#changed.slice(end)
    return cells
  }

  /** The number of requests that were dropped since the last call, because their counts could not be saved for days. */
  takeLost(): number {
    const lost = this.#lost
    this.#lost = 0
    return lost
  }

  /** Starts a new day. Callers of the day before become known callers. */
  #startDay(day: number): void {
    const lastDays = [...this.#known].map(([key, last]) => [key, this.#callers.has(key) ? this.#day : last] as const)
    const active = [...this.#callers.keys()].map((key) => [key, this.#day] as const)
    const recent = lastDays.filter(([, last]) => day - last <= knownDays)
    this.#known = new Map([...new Map([...recent, ...active])].slice(0, maxCallers))
    this.#day = day
    this.#callers = new Map()
    this.#numberOfNew = 0
    this.#numberOfCells = 0
    this.#numberOfKnownCells = 0
    this.#forgetTexts()
    const tooMany = this.#changed.length - maxUnsaved
    if (tooMany > 0) for (const { requests } of this.#changed.splice(0, tooMany)) this.#lost += requests
  }

  #forgetTexts(): void {
    this.#byAgent.clear()
    this.#byReferrer.clear()
    this.#byAgentOnly.clear()
  }

  /** A request that anyone can send does not add a new caller. It counts for an existing one, or for the others. */
  #countersIfNamed(entry: CountedEntry): CallerCounters {
    const caller = callerOf(entry)
    const key = keyOf(caller)
    const isNamed = caller.name === '' || caller.kind === 'console' || this.#callers.has(key) || this.#known.has(key)
    return this.#countersOf(isNamed ? caller : others)
  }

  #countersOfEntry(entry: CountedEntry): CallerCounters {
    const { userAgent = '', referrer = '' } = entry
    const counters = this.#byAgent.get(userAgent) ?? this.#remember(this.#byAgent, userAgent, callerByAgent(userAgent))
    if (counters !== undecidedAgent) return counters
    if (referrer === '' && entry.user === undefined)
      return this.#byAgentOnly.get(userAgent) ?? this.#remember(this.#byAgentOnly, userAgent, callerOf(entry))
    const page = this.#byReferrer.get(referrer)
    if (page) return page
    const caller = callerOf(entry)
    const isPage = caller.kind === 'referrer' || caller.kind === 'console'
    return isPage ? this.#remember(this.#byReferrer, referrer, caller) : this.#countersOf(caller)
  }

  #remember(countersByText: Map<string, CallerCounters>, text: string, caller: Caller | undefined): CallerCounters {
    const counters = caller ? this.#countersOf(caller) : undecidedAgent
    if (text.length > maxCachedLength) return counters
    if (countersByText.size >= maxCachedTexts) countersByText.clear()
    countersByText.set(text, counters)
    return counters
  }

  #countersOf(caller: Caller): CallerCounters {
    const key = keyOf(caller)
    const existing = this.#callers.get(key)
    if (existing) return existing
    const isKnown = this.#known.has(key)
    const isNew = !isKnown && caller.name !== ''
    if (isNew && this.#numberOfNew >= maxCallers) return this.#countersOf(others)
    if (isNew) this.#numberOfNew++
    const counters = { caller, isKnown, cells: new Map() }
    this.#callers.set(key, counters)
    return counters
  }

  #addCell(counters: CallerCounters, key: number, operation: number, status: number): Cell {
    const number = counters.isKnown ? this.#numberOfKnownCells : this.#numberOfCells
    const isFull = number >= maxCells && counters.caller.kind !== 'others'
    const { caller, cells, isKnown } = isFull ? this.#countersOf(others) : counters
    const existing = cells.get(key)
    if (existing) return existing
    const cell = { day: this.#day, operation, caller, status, requests: 0, bytes: 0, first: 0, last: 0 }
    cells.set(key, cell)
    if (isKnown) this.#numberOfKnownCells++
    else this.#numberOfCells++
    return cell
  }
}

function keyOf({ kind, name }: Caller): string {
  return `${kind} ${name}`
}
