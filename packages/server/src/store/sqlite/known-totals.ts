/** Totals of lists that had to be counted, kept until anything is written, by this process or another. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** So many are kept at most. */
const most = 10_000

/** And none of a list whose filters are longer than this, lest they fill the memory. */
const longest = 2000

export class KnownTotals {
  readonly #commits: () => number
  readonly #version: StatementSync
  readonly #totals = new Map<string, number>()
  #state = 0
  #seenCommits = -1
  #seenVersion: unknown

  /** `commits` is how often this process has written. */
  constructor(database: DatabaseSync, commits: () => number) {
    this.#commits = commits
    // SQLite counts the commits of all other connections.
    this.#version = database.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  /** A number that stays the same as long as the database does. What is read in the same transaction is of that state. */
  state(): number {
    const commits = this.#commits()
    const version = (this.#version.get() as unknown as [number])[0]
    if (commits !== this.#seenCommits || version !== this.#seenVersion) {
      this.#seenCommits = commits
      this.#seenVersion = version
      this.#totals.clear()
      this.#state++
    }
    return this.#state
  }

  /** What is known in the state that was asked for last. */
  get(key: string): number | undefined {
    return this.#totals.get(key)
  }

  /** Keeps what was counted in a state, unless that is over. */
  keep(state: number, key: string, total: number): void {
    if (state !== this.#state || key.length > longest) return
    if (this.#totals.size >= most) this.#totals.clear()
    this.#totals.set(key, total)
  }
}
