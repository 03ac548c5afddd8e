/** Serializable transactions on PostgreSQL (docs/decisions/transaction.md). */
import { StoreUnavailable } from '../fault/error.ts'
import { faultOf } from '../fault/fault.ts'
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import { transactionTable } from '../sql/own-tables/table.ts'
import type { TransactionWork } from '../store.ts'
import { type TimeLimit, TransactionAttempt, timeLimit } from '../transaction/attempt.ts'
import { Semaphore } from '../transaction/semaphore.ts'
import type { PostgresDatabase, TransactionMode } from './connect/database.ts'
import { share } from './connect/pool-use.ts'
import { identifier } from './name.ts'
import { PlanTransaction } from './plan-transaction.ts'
import { isKeyTaken } from './write/idempotency-keys.ts'

/** The part of the connections that transactions may use, so that other requests still get some. */
const connectionShare = 5 / 12

/** How long the first try waits for a lock. It is limited, because transactions could wait for each other. */
const lockTimeoutMs = 100

/** If this process hangs, the server ends a transaction that is idle for the limit and this time. */
const serverGraceMs = 1000

/** Runs one plan within a transaction; `isRetry` if other writes interfered with the last try. */
export type RunPlan = (statements: PlanTransaction, plan: Plan, isRetry: boolean) => Promise<Outcome>

export class PostgresTransactions {
  readonly #database: PostgresDatabase
  readonly #runPlan: RunPlan
  readonly #semaphore: Semaphore
  readonly #attempts = new Set<TransactionAttempt>()

  constructor(database: PostgresDatabase, runPlan: RunPlan) {
    this.#database = database
    this.#runPlan = runPlan
    const maxTransactions = share(database.pool.figures.limit, connectionShare)
    this.#semaphore = new Semaphore(maxTransactions, 'Other transactions were running or waiting')
  }

  run<Result>(work: TransactionWork<Result>, limitMs: number): Promise<Result> {
    return this.#semaphore.enter(() => {
      const time = timeLimit(limitMs)
      return this.#database.retry((tries) => this.#try(work, time, tries > 1), { isConflict })
    }, limitMs)
  }

  /** Rolls back pending transactions, and accepts no more. */
  async close(): Promise<void> {
    const allEnded = this.#semaphore.close()
    for (const attempt of this.#attempts) attempt.stop(new StoreUnavailable('The database is closed.'))
    await allEnded
  }

  async #try<Result>(work: TransactionWork<Result>, time: TimeLimit, isRetry: boolean): Promise<Result> {
    let transaction: PlanTransaction
    const attempt = new TransactionAttempt(inSequence((plan) => this.#runPlan(transaction, plan, isRetry)))
    this.#attempts.add(attempt)
    let isCommitted = false
    try {
      const mode = transactionMode(isRetry, settingsFor(time, isRetry))
      const result = await this.#database.transactionIn(mode, async (connection, beginResult) => {
        transaction = new PlanTransaction(connection)
        await beginResult
        try {
          return await attempt.runWork(work, time)
        } finally {
          transaction.close()
        }
      })
      isCommitted = true
      return result
    } finally {
      this.#attempts.delete(attempt)
      attempt.end(isCommitted)
    }
  }
}

/**
 * First tries run concurrently, under a shared lock. A retry runs alone, under an exclusive lock: after all earlier
 * transactions, and before all later ones. `lock table` takes no snapshot, but a query for an advisory lock does:
 * so the snapshot of the transaction is taken after its lock.
 */
export function transactionMode(isAlone: boolean, settings: readonly string[] = []): TransactionMode {
  const lock = `lock table ${identifier(transactionTable.name)} in ${isAlone ? 'exclusive' : 'share'} mode`
  return {
    begin: 'begin isolation level serializable',
    firstStatements: ['set local lock_timeout = 0', lock, ...settings],
  }
}

function settingsFor({ limitMs }: TimeLimit, isAlone: boolean): readonly string[] {
  return [
    `set local lock_timeout = ${isAlone ? 0 : lockTimeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${limitMs + serverGraceMs}`,
  ]
}

/** Whether a retry can succeed: an idempotency key is taken, or a lock timed out, which is free when the transaction runs alone. */
function isConflict(error: unknown): boolean {
  return isKeyTaken(error) || (error instanceof StoreUnavailable && faultOf(error.cause) === 'lock-timeout')
}

/** The plans of one transaction share a connection: each starts when the previous one has ended. */
function inSequence(runPlan: (plan: Plan) => Promise<Outcome>): (plan: Plan) => Promise<Outcome> {
  let previous: Promise<unknown> = Promise.resolve()
  return (plan) => {
    const outcome = previous.then(() => runPlan(plan))
    previous = outcome.catch(() => {})
    return outcome
  }
}
