/** Statements that have been built, so that each form is built once. */

/** Statements by the form of the plans that they serve; the oldest go when there are too many forms. */
export class StatementCache<Made> {
  readonly #statements = new Map<string, Made>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string, build: () => Made): Made {
    const known = this.#statements.get(key)
    if (known) {
      // Only where room is short does it matter who was used last.
      if (this.#statements.size > this.#limit / 2) {
        this.#statements.delete(key)
        this.#statements.set(key, known)
      }
      return known
    }
    if (this.#statements.size >= this.#limit) {
      for (const [oldest] of this.#statements) {
        this.#statements.delete(oldest)
        break
      }
    }
    const made = build()
    this.#statements.set(key, made)
    return made
  }
}
