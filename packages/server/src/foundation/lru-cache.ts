/** What was made once, by a text that says what it was made for; what was used longest ago goes when there is too much. */
export class LruCache<Made> {
  readonly #made = new Map<string, Made>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string, make: () => Made): Made {
    const known = this.#made.get(key)
    if (known !== undefined) {
      // Only where room is short does it matter what was used last.
      if (this.#made.size > this.#limit / 2) {
        this.#made.delete(key)
        this.#made.set(key, known)
      }
      return known
    }
    const made = make()
    if (this.#made.size >= this.#limit) {
      for (const [oldest] of this.#made) {
        this.#made.delete(oldest)
        break
      }
    }
    this.#made.set(key, made)
    return made
  }
}
