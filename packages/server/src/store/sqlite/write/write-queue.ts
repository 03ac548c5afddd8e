/** Group commit: writes of one turn of the event loop share a transaction and one disk sync; each is still atomic. */
import type { DatabaseSync } from 'node:sqlite'
import { Histogram } from '../../../observe/metrics/histogram.ts'
import { StoreUnavailable } from '../../fault/error.ts'
import { faultOf } from '../../fault/fault.ts'
import { busyPauseMs, busyTimeoutMs } from '../../fault/retry.ts'
import type { SharedRead } from '../read/shared-read.ts'

interface QueuedWrite {
  /** Whether it writes very many records, so that its duration says nothing about other writes. */
  readonly isBulkLoad: boolean
  readonly write: () => unknown
  /** Until when it waits for the lock, as a time of `performance.now()`. */
  readonly deadline: number
  /** Whether the write runs only if the schema is current. */
  readonly checksSchema: boolean
  /** Whether lists may differ after the write. */
  readonly changesRecords: boolean
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

type SettledWrite =
  | { readonly entry: QueuedWrite; readonly result: unknown }
  | { readonly entry: QueuedWrite; readonly error: unknown }

export interface WriteOptions {
  /** How long to wait while another process writes (default: 5 seconds). */
  readonly timeoutMs?: number
  /** False for a write that is valid for every schema of the nouns. */
  readonly checksSchema?: boolean
  /** False for a write that no list shows. */
  readonly changesRecords?: boolean
  /** True for a write of very many records. */
  readonly isBulkLoad?: boolean
}

/** Checks before the writes of every transaction. */
export interface WriteChecks {
  /** Throws if the database file was deleted or replaced. Then nothing is written. */
  checkFile(): void
  /** Throws if the schema is not current. Then no write that depends on it runs. */
  checkSchema(): void
}

/** How long a read waits inside SQLite. It waits only while another process recovers the file after a crash. */
export const readTimeoutMs = 1000

/** Histogram bounds: writes per commit. */
const batchSizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** Histogram bounds: seconds of a commit with its writes. */
const commitSecondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

export class WriteQueue {
  readonly batchSizes = new Histogram(batchSizeBounds)
  readonly commitSeconds = new Histogram(commitSecondsBounds)
  /** Increases whenever records may have changed. */
  recordsVersion = 0
  readonly #database: DatabaseSync
  readonly #reads: SharedRead
  readonly #checks: WriteChecks
  #queue: QueuedWrite[] = []
  #isClosed = false
  /** Whether writes are paused until `release`, and the callback that waits for the pause. */
  #isPaused = false
  #onPaused: (() => void) | undefined
  /** The moving average of the time of a write. */
  #averageMs = 0

  constructor(database: DatabaseSync, reads: SharedRead, checks: WriteChecks) {
    this.#database = database
    this.#reads = reads
    this.#checks = checks
  }

