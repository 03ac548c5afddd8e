/** Decides whether a caller may send another request now. */

import { Outage } from '../../foundation/outage.ts'
import { TtlCache } from '../../foundation/ttl-cache.ts'
import type { BucketStore, RateLimit, TakeResult } from '../../store/rate-limit.ts'
import { Buckets } from './buckets.ts'

/** The share of the limit that a process takes from the shared store at once. */
const leaseShare = 1 / 20

/** How long such a quota may be used, as a share of the window. */
const leaseTime = 1 / 20

/** How long the shared store is not used after a failure. */
const failurePauseMs = 1000

/** The minimum number of callers that are remembered. */
const maxCallers = 50_000

export interface Verdict {
  readonly isAllowed: boolean
  /** The number of remaining requests. */
  readonly left: number
  /** The time until the next request is allowed, in milliseconds. */
  readonly waitMs: number
}

/** Counts one request of a caller. */
export type RateLimiter = (key: string) => Verdict | Promise<Verdict>

/** A limiter for a single process. */
export function localLimiter(limit: RateLimit): RateLimiter {
  const buckets = new Buckets(limit)
  return (key) => verdictOn(buckets.takeNow({ key, number: 1 }))
}

function verdictOn({ granted, left, waitMs }: TakeResult): Verdict {
  return { isAllowed: granted > 0, left, waitMs }
}

/** The requests of a caller that were taken from the shared store and not used yet, or the time until there are none. */
interface LocalQuota {
  number: number
  readonly until: number
  /** The number of requests that the shared store had left. */
  readonly left: number
  readonly emptyUntil: number
}

const noQuota: LocalQuota = { number: 0, until: 0, left: 0, emptyUntil: 0 }

/**
 * A limiter for processes that share a store. Each process takes a twentieth of a caller's limit at a time, and uses it within a
 * twentieth of the window. So all processes together exceed the limit by a twentieth per process at most. While the store is
 * unavailable, each process applies the limit by itself.
 */
export class SharedLimiter {
  readonly #store: BucketStore
  readonly #limit: RateLimit
  readonly #lease: number
  readonly #local: RateLimiter
  readonly #quotas: TtlCache<LocalQuota>
  readonly #outage: Outage
  #waiting = new Map<string, ((verdict: Verdict) => void)[]>()
  #failedUntil = 0

  /** `onFault` is called once when the store fails, and again only after it has worked. */
  constructor(store: BucketStore, limit: RateLimit, onFault: (error: unknown) => void) {
    this.#store = store
    this.#limit = limit
    this.#lease = Math.max(1, Math.floor(limit.number * leaseShare))
    this.#local = localLimiter(limit)
    this.#quotas = new TtlCache(maxCallers, limit.windowMs)
    this.#outage = new Outage(onFault)
  }

  take(key: string): Verdict | Promise<Verdict> {
    const now = performance.now()
    if (now < this.#failedUntil) return this.#local(key)
    const quota = this.#quotas.get(key, now) ?? noQuota
    if (quota.number > 0 && now < quota.until) {
      quota.number--
      return { isAllowed: true, left: quota.number + quota.left, waitMs: 0 }
    }
    if (now < quota.emptyUntil) return { isAllowed: false, left: 0, waitMs: quota.emptyUntil - now }
    return new Promise((resolve) => this.#enqueue(key, resolve))
  }

  /** Batches the callers of one turn of the event loop. */
  #enqueue(key: string, resolve: (verdict: Verdict) => void): void {
    const waiting = this.#waiting.get(key)
    if (waiting) waiting.push(resolve)
    else {
      if (this.#waiting.size === 0) setImmediate(() => void this.#flush())
      this.#waiting.set(key, [resolve])
    }
  }

  async #flush(): Promise<void> {
    const batch = [...this.#waiting]
    this.#waiting = new Map()
    // All processes use the same order, so that they cannot deadlock.
    batch.sort(([a], [b]) => (a < b ? -1 : 1))
    try {
      const requests = batch.map(([key, waiting]) => ({ key, number: this.#numberFor(waiting.length) }))
      const results = await this.#store.take(requests)
      this.#outage.succeed()
      for (const [index, [key, waiting]] of batch.entries()) this.#settle(key, waiting, results[index] as TakeResult)
    } catch (error) {
      this.#outage.fail(error)
      this.#failedUntil = performance.now() + failurePauseMs
      for (const [key, waiting] of batch) for (const resolve of waiting) resolve(await this.#local(key))
    }
  }

  #numberFor(waiting: number): number {
    return Math.min(this.#limit.number, Math.max(waiting, this.#lease))
  }

  #settle(key: string, waiting: readonly ((verdict: Verdict) => void)[], { granted, left, waitMs }: TakeResult): void {
    const now = performance.now()
    const before = this.#quotas.get(key, now) ?? noQuota
    const unused = now < before.until ? before.number : 0
    const number = unused + Math.max(0, granted - waiting.length)
    const until = now + this.#limit.windowMs * leaseTime
    this.#quotas.set(key, { number, until, left, emptyUntil: waitMs > 0 && number === 0 ? now + waitMs : 0 }, now)
    for (const [index, resolve] of waiting.entries()) {
      const isAllowed = index < granted
      resolve({ isAllowed, left: isAllowed ? granted - index - 1 + left : 0, waitMs: isAllowed ? 0 : waitMs })
    }
  }
}
