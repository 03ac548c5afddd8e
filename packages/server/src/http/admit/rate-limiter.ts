/** Decides whether a caller may make one more request now. */

import { Outage } from '../../foundation/outage.ts'
import { TtlCache } from '../../foundation/ttl-cache.ts'
import type { BucketStore, RateLimit, TakeResult } from '../../store/rate-limit.ts'
import { Buckets } from './buckets.ts'

/** What a bank gives at once, as a share of the limit: so many of a caller's requests need not ask it. */
const leaseShare = 1 / 20

/** How long such a stock may be used, as a share of the window. */
const leaseTime = 1 / 20

/** How long a bank that has failed is not asked, in milliseconds. */
const failurePause = 1000

/** How many callers are remembered at least. */
const mostCallers = 50_000

export interface Verdict {
  readonly isAllowed: boolean
  /** How many more there may be now. */
  readonly left: number
  /** Until there may be one more, in milliseconds. */
  readonly wait: number
}

/** Takes one request of a caller into account. To find out may take time. */
export type RateLimiter = (key: string) => Verdict | Promise<Verdict>

/** For a service that is one process. */
export function ownLimiter(limit: RateLimit): RateLimiter {
  const buckets = new Buckets(limit)
  return (key) => verdictOn(buckets.takeNow({ key, number: 1 }))
}

function verdictOn({ granted, left, wait }: TakeResult): Verdict {
  return { isAllowed: granted > 0, left, wait }
}

/** What was taken from the bank for a caller and not used yet, or until when there is nothing. */
interface Stock {
  number: number
  readonly until: number
  /** What the bank had left. */
  readonly left: number
  readonly emptyUntil: number
}

const noStock: Stock = { number: 0, until: 0, left: 0, emptyUntil: 0 }

/**
 * For processes that share a bank. Each takes some requests of a caller at a time, a twentieth of the limit, and uses
 * them up within a twentieth of the window: so all processes together never let through more than the bank's bucket and
 * a twentieth for each process. While the bank does not answer, each process counts for itself.
 */
export class SharedLimiter {
  readonly #bank: BucketStore
  readonly #limit: RateLimit
  readonly #lease: number
  readonly #own: RateLimiter
  readonly #stocks: TtlCache<Stock>
  readonly #outage: Outage
  #waiting = new Map<string, ((verdict: Verdict) => void)[]>()
  #failedUntil = 0

  /** `onFault` is told once when the bank fails, and not again before it has answered. */
  constructor(bank: BucketStore, limit: RateLimit, onFault: (error: unknown) => void) {
    this.#bank = bank
    this.#limit = limit
    this.#lease = Math.max(1, Math.floor(limit.number * leaseShare))
    this.#own = ownLimiter(limit)
    this.#stocks = new TtlCache(mostCallers, limit.window)
    this.#outage = new Outage(onFault)
  }

  take(key: string): Verdict | Promise<Verdict> {
    const now = performance.now()
    if (now < this.#failedUntil) return this.#own(key)
    const stock = this.#stocks.get(key, now) ?? noStock
    if (stock.number > 0 && now < stock.until) {
      stock.number--
      return { isAllowed: true, left: stock.number + stock.left, wait: 0 }
    }
    if (now < stock.emptyUntil) return { isAllowed: false, left: 0, wait: stock.emptyUntil - now }
    return new Promise((resolve) => this.#ask(key, resolve))
  }

  /** All callers of one turn of the event loop are asked for at once. */
  #ask(key: string, resolve: (verdict: Verdict) => void): void {
    const others = this.#waiting.get(key)
    if (others) others.push(resolve)
    else {
      if (this.#waiting.size === 0) setImmediate(() => void this.#flush())
      this.#waiting.set(key, [resolve])
    }
  }

  async #flush(): Promise<void> {
    const asked = [...this.#waiting]
    this.#waiting = new Map()
    // In one order for all processes, lest two wait for each other.
    asked.sort(([one], [other]) => (one < other ? -1 : 1))
    try {
      const wishes = asked.map(([key, waiting]) => ({ key, number: this.#wish(waiting.length) }))
      const grants = await this.#bank.take(wishes)
      this.#outage.succeed()
      for (const [index, [key, waiting]] of asked.entries()) this.#settle(key, waiting, grants[index] as TakeResult)
    } catch (error) {
      this.#outage.fail(error)
      this.#failedUntil = performance.now() + failurePause
      for (const [key, waiting] of asked) for (const resolve of waiting) resolve(await this.#own(key))
    }
  }

  #wish(waiting: number): number {
    return Math.min(this.#limit.number, Math.max(waiting, this.#lease))
  }

  #settle(key: string, waiting: readonly ((verdict: Verdict) => void)[], { granted, left, wait }: TakeResult): void {
    const now = performance.now()
    const before = this.#stocks.get(key, now) ?? noStock
    const unused = now < before.until ? before.number : 0
    const number = unused + Math.max(0, granted - waiting.length)
    const until = now + this.#limit.window * leaseTime
    this.#stocks.set(key, { number, until, left, emptyUntil: wait > 0 && number === 0 ? now + wait : 0 }, now)
    for (const [index, resolve] of waiting.entries()) {
      const isAllowed = index < granted
      resolve({ isAllowed, left: isAllowed ? granted - index - 1 + left : 0, wait: isAllowed ? 0 : wait })
    }
  }
}
