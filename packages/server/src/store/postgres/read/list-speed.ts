/** Tracks how long lists of one form take, and chooses the use of their connections. */
import type { ListUse } from '../connect/pool-use.ts'

/** When a list is slow, and how long its form counts as slow. */
const slowMs = 250
const slowForMs = 60_000

export class ListSpeed {
  readonly #isBounded: boolean
  #isKnown = false
  #slowUntil = 0

  /** `isBounded`: few records are read, whatever the values, because tallies and one index give the page. */
  constructor(isBounded: boolean) {
    this.#isBounded = isBounded
  }

  /** The use of a connection. `isSmall`: even a list that reads every record would be fast. */
  connectionUse(isSmall: boolean): ListUse {
    if (this.#isBounded) return 'list'
    if (performance.now() < this.#slowUntil) return 'slow'
    return this.#isKnown || isSmall ? 'scan' : 'slow'
  }

  /** Records how long a list took on its connection. */
  recordDuration(tookMs: number): void {
    this.#isKnown = true
    if (tookMs >= slowMs) this.#slowUntil = performance.now() + slowForMs
  }
}
