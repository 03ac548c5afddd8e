/** An SQLite file that is read-only at start: it is served for reading, and opened again once it is writable. */
import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import type { MetricRegistry } from '../../observe/metrics/registry.ts'
import type { ConsumerStore } from '../consumer.ts'
import { StoreUnavailable } from '../fault/error.ts'
import type { Model } from '../model.ts'
import type { Outcome } from '../outcome.ts'
import { isRead, type Plan } from '../plan.ts'
import type { HistoryPosition, LoadPart, Store, StoreIssue, TransactionOptions, TransactionWork } from '../store.ts'
import type { UsageStore } from '../usage.ts'
import { measureSqlite } from './metrics.ts'
import { SqliteStore, type SqliteStoreOptions } from './store.ts'

export function openSqliteStore(path: string, model: Model, options: SqliteStoreOptions = {}): Store {
  const store = new SqliteStore(path, model, options)
  return isWritable(path) ? store : new ReadOnlyStore(store, { path, model, options })
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

/** The parts for opening the store again. */
interface ReopenOptions {
  readonly path: string
  readonly model: Model
  readonly options: SqliteStoreOptions
}

/** SQLite keeps a connection to such a file read-only, so a new connection is needed. */
class ReadOnlyStore implements Store {
  readonly #path: string
  readonly #model: Model
  readonly #options: SqliteStoreOptions
  #store: SqliteStore
  #isReadOnly = true
  /** Whether the old connection is closed, and no new one could be opened since. */
  #isDisconnected = false
  #isClosed = false
  #reopening: Promise<void> | undefined

  /** Usage counts are written too, by the current store. */
  readonly usage: UsageStore = {
    add: async (batch) => (await this.#writableStore()).usage.add(batch),
    days: () => this.#store.usage.days(),
    rows: (day) => this.#store.usage.rows(day),
    forget: async (before) => (await this.#writableStore()).usage.forget(before),
  }

  readonly consumers: ConsumerStore = {
    states: async (...args) => (await this.#writableStore()).consumers.states(...args),
    hold: async (...args) => (await this.#writableStore()).consumers.hold(...args),
    save: async (...args) => (await this.#writableStore()).consumers.save(...args),
    release: async (...args) => (await this.#writableStore()).consumers.release(...args),
    add: async (...args) => (await this.#writableStore()).consumers.add(...args),
    replay: async (...args) => (await this.#writableStore()).consumers.replay(...args),
    retry: async (...args) => (await this.#writableStore()).consumers.retry(...args),
    remove: async (...args) => (await this.#writableStore()).consumers.remove(...args),
  }

  constructor(store: SqliteStore, { path, model, options }: ReopenOptions) {
    this.#store = store
    this.#path = path
    this.#model = model
    // Schema changes were reported when the file was first opened.
    this.#options = { maxListBytes: options.maxListBytes, onFault: options.onFault }
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (!this.#isReadOnly || (isRead(plan) && !this.#isDisconnected)) return this.#store.run(plan)
    return this.#writableStore().then((store) => store.run(plan))
  }

  async transaction<Result>(work: TransactionWork<Result>, options: TransactionOptions) {
    return (await this.#writableStore()).transaction(work, options)
  }

  historyPosition(): Promise<HistoryPosition> {
    return this.#store.historyPosition()
  }

  async loadIfEmpty(parts: () => Iterable<LoadPart>): Promise<number> {
    return (await this.#writableStore()).loadIfEmpty(parts)
  }

  isEmpty(): Promise<boolean> {
    return this.#store.isEmpty()
  }

  async check(): Promise<StoreIssue | undefined> {
    const store = this.#isDisconnected ? await this.#writableStore() : this.#store
    const issue = await store.check()
    if (issue || !this.#isReadOnly) return issue
    return { detail: 'The database file is read-only.', isReadable: true }
  }

  schemaVersion(): Promise<string> {
    return this.#store.schemaVersion()
  }

  onRequest(): void {
    this.#store.onRequest()
  }

  waitMs(): number {
    return this.#store.waitMs()
  }

  get backlogMs(): number {
    return this.#store.backlogMs
  }

  get folder(): string {
    return dirname(this.#path)
  }

  measure(registry: MetricRegistry): void {
    measureSqlite(registry, () => this.#store.figures())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#reopening?.catch(() => {})
    return this.#store.close()
  }

  /** Opens the store again if that helps. Concurrent callers share one attempt. */
  async #writableStore(): Promise<SqliteStore> {
    const isUseful = this.#isDisconnected || (this.#isReadOnly && isWritable(this.#path))
    if (isUseful && !this.#reopening && !this.#isClosed) {
      this.#reopening = this.#reopen().finally(() => {
        this.#reopening = undefined
      })
    }
    await this.#reopening
    return this.#store
  }

  /**
   * All connections of a process share SQLite's state of the file, so the old connection must be closed first. If the new
   * one cannot be opened, the next caller tries again.
   */
  async #reopen(): Promise<void> {
    this.#isDisconnected = true
    await this.#store.close()
    try {
      this.#store = new SqliteStore(this.#path, this.#model, this.#options)
    } catch (error) {
      throw new StoreUnavailable('The database could not be opened again.', { cause: error })
    }
    this.#isDisconnected = false
    this.#isReadOnly = !isWritable(this.#path)
  }
}
