/** A SQLite file that cannot be written when it is opened: it is read meanwhile, and written once it can be. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import { StoreUnavailable } from '../error.ts'
import type { Model } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import { isRead, type Plan } from '../plan.ts'
import type { LoadPart, Store, TransactionOptions, TransactionWork } from '../store.ts'
import type { UsageStore } from '../usage.ts'
import { measureSqlite } from './metrics.ts'
import { SqliteStore, type SqliteStoreOptions } from './store.ts'

export function openSqlite(path: string, model: Model, options: SqliteStoreOptions = {}): Store {
  const store = new SqliteStore(path, model, options)
  return isWritable(path) ? store : new ReadOnlyStore(store, { path, model, maxListBytes: options.maxListBytes })
}

function isWritable(path: string): boolean {
  if (path === ':memory:') return true
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What another store is opened with. */
interface ReadOnlyParts {
  readonly path: string
  readonly model: Model
  readonly maxListBytes: number | undefined
}

/** SQLite opens such a file for reading only, and the connection stays so: another one is needed. */
class ReadOnlyStore implements Store {
  readonly #path: string
  readonly #model: Model
  readonly #maxListBytes: number | undefined
  #store: SqliteStore
  #isReadOnly = true
  /** Whether the old connection is closed, and no other could be opened since. */
  #isGone = false
  #isClosed = false
  #renewal: Promise<void> | undefined

  /** Counts are written too, by whichever store there is. */
  readonly usage: UsageStore = {
    add: async (batch) => (await this.#renewed()).usage.add(batch),
    days: () => this.#store.usage.days(),
    rows: (day) => this.#store.usage.rows(day),
    forget: async (before) => (await this.#renewed()).usage.forget(before),
  }

  constructor(store: SqliteStore, { path, model, maxListBytes }: ReadOnlyParts) {
    this.#store = store
    this.#path = path
    this.#model = model
    this.#maxListBytes = maxListBytes
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (!this.#isReadOnly || (isRead(plan) && !this.#isGone)) return this.#store.run(plan)
    return this.#renewed().then((store) => store.run(plan))
  }

  async transaction<Result>(work: TransactionWork<Result>, options: TransactionOptions) {
    return (await this.#renewed()).transaction(work, options)
  }

  async load(parts: Iterable<LoadPart>): Promise<number> {
    return (await this.#renewed()).load(parts)
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    return (await this.#renewed()).loadIfEmpty(parts)
  }

  isEmpty(): Promise<boolean> {
    return this.#store.isEmpty()
  }

  async check(): Promise<string | undefined> {
    const store = this.#isGone ? await this.#renewed() : this.#store
    await store.check()
    return this.#isReadOnly ? 'It can be read and not written.' : undefined
  }

  arrive(): void {
    this.#store.arrive()
  }

  wait(): number {
    return this.#store.wait()
  }

  get backlog(): number {
    return this.#store.backlog
  }

  get folder(): string {
    return dirname(this.#path)
  }

  measure(registry: MetricRegistry): void {
    measureSqlite(registry, () => this.#store.figures())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#renewal?.catch(() => {})
    return this.#store.close()
  }

  /** Opened anew where that helps; all who ask at this moment wait for the same one. */
  async #renewed(): Promise<SqliteStore> {
    const isOfUse = this.#isGone || (this.#isReadOnly && isWritable(this.#path))
    if (isOfUse && !this.#renewal && !this.#isClosed) {
      this.#renewal = this.#renew().finally(() => {
        this.#renewal = undefined
      })
    }
    await this.#renewal
    return this.#store
  }

  /**
   * All connections of a process share what SQLite has found out about the file: the old one must be gone first. Where no
   * other can be opened, whoever asks next tries again.
   */
  async #renew(): Promise<void> {
    this.#isGone = true
    await this.#store.close()
    try {
      this.#store = new SqliteStore(this.#path, this.#model, { maxListBytes: this.#maxListBytes })
    } catch (error) {
      throw new StoreUnavailable('The database could not be opened anew.', { cause: error })
    }
    this.#isGone = false
    this.#isReadOnly = !isWritable(this.#path)
  }
}
