/** Totals of lists that had to be counted, kept until anything is written, by this process or another. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Turn } from './shared-read.ts'

/** So many are kept at most. */
const maxEntries = 10_000

/** And none of a list whose filters are longer than this, lest they fill the memory. */
const maxKeyLength = 2000

export class CountCache {
  readonly #reads: Turn
  readonly #commits: () => number
  readonly #version: StatementSync
  readonly #totals = new Map<string, number>()
  #state = 0
  #seenTransaction = -1
  #seenCommits = -1
  #seenVersion: unknown

  /** `commits` is how often this process has written. */
  constructor(database: DatabaseSync, reads: Turn, commits: () => number) {
    this.#reads = reads
    this.#commits = commits
    // SQLite counts the commits of all other connections.
    this.#version = database.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  /** A number that stays the same as long as the database does. What is read next, in the same turn, is of that state. */
  state(): number {
    const transaction = this.#reads.hold()
    if (transaction === this.#seenTransaction) return this.#state
    this.#seenTransaction = transaction
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

  /** The same, counted now where it is not known. */
  of(key: string, count: () => number): number {
    const known = this.#totals.get(key)
    if (known !== undefined) return known
    const total = count()
    this.keep(this.#state, key, total)
    return total
  }

  /** Keeps what was counted in a state, unless that is over. */
  keep(state: number, key: string, total: number): void {
    if (state !== this.#state || key.length > maxKeyLength) return
    if (this.#totals.size >= maxEntries) this.#totals.clear()
    this.#totals.set(key, total)
  }
}
