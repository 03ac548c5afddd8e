/** Transactions on SQLite, while other requests are served (docs/decisions/transaction.md). */
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../fault/error.ts'
import { retry } from '../fault/retry.ts'
import { schemaOf } from '../migrate/schema/model-schema.ts'
import type { Model } from '../model.ts'
import { isRead, type Plan } from '../plan.ts'
import type { TransactionWork } from '../store.ts'
import { type TimeLimit, TransactionAttempt, timeLimit } from '../transaction/attempt.ts'
import { Semaphore } from '../transaction/semaphore.ts'
import type { SharedRead } from './read/shared-read.ts'
import { type SqliteSession, transactionSession } from './session.ts'
import { SchemaGuard } from './write/schema-guard.ts'
import type { WriteQueue } from './write/write-queue.ts'

interface TransactionDependencies {
  readonly model: Model
  readonly queue: WriteQueue
  /** The connection of all other reads. */
  readonly database: DatabaseSync
  readonly reads: SharedRead
  /** Opens another connection; absent for an in-memory database, which only one connection sees. */
  readonly open?: (() => DatabaseSync) | undefined
  /** Throws if the file was deleted, moved or replaced. */
  readonly checkFile: () => void
  /** The maximum size of a list, in bytes. */
  readonly maxListBytes: number
}

/** A connection for writes while other requests read, with its session and schema guard. */
interface WriteConnection {
  readonly database: DatabaseSync
  readonly session: SqliteSession
  readonly guard: SchemaGuard
}

export class SqliteTransactions {
  readonly #dependencies: TransactionDependencies
  readonly #semaphore = new Semaphore(1, 'Other transactions were running')
  #connection: WriteConnection | undefined
  #attempt: TransactionAttempt | undefined
  #exclusive: PromiseWithResolvers<void> | undefined

  constructor(dependencies: TransactionDependencies) {
    this.#dependencies = dependencies
  }

  /** All other requests must wait for this, even reads: with one connection, they would see uncommitted data. */
  get exclusive(): Promise<void> | undefined {
    return this.#exclusive?.promise
  }

  run<Result>(work: TransactionWork<Result>, limitMs: number): Promise<Result> {
    return this.withWritesPaused(() => this.#runAlone(work, timeLimit(limitMs)), limitMs)
  }

  /** Runs work while nothing else in this process writes. Other writes wait at most `limitMs` for it. */
  withWritesPaused<Result>(work: () => Promise<Result>, limitMs: number): Promise<Result> {
    const { queue } = this.#dependencies
    return this.#semaphore.enter(async () => {
      await queue.pause()
      try {
        return await work()
      } finally {
        queue.release()
      }
    }, limitMs)
  }

  /** Rolls back the current transaction, and accepts no more. */
  async close(): Promise<void> {
    const idle = this.#semaphore.close()
    this.#attempt?.stop(new StoreUnavailable('The database is closed.'))
    await idle
    if (this.#dependencies.open && this.#connection?.database.isOpen) this.#connection.database.close()
  }

  async #runAlone<Result>(work: TransactionWork<Result>, time: TimeLimit): Promise<Result> {
    const { open, reads, checkFile } = this.#dependencies
    checkFile()
    const { database, session, guard } = this.#open()
    if (!open) this.#blockOthers()
    const attempt = new TransactionAttempt((plan) => runPlan(session, plan))
    this.#attempt = attempt
    try {
      await begin(database, time)
      guard.check()
      session.writer.history?.begin()
      const result = await attempt.runWork(work, time)
      checkFile()
      database.exec('commit')
      // Later reads of this turn must see the result.
      reads.end()
      attempt.end(true)
      return result
    } catch (error) {
      // A full disk may have ended the transaction.
      if (database.isTransaction) database.exec('rollback')
      attempt.end(false)
      throw error
    } finally {
      this.#attempt = undefined
      session.writer.history?.end()
      this.#unblockOthers()
    }
  }

  #open(): WriteConnection {
    if (this.#connection) return this.#connection
    const { model, open, maxListBytes } = this.#dependencies
    const database = open?.() ?? this.#dependencies.database
    this.#connection = {
      database,
      session: transactionSession(database, model, maxListBytes),
      guard: new SchemaGuard(database, schemaOf(model)),
    }
    return this.#connection
  }

  #blockOthers(): void {
    const { reads } = this.#dependencies
    reads.end()
    reads.isSuspended = true
    this.#exclusive = Promise.withResolvers()
  }

  #unblockOthers(): void {
    this.#dependencies.reads.isSuspended = false
    this.#exclusive?.resolve()
    this.#exclusive = undefined
  }
}

/** A write returns a promise as in every store, although it is done synchronously. */
function runPlan(session: SqliteSession, plan: Plan) {
  return isRead(plan) ? session.read(plan) : (async () => session.writer.write(plan))()
}

/** Waits for the write lock without blocking the event loop. */
function begin(database: DatabaseSync, { deadline }: TimeLimit): Promise<void> {
  return retry(async () => database.exec('begin immediate'), { withinMs: deadline - performance.now() })
}