  /**
   * Runs the write with the others of its turn of the event loop. The promise settles once all of them are durable, or none. A write that throws
   * must have changed nothing: it is one statement, or uses `inSavepoint`.
   */
  add<Result>(write: () => Result, options: WriteOptions = {}): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The database is closed.'))
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) setImmediate(() => this.#flush())
      const { timeoutMs = busyTimeoutMs, checksSchema = true, changesRecords = true, isBulkLoad = false } = options
      const deadline = performance.now() + timeoutMs
      const settle = { resolve: resolve as (result: never) => void, reject }
      this.#queue.push({ write, deadline, checksSchema, changesRecords, isBulkLoad, ...settle })
    })
  }

  /** The number of waiting writes. */
  get length(): number {
    return this.#queue.length
  }

  /** The expected time of the waiting writes without the commit, from the moving average. */
  get backlogMs(): number {
    return this.#queue.length * this.#averageMs
  }

  /** Commits waiting writes, then pauses until `release`; later writes wait. One pause at a time. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#onPaused = resolve
      setImmediate(() => this.#flush())
    })
  }

  release(): void {
    this.#isPaused = false
    // The code that paused the queue may have written on the same connection.
    this.recordsVersion++
    this.#flush()
  }

  /** Commits waiting writes, and accepts no more. */
  close(): void {
    this.#isClosed = true
    this.#flush()
  }

  #flush(): void {
    if (this.#isPaused) return
    if (this.#queue.length > 0) {
      this.#reads.end()
      try {
        this.#begin()
      } catch (error) {
        this.#retryOrReject(error)
        return
      }
      this.#runTimed(this.#take())
    }
    this.#pauseIfRequested()
  }

  #pauseIfRequested(): void {
    const onPaused = this.#onPaused
    if (!onPaused) return
    this.#onPaused = undefined
    this.#isPaused = true
    onPaused()
  }

  /** Does not wait inside SQLite, which would block the event loop, unless the queue is closing. */
  #begin(): void {
    try {
      this.#database.exec(`pragma busy_timeout = ${this.#isClosed ? busyTimeoutMs : 0}; begin immediate`)
    } finally {
      this.#database.exec(`pragma busy_timeout = ${readTimeoutMs}`)
    }
  }

  /**
   * If the database is busy, retries later, so that reads can run, and rejects writes whose timeout has passed. Any other
   * error, or a queue that is closing, rejects all writes.
   */
  #retryOrReject(error: unknown): void {
    const rejectUntil = faultOf(error) === 'busy' && !this.#isClosed ? performance.now() : Number.POSITIVE_INFINITY
    for (const entry of this.#take()) {
      if (entry.deadline <= rejectUntil) entry.reject(error)
      else this.#queue.push(entry)
    }
    if (this.#queue.length > 0 || this.#onPaused) setTimeout(() => this.#flush(), busyPauseMs())
  }

  #take(): readonly QueuedWrite[] {
    const batch = this.#queue
    this.#queue = []
    return batch
  }

  #runTimed(batch: readonly QueuedWrite[]): void {
    const startMs = performance.now()
    this.#runAndCommit(batch)
    const tookMs = performance.now() - startMs
    this.batchSizes.add(batch.length)
    this.commitSeconds.add(tookMs / 1000)
  }

  /** Excludes the commit, which takes as long for one write as for many. */
  #updateAverage(batch: readonly QueuedWrite[], startMs: number): void {
    if (batch.some(({ isBulkLoad }) => isBulkLoad)) return
    const perWriteMs = (performance.now() - startMs) / batch.length
    this.#averageMs = this.#averageMs === 0 ? perWriteMs : this.#averageMs + (perWriteMs - this.#averageMs) / 8
  }

  #runAndCommit(batch: readonly QueuedWrite[]): void {
    let writeResults: readonly SettledWrite[]
    const startMs = performance.now()
    try {
      this.#checks.checkFile()
      const schemaError = this.#schemaError(batch)
      writeResults = batch.map((entry) =>
        schemaError && entry.checksSchema ? { entry, ...schemaError } : this.#runWrite(entry),
      )
      this.#updateAverage(batch, startMs)
      // Counted even if the commit fails, so that caches are refreshed.
      if (batch.some(({ changesRecords }) => changesRecords)) this.recordsVersion++
      this.#database.exec('commit')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback')
      for (const { reject } of batch) reject(error)
      return
    }
    for (const write of writeResults) {
      if ('error' in write) write.entry.reject(write.error)
      else write.entry.resolve(write.result as never)
    }
  }

  /** The error of the schema check; undefined if the schema is current. */
  #schemaError(batch: readonly QueuedWrite[]): { readonly error: unknown } | undefined {
    if (!batch.some(({ checksSchema }) => checksSchema)) return undefined
    try {
      this.#checks.checkSchema()
      return undefined
    } catch (error) {
      return { error }
    }
  }

  #runWrite(entry: QueuedWrite): SettledWrite {
    try {
      return { entry, result: entry.write() }
    } catch (error) {
      // A fault that has ended the whole transaction, such as a full disk, fails the whole batch.
      if (!this.#database.isTransaction) throw error
      return { entry, error }
    }
  }
}
