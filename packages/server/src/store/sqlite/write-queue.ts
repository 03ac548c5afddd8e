/** Writes of one tick share one transaction, and so one wait for the disk; each is still all or nothing by itself. */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../plan.ts'

interface Waiting {
  readonly write: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
}

type Done =
  | { readonly waiting: Waiting; readonly result: unknown }
  | { readonly waiting: Waiting; readonly error: unknown }

/** How long writes wait while another process writes, and how often it is asked, in milliseconds. */
const patience = 5000
const pause = 10

export class WriteQueue {
  readonly #database: DatabaseSync
  #waiting: Waiting[] = []
  #lockedSince: number | undefined
  #isClosed = false

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Runs the write with others of its tick. The promise settles once all of them are durable, or none. */
  add<Result>(write: () => Result): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('The database is closed.'))
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush())
      this.#waiting.push({ write, resolve: resolve as (result: never) => void, reject })
    })
  }

  /** Commits what is waiting, and takes no more. */
  close(): void {
    this.#isClosed = true
    // There is no later turn to ask again in.
    if (this.#waiting.length > 0) this.#database.exec(`pragma busy_timeout = ${patience}`)
    this.#flush()
  }

  #flush(): void {
    if (this.#waiting.length === 0) return
    try {
      this.#database.exec('begin immediate')
    } catch (error) {
      this.#waitForLock(error)
      return
    }
    this.#lockedSince = undefined
    this.#commit(this.#take())
  }

  /** Asks again a little later, so that reads go on meanwhile, until the patience is at an end. */
  #waitForLock(error: unknown): void {
    this.#lockedSince ??= performance.now()
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === 5
    if (isBusy && !this.#isClosed && performance.now() - this.#lockedSince < patience) {
      setTimeout(() => this.#flush(), pause)
      return
    }
    this.#lockedSince = undefined
    for (const { reject } of this.#take()) reject(error)
  }

  #take(): readonly Waiting[] {
    const batch = this.#waiting
    this.#waiting = []
    return batch
  }

  #commit(batch: readonly Waiting[]): void {
    let done: readonly Done[]
    try {
      done = batch.map((waiting) => this.#runOne(waiting))
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

  #runOne(waiting: Waiting): Done {
    this.#database.exec('savepoint one')
    try {
      const result = waiting.write()
      this.#database.exec('release one')
      return { waiting, result }
    } catch (error) {
      // A fault that has ended the whole transaction (a full disk) concerns the others of the batch too.
      if (!this.#database.isTransaction) throw error
      this.#database.exec('rollback to one')
      this.#database.exec('release one')
      return { waiting, error }
    }
  }
}
