/** What was found out a moment ago, by a text, and need not be found out again: as much as fits, for as long as it holds. */

interface Kept<Found> {
  readonly found: Found
  readonly until: number
}

export class Recent<Found> {
  readonly #most: number
  readonly #longest: number
  // Two tables in place of one in the order of use: a hit moves nothing, and the older table goes as a whole.
  #young = new Map<string, Kept<Found>>()
  #old = new Map<string, Kept<Found>>()

  /** Keeps at least `most` of the latest, at most twice as many, none longer than `longest` milliseconds. */
  constructor(most: number, longest: number) {
    this.#most = most
    this.#longest = longest
  }

  get(text: string): Found | undefined {
    const kept = this.#young.get(text) ?? this.#revive(text)
    return kept && Date.now() < kept.until ? kept.found : undefined
  }

  /** Keeps what was found, not beyond its own end. */
  set(text: string, found: Found, until = Number.POSITIVE_INFINITY): void {
    this.#add(text, { found, until: Math.min(until, Date.now() + this.#longest) })
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
  }

  #revive(text: string): Kept<Found> | undefined {
    const kept = this.#old.get(text)
    if (kept) this.#add(text, kept)
    return kept
  }

  #add(text: string, kept: Kept<Found>): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, kept)
  }
}
