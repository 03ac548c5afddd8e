/** Several writes as one on SQLite, while others are served (docs/decisions/transaction.md). */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../error.ts'
import type { Model } from '../model.ts'
import { isRead, type Plan } from '../plan.ts'
import { retry } from '../retry.ts'
import type { TransactionWork } from '../store.ts'
import { type Time, TransactionAttempt, timeOf } from '../transaction/attempt.ts'
import { Semaphore } from '../transaction/semaphore.ts'
import { SqliteLists } from './read/lists.ts'
import { ownTurn, type SharedRead } from './read/shared-read.ts'
import { SqliteSession } from './session.ts'
import { SchemaGuard } from './write/schema-guard.ts'
import type { WriteQueue } from './write/write-queue.ts'

interface TogetherParts {
  readonly model: Model
  readonly queue: WriteQueue
  /** The connection that everybody reads by, and its reads. */
  readonly database: DatabaseSync
  readonly reads: SharedRead
  /** Opens another connection; absent where only one sees the records, those in memory. */
  readonly open?: (() => DatabaseSync) | undefined
  /** Throws where the file is not at its path any more. */
  readonly checkFile: () => void
  /** How long the text of a list may be, in bytes. */
  readonly maxListBytes: number
}

/** A connection to write by while others read, and what is asked of it. */
interface WriteConnection {
  readonly database: DatabaseSync
  readonly session: SqliteSession
  readonly guard: SchemaGuard
}

export class SqliteTransactions {
  readonly #parts: TogetherParts
  readonly #line = new Semaphore(1, 'Others have written together')
  #desk: WriteConnection | undefined
  #attempt: TransactionAttempt | undefined
  #inTheWay: PromiseWithResolvers<void> | undefined

  constructor(parts: TogetherParts) {
    this.#parts = parts
  }

  /** What all others must wait for, reads as well: in memory, one connection sees what is half done. */
  get inTheWay(): Promise<void> | undefined {
    return this.#inTheWay?.promise
  }

  run<Result>(work: TransactionWork<Result>, limit: number): Promise<Result> {
    return this.whileHeld(() => this.#alone(work, timeOf(limit)), limit)
  }

  /** Does something while nothing else of this process writes; others may wait for that at most as long as it may take. */
  whileHeld<Result>(work: () => Promise<Result>, limit: number): Promise<Result> {
    const { queue } = this.#parts
    return this.#line.enter(async () => {
      await queue.hold()
      try {
        return await work()
      } finally {
        queue.release()
      }
    }, limit)
  }

  /** Undoes what is under way, and takes no more. */
  async close(): Promise<void> {
    const left = this.#line.close()
    this.#attempt?.stop(new StoreUnavailable('The database is closed.'))
    await left
    if (this.#parts.open && this.#desk?.database.isOpen) this.#desk.database.close()
  }

  async #alone<Result>(work: TransactionWork<Result>, time: Time): Promise<Result> {
    const { open, reads, checkFile } = this.#parts
    checkFile()
    const { database, session, guard } = this.#open()
    if (!open) this.#shut()
    const attempt = new TransactionAttempt((plan) => runPlan(session, plan))
    this.#attempt = attempt
    try {
      await begin(database, time)
      guard.check()
      const result = await attempt.of(work, time)
      checkFile()
      database.exec('commit')
      // Reads of this turn that come later are shown it.
      reads.end()
      attempt.end(true)
      return result
    } catch (error) {
      // A full disk may have ended it.
      if (database.isTransaction) database.exec('rollback')
      attempt.end(false)
      throw error
    } finally {
      this.#attempt = undefined
      this.#unshut()
    }
  }

  #open(): WriteConnection {
    if (this.#desk) return this.#desk
    const { model, open, maxListBytes: maxBytes } = this.#parts
    const database = open?.() ?? this.#parts.database
    const reads = ownTurn()
    // Nothing that was counted counts any more after the next write.
    const lists = new SqliteLists({ database, model, reads, commits: reads.hold, maxBytes })
    this.#desk = {
      database,
      session: new SqliteSession(database, model, lists),
      guard: new SchemaGuard(database, model),
    }
    return this.#desk
  }

  #shut(): void {
    const { reads } = this.#parts
    reads.end()
    reads.isSuspended = true
    this.#inTheWay = Promise.withResolvers()
  }

  #unshut(): void {
    this.#parts.reads.isSuspended = false
    this.#inTheWay?.resolve()
    this.#inTheWay = undefined
  }
}

/** A write is a promise as everywhere, though it is done at once. */
function runPlan(session: SqliteSession, plan: Plan) {
  return isRead(plan) ? session.read(plan) : (async () => session.writer.write(plan))()
}

/** Waits for other processes that write, while this one goes on. */
function begin(database: DatabaseSync, { until }: Time): Promise<void> {
  return retry(async () => database.exec('begin immediate'), { withinMs: until - performance.now() })
}
