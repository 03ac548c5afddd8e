/** Caches totals of lists that had to be counted, until any process writes to the database. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ReadScope } from './shared-read.ts'

const maxEntries = 10_000

/** Longer keys are not cached, to limit memory. */
const maxKeyLength = 2000

export class CountCache {
  readonly #reads: ReadScope
  readonly #recordsVersion: () => number
  readonly #version: StatementSync
  readonly #totals = new Map<string, number>()
  #state = {}
  #seenTransaction = -1
  #seenRecordsVersion = -1
  #seenVersion: unknown

  /** `recordsVersion` increases whenever a commit of this process may have changed records. */
  constructor(database: DatabaseSync, reads: ReadScope, recordsVersion: () => number) {
    this.#reads = reads
    this.#recordsVersion = recordsVersion
    // SQLite counts the commits of all other connections.
    this.#version = database.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  /** Another object whenever the database has changed. Later reads of the same turn see that state. */
  state(): object {
    const transaction = this.#reads.pin()
    if (transaction === this.#seenTransaction) return this.#state
    this.#seenTransaction = transaction
    const recordsVersion = this.#recordsVersion()
    const version = (this.#version.get() as unknown as [number])[0]
    if (recordsVersion !== this.#seenRecordsVersion || version !== this.#seenVersion) {
      this.#seenRecordsVersion = recordsVersion
      this.#seenVersion = version
      this.#totals.clear()
      this.#state = {}
    }
    return this.#state
  }

  /** The total in the last requested state. */
  get(key: string): number | undefined {
    return this.#totals.get(key)
  }

  /** The total, which is counted now if it is not cached. */
  getOrCount(key: string, count: () => number): number {
    const cached = this.#totals.get(key)
    if (cached !== undefined) return cached
    const total = count()
    this.set(this.#state, key, total)
    return total
  }

  /** Caches a total of a state, unless the state has changed since. */
  set(state: object, key: string, total: number): void {
    if (state !== this.#state || key.length > maxKeyLength) return
    if (this.#totals.size >= maxEntries) this.#totals.clear()
    this.#totals.set(key, total)
  }
}
