/** Token buckets, one for each caller: a bucket has as many tokens as the limit, and refills evenly. */

import { TtlCache } from '../../foundation/ttl-cache.ts'
import type { BucketStore, RateLimit, TakeRequest, TakeResult } from '../../store/rate-limit.ts'

/** The minimum number of callers that are remembered. */
const maxCallers = 50_000

export class Buckets implements BucketStore {
  readonly #limit: RateLimit
  /** The time when each bucket is full again, which is its whole state. Full buckets are not stored. */
  readonly #fullAt: TtlCache<number>

  constructor(limit: RateLimit) {
    this.#limit = limit
    this.#fullAt = new TtlCache(maxCallers, limit.windowMs)
  }

  /** Takes as many tokens as are available, up to the requested number. */
  takeNow({ key, number }: TakeRequest, now = performance.now()): TakeResult {
    const { number: capacity, windowMs } = this.#limit
    const tokenMs = windowMs / capacity
    const fullAt = Math.max(this.#fullAt.get(key, now) ?? 0, now)
    // Times are floating-point numbers, so rounding errors are tolerated.
    const available = Math.floor((windowMs - (fullAt - now)) / tokenMs + 1e-6)
    const granted = Math.min(number, available)
    if (granted > 0) this.#fullAt.set(key, fullAt + granted * tokenMs, now)
    const remaining = available - granted
    return {
      granted,
      remaining,
      waitMs: remaining > 0 ? 0 : Math.max(0, fullAt + granted * tokenMs + tokenMs - windowMs - now),
    }
  }

  async take(requests: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    return requests.map((request) => this.takeNow(request))
  }
}
