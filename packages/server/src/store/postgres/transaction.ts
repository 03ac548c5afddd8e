/** Transactions on PostgreSQL, each as if it were alone (docs/decisions/transaction.md). */
import { StoreUnavailable } from '../error.ts'
import { faultOf } from '../fault.ts'
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import { retry } from '../retry.ts'
import type { TransactionWork } from '../store.ts'
import { type Time, TransactionAttempt, timeOf } from '../transaction/attempt.ts'
import { Semaphore } from '../transaction/semaphore.ts'
import type { PostgresDatabase, TransactionMode } from './connect/database.ts'
import { PlanTransaction } from './plan-transaction.ts'
import { isKeyTaken } from './write/idempotency-keys.ts'

/** Nomen's own among the advisory locks of a database; the schema's name makes the other half of the key. */
const togetherLock = 0x6e6f6d74

/** So many connections at most, lest all others wait for those whose code waits for something else. */
const places = 5

/** For how long a lock is waited for as long as two may wait for each other, in milliseconds. */
const lockPatience = 100

/** Beyond its own time: the server lets go of what this process does not end, because it hangs, in milliseconds. */
const serverPatience = 1000

/** Does one plan where all statements run in one transaction; `isAgain` where others stood in the way before. */
export type Perform = (statements: PlanTransaction, plan: Plan, isAgain: boolean) => Promise<Outcome>

export class PostgresTransactions {
  readonly #database: PostgresDatabase
  readonly #perform: Perform
  readonly #line = new Semaphore(places, 'Others have written together, or waited to,')
  readonly #attempts = new Set<TransactionAttempt>()

  constructor(database: PostgresDatabase, perform: Perform) {
    this.#database = database
    this.#perform = perform
  }

  run<Result>(work: TransactionWork<Result>, limit: number): Promise<Result> {
    return this.#line.enter(() => {
      const time = timeOf(limit)
      return retry((tries) => this.#once(work, time, tries > 1), { isConflict })
    }, limit)
  }

  /** Undoes what is under way, and takes no more. */
  async close(): Promise<void> {
    const left = this.#line.close()
    for (const attempt of this.#attempts) attempt.stop(new StoreUnavailable('The database is closed.'))
    await left
  }

  async #once<Result>(work: TransactionWork<Result>, time: Time, isAgain: boolean): Promise<Result> {
    let transaction: PlanTransaction
    const attempt = new TransactionAttempt(oneByOne((plan) => this.#perform(transaction, plan, isAgain)))
    this.#attempts.add(attempt)
    let isDone = false
    try {
      const result = await this.#database.transactionIn(transactionMode(isAgain), async (connection) => {
        transaction = new PlanTransaction(connection)
        // Nothing of the work is begun before the transaction is.
        await connection.execute(settingsFor(time, isAgain))
        try {
          return await attempt.of(work, time)
        } finally {
          transaction.close()
        }
      })
      isDone = true
      return result
    } finally {
      this.#attempts.delete(attempt)
      attempt.end(isDone)
    }
  }
}

/**
 * First tries run side by side, under a shared lock. A retry runs alone: after all transactions that came before it, and
 * before all that come later. The lock is taken before the transaction reads anything.
 */
function transactionMode(isAlone: boolean): TransactionMode {
  const shared = isAlone ? '' : '_shared'
  const key = `(${togetherLock}, hashtext(current_schema()))`
  return {
    before: `select pg_advisory_lock${shared}${key}`,
    begin: 'begin isolation level serializable',
    after: `select pg_advisory_unlock${shared}${key}`,
  }
}

function settingsFor({ limit }: Time, isAlone: boolean): string {
  return [
    `set local lock_timeout = ${isAlone ? 0 : lockPatience}`,
    `set local idle_in_transaction_session_timeout = ${limit + serverPatience}`,
  ].join('; ')
}

/** A lock that was not free in time is free when the transaction is alone. */
function isConflict(error: unknown): boolean {
  return isKeyTaken(error) || (error instanceof StoreUnavailable && faultOf(error.cause) === 'lock-timeout')
}

/** The plans of one transaction share a connection: each begins when the one before has ended. */
function oneByOne(perform: (plan: Plan) => Promise<Outcome>): (plan: Plan) => Promise<Outcome> {
  let last: Promise<unknown> = Promise.resolve()
  return (plan) => {
    const outcome = last.then(() => perform(plan))
    last = outcome.catch(() => {})
    return outcome
  }
}
