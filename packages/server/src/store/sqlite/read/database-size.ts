/** Whether a database is so small that no list can take long. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** All records of a database of this size are read and written as JSON within about 20 milliseconds. */
const smallBytes = 16 * 1024 * 1024

/** How old the known size may be. */
const maxAgeMs = 250

export class DatabaseSize {
  readonly #pageCount: StatementSync
  readonly #smallPages: number
  #checkedAt = Number.NEGATIVE_INFINITY
  #isSmall = false

  constructor(database: DatabaseSync) {
    const { page_size: pageSize } = database.prepare('pragma page_size').get() as { page_size: number }
    this.#smallPages = smallBytes / pageSize
    this.#pageCount = database.prepare('pragma page_count')
    this.#pageCount.setReturnArrays(true)
  }

  get isSmall(): boolean {
    const now = performance.now()
    if (now - this.#checkedAt > maxAgeMs) {
      this.#checkedAt = now
      this.#isSmall = (this.#pageCount.get() as unknown as [number])[0] <= this.#smallPages
    }
    return this.#isSmall
  }
}
