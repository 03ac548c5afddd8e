/** A bucket for each caller: it holds as many requests as the limit says, and fills again evenly. */

import { TtlCache } from '../../foundation/ttl-cache.ts'
import type { BucketStore, RateLimit, TakeRequest, TakeResult } from '../../store/rate-limit.ts'

/** Which callers are remembered at least, however many there are. */
const mostCallers = 50_000

export class Buckets implements BucketStore {
  readonly #limit: RateLimit
  /** When each bucket will be full again: all that is to be known of it. One that is full need not be remembered. */
  readonly #fullAt: TtlCache<number>

  constructor(limit: RateLimit) {
    this.#limit = limit
    this.#fullAt = new TtlCache(mostCallers, limit.window)
  }

  /** Takes as many as there are, up to what is wished. */
  takeNow({ key, number }: TakeRequest, now = performance.now()): TakeResult {
    const { number: size, window } = this.#limit
    const each = window / size
    const fullAt = Math.max(this.#fullAt.get(key, now) ?? 0, now)
    // Times are no whole numbers: what is missing by a hair is there.
    const available = Math.floor((window - (fullAt - now)) / each + 1e-6)
    const granted = Math.min(number, available)
    if (granted > 0) this.#fullAt.set(key, fullAt + granted * each, now)
    const left = available - granted
    return { granted, left, wait: left > 0 ? 0 : Math.max(0, fullAt + granted * each + each - window - now) }
  }

  async take(wishes: readonly TakeRequest[]): Promise<readonly TakeResult[]> {
    return wishes.map((wish) => this.takeNow(wish))
  }
}
