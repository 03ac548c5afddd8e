/** Counts requests in memory, for a few nanoseconds each, until they are taken to the database. */
import type { AccessEntry } from '@nomen/core'
import { type Caller, callerByAgent, callerOf, others } from '@nomen/core/usage'

/**
 * More new names than this on one day are made up, and counted together; so are pairs of a name and an operation. Names
 * of earlier days have as much room again, so that made-up names do not take it from them.
 */
const mostCallers = 1000
const mostCells = 10_000

/** For how many days a name that does not come is still one of earlier days. */
const longestKnown = 30

/** How much is kept for a database that takes nothing, over several days. */
const mostUntaken = 50_000

/** How many user agents, and referrers, are known by heart, and how long one may be. */
const mostRemembered = 1000
const longestRemembered = 500

const second = 1000
const dayLength = 86_400_000

/** Requests of one day, operation, caller and class of status. */
export interface Cell {
  /** Since the epoch. */
  readonly day: number
  /** An index; -1 for what is no operation. */
  readonly operation: number
  readonly caller: Caller
  /** The first digit. */
  readonly status: number
  requests: number
  bytes: number
  /** In milliseconds, of whole seconds as in the access log. */
  first: number
  last: number
}

/** One caller on one day, and its cells by operation and status. */
interface Counted {
  readonly caller: Caller
  /** Whether it came on an earlier day. */
  readonly isKnown: boolean
  readonly cells: Map<number, Cell>
}

/** Stands for a user agent that does not tell the caller by itself. */
const undecided: Counted = { caller: others, isKnown: false, cells: new Map() }

type Counting = Pick<AccessEntry, 'time' | 'status' | 'size' | 'userAgent' | 'referrer' | 'user'>

export interface CountersOptions {
  /** Whether callers must show a token: then a request without a user takes no name. */
  readonly isGuarded?: boolean
}

/** Requests that were refused before anything was done: without a good token, without the scope, one of too many. */
const refusals: readonly number[] = [401, 403, 429, 503]

export class Counters {
  readonly #isGuarded: boolean
  #day = Number.NaN
  #callers = new Map<string, Counted>()
  /** Names of earlier days, the longest known first, each with the last day on which it came. */
  #known = new Map<string, number>()
  #numberOfNew = 0
  #numberOfCells = 0
  #numberOfKnownCells = 0
  readonly #byAgent = new Map<string, Counted>()
  readonly #byReferrer = new Map<string, Counted>()
  /** Those of whom nothing but an undecided agent is known, by that agent. */
  readonly #alone = new Map<string, Counted>()
  /** Cells that have counted something since they were last taken, in the order in which they began to. */
  #untaken: Cell[] = []
  #lost = 0

  constructor({ isGuarded = false }: CountersOptions = {}) {
    this.#isGuarded = isGuarded
  }

