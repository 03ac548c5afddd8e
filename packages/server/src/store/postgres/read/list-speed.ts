/** Tracks how long lists of one form take, and chooses the use of their connections. */
import type { ListUse } from '../connect/pool-use.ts'

/** A form is slow if its lists take this long on average. */
const slowMs = 250

/** How long a form counts as slow after a slow list. Then a list of it may show that it is fast again. */
const slowForMs = 60_000

/** The share of the last list in the moving average. A single slow list on a busy machine does not make a form slow. */
const lastShare = 1 / 8

export class ListSpeed {
  readonly #isBounded: boolean
  /** The moving average of durations; undefined before the first list. */
  #averageMs: number | undefined
  #slowUntil = 0

  /** `isBounded`: few records are read, whatever the values, because tallies and one index give the page. */
  constructor(isBounded: boolean) {
    this.#isBounded = isBounded
  }

  /** The use of a connection. `isSmall`: even a list that reads every record would be fast. */
  connectionUse(isSmall: boolean): ListUse {
    if (this.#isBounded) return 'list'
    if (isSmall) this.#averageMs ??= 0
    if (this.#averageMs === undefined) return 'slow'
    return this.#averageMs >= slowMs && performance.now() < this.#slowUntil ? 'slow' : 'scan'
  }

  /** Records how long a list took on its connection. */
  recordDuration(tookMs: number): void {
    const averageMs = this.#averageMs ?? tookMs
    this.#averageMs = averageMs + (tookMs - averageMs) * lastShare
    if (tookMs >= slowMs) this.#slowUntil = performance.now() + slowForMs
  }
}
