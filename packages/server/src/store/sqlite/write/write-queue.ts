/** Writes of one tick share one transaction, and so one wait for the disk; each is still all or nothing by itself. */
import type { DatabaseSync } from 'node:sqlite'
import { Histogram } from '../../../observe/metrics/histogram.ts'
import { StoreUnavailable } from '../../error.ts'
import { faultOf } from '../../fault.ts'
import { busyPauseMs, busyTimeoutMs } from '../../retry.ts'
import type { SharedRead } from '../read/shared-read.ts'

interface Waiting {
  /** Whether how long it takes says nothing of other writes. */
  readonly isLoad: boolean
  readonly write: () => unknown
  /** Until when it waits for the lock. */
  readonly until: number
  /** Whether it is done only where the schema is the one that it was made for. */
  readonly isGuarded: boolean
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

type Done =
  | { readonly waiting: Waiting; readonly result: unknown }
  | { readonly waiting: Waiting; readonly error: unknown }

export interface WriteOptions {
  /** How long it waits while another process writes, in milliseconds; 5 seconds unless given. */
  readonly patience?: number
  /** False for a write that is right whatever the schema of the nouns is. */
  readonly isGuarded?: boolean
  /** True for very many records: how long that takes says nothing of other writes. */
  readonly isLoad?: boolean
}

/** What is asked before the writes of every transaction, and throws what it objects to. */
export interface WriteChecks {
  /** Where it throws, nothing is written. */
  file(): void
  /** Where it throws, nothing is written that depends on the schema. */
  schema(): void
}

/** How long reads wait inside SQLite: only for a process that fixes what another left when it was killed. */
export const readPatience = 1000

/** Writes of one commit. */
const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

/** In seconds. */
const commitTimes = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

export class WriteQueue {
  readonly batches = new Histogram(batchSizes)
  readonly times = new Histogram(commitTimes)
  /** How often was written. */
  commits = 0
  readonly #database: DatabaseSync
  readonly #reads: SharedRead
  readonly #checks: WriteChecks
  #waiting: Waiting[] = []
  #isClosed = false
  /** Whether nothing is written until it is released; and whoever waits for that. */
  #isHeld = false
  #whenStill: (() => void) | undefined
  /** What one write took of late, in milliseconds. */
  #usualTime = 0

  constructor(database: DatabaseSync, reads: SharedRead, checks: WriteChecks) {
    this.#database = database
    this.#reads = reads
    this.#checks = checks
  }

  /**
   * Runs the write with others of its tick. The promise settles once all of them are durable, or none. A write that throws
   * has changed nothing: it is one statement, or takes care of that itself (see `asOne`).
   */
  add<Result>(write: () => Result, options: WriteOptions = {}): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The database is closed.'))
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush())
      const { patience = busyTimeoutMs, isGuarded = true, isLoad = false } = options
      const until = performance.now() + patience
      this.#waiting.push({ write, until, isGuarded, isLoad, resolve: resolve as (result: never) => void, reject })
    })
  }

  /** How many writes wait. */
  get length(): number {
    return this.#waiting.length
  }

  /** How long those that wait will take without the commit, in milliseconds, if they take what others took of late. */
  get backlog(): number {
    return this.#waiting.length * this.#usualTime
  }

  /** Commits what is waiting, and then nothing before `release`: what comes meanwhile waits. For one at a time. */
  hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenStill = resolve
      setImmediate(() => this.#flush())
    })
  }

  release(): void {
    this.#isHeld = false
    // Whoever held it may have written on the same connection.
    this.commits++
    this.#flush()
  }

  /** Commits what is waiting, and takes no more. */
  close(): void {
    this.#isClosed = true
    this.#flush()
  }

  #flush(): void {
    if (this.#isHeld) return
    if (this.#waiting.length > 0) {
      this.#reads.end()
      try {
        this.#begin()
      } catch (error) {
        this.#waitForLock(error)
        return
      }
      this.#commit(this.#take())
    }
    this.#stand()
  }

  /** Stands still for whoever waits for that. */
  #stand(): void {
    const whenStill = this.#whenStill
    if (!whenStill) return
    this.#whenStill = undefined
    this.#isHeld = true
    whenStill()
  }

  /** Nobody waits inside SQLite, where everybody would, unless there is no later turn to ask again in. */
  #begin(): void {
    try {
      this.#database.exec(`pragma busy_timeout = ${this.#isClosed ? busyTimeoutMs : 0}; begin immediate`)
    } finally {
      this.#database.exec(`pragma busy_timeout = ${readPatience}`)
    }
  }

  /** Asks again a little later, so that reads go on meanwhile, for those whose patience is not at an end. */
  #waitForLock(error: unknown): void {
    const now = faultOf(error) === 'busy' && !this.#isClosed ? performance.now() : Number.POSITIVE_INFINITY
    for (const one of this.#take()) {
      if (one.until <= now) one.reject(error)
      else this.#waiting.push(one)
    }
    if (this.#waiting.length > 0 || this.#whenStill) setTimeout(() => this.#flush(), busyPauseMs())
  }

  #take(): readonly Waiting[] {
    const batch = this.#waiting
    this.#waiting = []
    return batch
  }

  #commit(batch: readonly Waiting[]): void {
    const began = performance.now()
    this.#run(batch)
    const took = performance.now() - began
    this.batches.add(batch.length)
    this.times.add(took / 1000)
  }

  /** Without the commit, which takes as long for one as for many: to wait for fewer writes would save none of it. */
  #takeTime(batch: readonly Waiting[], began: number): void {
    if (batch.some(({ isLoad }) => isLoad)) return
    const each = (performance.now() - began) / batch.length
    this.#usualTime = this.#usualTime === 0 ? each : this.#usualTime + (each - this.#usualTime) / 8
  }

  #run(batch: readonly Waiting[]): void {
    let done: readonly Done[]
    const began = performance.now()
    try {
      this.#checks.file()
      const fault = this.#fault(batch)
      done = batch.map((waiting) => (fault && waiting.isGuarded ? { waiting, ...fault } : this.#runOne(waiting)))
      this.#takeTime(batch, began)
      // Also where the commit fails: what it leaves is looked at anew.
      this.commits++
      this.#database.exec('commit')
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback')
      for (const { reject } of batch) reject(error)
      return
    }
    for (const one of done) {
      if ('error' in one) one.waiting.reject(one.error)
      else one.waiting.resolve(one.result as never)
    }
  }

  /** What the schema has against it. */
  #fault(batch: readonly Waiting[]): { readonly error: unknown } | undefined {
    if (!batch.some(({ isGuarded }) => isGuarded)) return undefined
    try {
      this.#checks.schema()
      return undefined
    } catch (error) {
      return { error }
    }
  }

  #runOne(waiting: Waiting): Done {
    try {
      return { waiting, result: waiting.write() }
    } catch (error) {
      // A fault that has ended the whole transaction (a full disk) concerns the others of the batch too.
      if (!this.#database.isTransaction) throw error
      return { waiting, error }
    }
  }
}