  /** Tells which callers came on an earlier day, in days since the epoch. */
  know(callers: Iterable<Caller>, day: number): void {
    for (const caller of callers) {
      if (this.#known.size >= mostCallers) break
      const key = keyOf(caller)
      if (!this.#known.has(key)) this.#known.set(key, day)
    }
    // Some of them may have been counted as others until now.
    this.#forgetTexts()
  }

  /** Counts one request of the operation with an index; of -1 for none. */
  add(entry: Counting, operation: number): void {
    const { time, status, size } = entry
    const day = Math.floor(time / dayLength)
    if (day !== this.#day) this.#turn(day)
    const digit = Math.floor(status / 100)
    const key = operation * 16 + digit
    const isUnproven = refusals.includes(status) || (this.#isGuarded && entry.user === undefined)
    const counted = isUnproven ? this.#countedIfNamed(entry) : this.#countedOf(entry)
    const cell = counted.cells.get(key) ?? this.#begin(counted, key, operation, digit)
    const moment = time - (time % second)
    if (cell.requests === 0) {
      this.#untaken.push(cell)
      cell.first = moment
      cell.last = moment
    }
    cell.requests++
    cell.bytes += size
    if (moment < cell.first) cell.first = moment
    if (moment > cell.last) cell.last = moment
  }

  get numberOfUntaken(): number {
    return this.#untaken.length
  }

  /** Takes up to so many cells of one day, the oldest first; they begin anew. No two of them are of the same things. */
  take(most: number): readonly Cell[] {
    const day = this.#untaken[0]?.day
    let end = 0
    while (end < Math.min(most, this.#untaken.length) && this.#untaken[end]?.day === day) end++
    const taken = this.#untaken.slice(0, end).map((cell) => ({ ...cell }))
    for (const cell of this.#untaken.slice(0, end)) {
      cell.requests = 0
      cell.bytes = 0
    }
    this.#untaken = this.#untaken.slice(end)
    return taken
  }

  /** How many requests had to be let go since this was last asked, because nobody took them for days. */
  takeLost(): number {
    const lost = this.#lost
    this.#lost = 0
    return lost
  }

  /** Names are counted separately again each day; those of earlier days come first. */
  #turn(day: number): void {
    const known = [...this.#known].map(([key, last]) => [key, this.#callers.has(key) ? this.#day : last] as const)
    const came = [...this.#callers.keys()].map((key) => [key, this.#day] as const)
    const recent = known.filter(([, last]) => day - last <= longestKnown)
    this.#known = new Map([...new Map([...recent, ...came])].slice(0, mostCallers))
    this.#day = day
    this.#callers = new Map()
    this.#numberOfNew = 0
    this.#numberOfCells = 0
    this.#numberOfKnownCells = 0
    this.#forgetTexts()
    const tooMany = this.#untaken.length - mostUntaken
    if (tooMany > 0) for (const { requests } of this.#untaken.splice(0, tooMany)) this.#lost += requests
  }

  #forgetTexts(): void {
    this.#byAgent.clear()
    this.#byReferrer.clear()
    this.#alone.clear()
  }

  /** A request that anybody can send takes no name, and is counted under one that is there already. */
  #countedIfNamed(entry: Counting): Counted {
    const caller = callerOf(entry)
    const key = keyOf(caller)
    const isNamed = caller.name === '' || this.#callers.has(key) || this.#known.has(key)
    return this.#counted(isNamed ? caller : others)
  }

  #countedOf(entry: Counting): Counted {
    const { userAgent = '', referrer = '' } = entry
    const known = this.#byAgent.get(userAgent) ?? this.#remember(this.#byAgent, userAgent, callerByAgent(userAgent))
    if (known !== undecided) return known
    if (referrer === '' && entry.user === undefined)
      return this.#alone.get(userAgent) ?? this.#remember(this.#alone, userAgent, callerOf(entry))
    const page = this.#byReferrer.get(referrer)
    if (page) return page
    const caller = callerOf(entry)
    return caller.kind === 'referrer' ? this.#remember(this.#byReferrer, referrer, caller) : this.#counted(caller)
  }

  #remember(known: Map<string, Counted>, text: string, caller: Caller | undefined): Counted {
    const counted = caller ? this.#counted(caller) : undecided
    if (text.length > longestRemembered) return counted
    if (known.size >= mostRemembered) known.clear()
    known.set(text, counted)
    return counted
  }

  #counted(caller: Caller): Counted {
    const key = keyOf(caller)
    const present = this.#callers.get(key)
    if (present) return present
    const isKnown = this.#known.has(key)
    const isNew = !isKnown && caller.name !== ''
    if (isNew && this.#numberOfNew >= mostCallers) return this.#counted(others)
    if (isNew) this.#numberOfNew++
    const counted = { caller, isKnown, cells: new Map() }
    this.#callers.set(key, counted)
    return counted
  }

  #begin(counted: Counted, key: number, operation: number, status: number): Cell {
    const number = counted.isKnown ? this.#numberOfKnownCells : this.#numberOfCells
    const isFull = number >= mostCells && counted.caller.kind !== 'others'
    const { caller, cells, isKnown } = isFull ? this.#counted(others) : counted
    const known = cells.get(key)
    if (known) return known
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
