/** Counts requests in memory, for a few nanoseconds each, until they are taken to the database. */
import type { AccessEntry } from '@nomen/core'
import { type Caller, callerByAgent, callerOf, others } from '@nomen/core/usage'

/** More names than this on one day are made up, and counted together; so are pairs of a name and an operation. */
const mostCallers = 1000
const mostCells = 10_000

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
  readonly cells: Map<number, Cell>
}

/** Stands for a user agent that does not tell the caller by itself. */
const undecided: Counted = { caller: others, cells: new Map() }

type Counting = Pick<AccessEntry, 'time' | 'status' | 'size' | 'userAgent' | 'referrer' | 'user'>

export class Counters {
  #day = Number.NaN
  #callers = new Map<string, Counted>()
  #numberOfCells = 0
  readonly #byAgent = new Map<string, Counted>()
  readonly #byReferrer = new Map<string, Counted>()
  /** Those of whom nothing but an undecided agent is known, by that agent. */
  readonly #alone = new Map<string, Counted>()
  /** Cells that have counted something since they were last taken, in the order in which they began to. */
  #untaken: Cell[] = []
  #lost = 0

  /** Counts one request of the operation with an index; of -1 for none. */
  add(entry: Counting, operation: number): void {
    const { time, status, size } = entry
    const day = Math.floor(time / dayLength)
    if (day !== this.#day) this.#turn(day)
    const digit = Math.floor(status / 100)
    const key = operation * 16 + digit
    const counted = this.#countedOf(entry)
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

  /** Names are told apart anew each day. */
  #turn(day: number): void {
    this.#day = day
    this.#callers = new Map()
    this.#numberOfCells = 0
    this.#byAgent.clear()
    this.#byReferrer.clear()
    this.#alone.clear()
    const tooMany = this.#untaken.length - mostUntaken
    if (tooMany > 0) for (const { requests } of this.#untaken.splice(0, tooMany)) this.#lost += requests
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
    const key = `${caller.kind} ${caller.name}`
    const known = this.#callers.get(key)
    if (known) return known
    if (this.#callers.size >= mostCallers && caller.name !== '') return this.#counted(others)
    const counted = { caller, cells: new Map() }
    this.#callers.set(key, counted)
    return counted
  }

  #begin(counted: Counted, key: number, operation: number, status: number): Cell {
    const isFull = this.#numberOfCells >= mostCells && counted.caller.kind !== 'others'
    const { caller, cells } = isFull ? this.#counted(others) : counted
    const known = cells.get(key)
    if (known) return known
    const cell = { day: this.#day, operation, caller, status, requests: 0, bytes: 0, first: 0, last: 0 }
    cells.set(key, cell)
    this.#numberOfCells++
    return cell
  }
}
