/** Decides whether a caller may send another request now. */

import { Outage } from '../../foundation/outage.ts'
import { TtlCache } from '../../foundation/ttl-cache.ts'
import type { BucketStore, RateLimit, TakeResult } from '../../store/rate-limit.ts'
import { Buckets } from './buckets.ts'

/** The share of the limit that a process takes from the shared store at once. */
const leaseShare = 1 / 20

/** How long such a quota may be used, as a share of the window. */
const leaseWindowShare = 1 / 20

/** How long the shared store is not used after a failure. */
const failurePauseMs = 1000

/** The minimum number of callers that are remembered. */
const maxCallers = 50_000

export interface RateLimitDecision {
  readonly isAllowed: boolean
  /** The number of remaining requests. */
  readonly remaining: number
  /** The time until the next request is allowed, in milliseconds. */
  readonly waitMs: number
}

/** Counts one request of a caller. */
export type RateLimiter = (key: string) => RateLimitDecision | Promise<RateLimitDecision>

/** A limiter for a single process. */
export function localLimiter(limit: RateLimit): RateLimiter {
  const buckets = new Buckets(limit)
  return (key) => decisionOf(buckets.takeNow({ key, number: 1 }))
}

function decisionOf({ granted, remaining, waitMs }: TakeResult): RateLimitDecision {
  return { isAllowed: granted > 0, remaining, waitMs }
}

/** The requests of a caller that were taken from the shared store and not used yet, or the time until there are none. */
interface LocalQuota {
  number: number
  readonly usableUntil: number
  /** The number of requests that the shared store had left. */
  readonly remaining: number
  readonly emptyUntil: number
}

const noQuota: LocalQuota = { number: 0, usableUntil: 0, remaining: 0, emptyUntil: 0 }

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
  #waiters = new Map<string, ((decision: RateLimitDecision) => void)[]>()
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

  take(key: string): RateLimitDecision | Promise<RateLimitDecision> {
    const now = performance.now()
    if (now < this.#failedUntil) return this.#local(key)
    const quota = this.#quotas.get(key, now) ?? noQuota
    if (quota.number > 0 && now < quota.usableUntil) {
      quota.number--
      return { isAllowed: true, remaining: quota.number + quota.remaining, waitMs: 0 }
    }
    if (now < quota.emptyUntil) return { isAllowed: false, remaining: 0, waitMs: quota.emptyUntil - now }
    return new Promise((resolve) => this.#enqueue(key, resolve))
  }

  /** Batches the callers of one turn of the event loop. */
  #enqueue(key: string, resolve: (decision: RateLimitDecision) => void): void {
    const waiters = this.#waiters.get(key)
    if (waiters) waiters.push(resolve)
    else {
      if (this.#waiters.size === 0) setImmediate(() => void this.#flush())
      this.#waiters.set(key, [resolve])
    }
  }

  async #flush(): Promise<void> {
    const batch = [...this.#waiters]
    this.#waiters = new Map()
    // All processes use the same order, so that they cannot deadlock.
    batch.sort(([a], [b]) => (a < b ? -1 : 1))
    try {
      const requests = batch.map(([key, waiters]) => ({ key, number: this.#numberFor(waiters.length) }))
      const results = await this.#store.take(requests)
      this.#outage.succeed()
      for (const [index, [key, waiters]] of batch.entries()) this.#settle(key, waiters, results[index] as TakeResult)
    } catch (error) {
      this.#outage.fail(error)
      this.#failedUntil = performance.now() + failurePauseMs
      for (const [key, waiters] of batch) for (const resolve of waiters) resolve(await this.#local(key))
    }
  }

  #numberFor(waiters: number): number {
    return Math.min(this.#limit.number, Math.max(waiters, this.#lease))
  }

  #settle(
    key: string,
    waiters: readonly ((decision: RateLimitDecision) => void)[],
    { granted, remaining, waitMs }: TakeResult,
  ): void {
    const now = performance.now()
    const previousQuota = this.#quotas.get(key, now) ?? noQuota
    const unused = now < previousQuota.usableUntil ? previousQuota.number : 0
    const number = unused + Math.max(0, granted - waiters.length)
    const until = now + this.#limit.windowMs * leaseWindowShare
    this.#quotas.set(
      key,
      { number, usableUntil: until, remaining, emptyUntil: waitMs > 0 && number === 0 ? now + waitMs : 0 },
      now,
    )
    for (const [index, resolve] of waiters.entries()) {
      const isAllowed = index < granted
      resolve({ isAllowed, remaining: isAllowed ? granted - index - 1 + remaining : 0, waitMs: isAllowed ? 0 : waitMs })
    }
  }
}
