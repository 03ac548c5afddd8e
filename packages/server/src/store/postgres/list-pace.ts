/** How long the lists of one form take, and which connections they may have for that. */
import type { ListUse } from './connect/pool-use.ts'

/** From this time on a list is slow, and its form counts as slow for so long, in milliseconds. */
const slowMs = 250
const slowForMs = 60_000

export class ListPace {
  readonly #isBounded: boolean
  #isKnown = false
  #slowUntil = 0

  /** `isBounded` where few records are looked at, whatever the values: the tallies and one index give the page. */
  constructor(isBounded: boolean) {
    this.#isBounded = isBounded
  }

  /** What a connection is wanted for. `isSmall` is whether a list that looks at every record would still be quick. */
  use(isSmall: boolean): ListUse {
    if (this.#isBounded) return 'list'
    if (performance.now() < this.#slowUntil) return 'slow'
    return this.#isKnown || isSmall ? 'scan' : 'slow'
  }

  /** One of them took so long on its connection, in milliseconds. */
  note(tookMs: number): void {
    this.#isKnown = true
    if (tookMs >= slowMs) this.#slowUntil = performance.now() + slowForMs
  }
}
