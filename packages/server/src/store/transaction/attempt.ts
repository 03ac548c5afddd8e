/** One attempt of a transaction, for both databases: runs its plans up to a deadline, and reports whether it was committed. */
import { TransactionTimeout } from '../fault/error.ts'
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { Transaction, TransactionWork } from '../store.ts'

export interface TimeLimit {
  readonly limitMs: number
  /** The deadline by `performance.now()`. */
  readonly deadline: number
}

export function timeLimit(limitMs: number): TimeLimit {
  return { limitMs, deadline: performance.now() + limitMs }
}

export class TransactionAttempt implements Transaction {
  readonly #runPlan: (plan: Plan) => Outcome | Promise<Outcome>
  readonly #pending = new Set<Promise<unknown>>()
  readonly #listeners: ((isCommitted: boolean) => void)[] = []
  readonly #stopped = Promise.withResolvers<never>()
  #fault: { readonly error: unknown } | undefined
  #isClosed = false
  /** Undefined before the end. */
  #isCommitted: boolean | undefined

  /** `runPlan` runs one plan within the database transaction. If it throws, the whole transaction must be rolled back. */
  constructor(runPlan: (plan: Plan) => Outcome | Promise<Outcome>) {
    this.#runPlan = runPlan
    // The promise may have no listener.
    this.#stopped.promise.catch(() => {})
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (this.#isClosed) throw new Error(usedAfterEndMessage)
    if (this.#fault) throw this.#fault.error
    try {
      const outcome = this.#runPlan(plan)
      return outcome instanceof Promise ? this.#track(outcome) : outcome
    } catch (error) {
      throw this.#recordFault(error)
    }
  }

  atEnd(listener: (isCommitted: boolean) => void): void {
    // Un-awaited calls may register after the end.
    if (this.#isCommitted === undefined) this.#listeners.push(listener)
    else listener(this.#isCommitted)
  }

  /**
   * Returns the result of the work when it can be committed. Rejects with the error of the work. An error of a plan takes
   * precedence, even if the work caught it. Also rejects at the deadline. Afterwards it accepts no plans.
   */
  async runWork<Result>(work: TransactionWork<Result>, { limitMs, deadline }: TimeLimit): Promise<Result> {
    const remainingMs = deadline - performance.now()
    if (remainingMs <= 0) throw new TransactionTimeout(limitMs)
    const timer = setTimeout(() => this.stop(new TransactionTimeout(limitMs)), remainingMs)
    try {
      const result = await Promise.race([work(this), this.#stopped.promise])
      this.#isClosed = true
      await Promise.all(this.#pending)
      if (this.#fault) throw this.#fault.error
      return result
    } catch (error) {
      throw this.#fault ? this.#fault.error : error
    } finally {
      this.#isClosed = true
      clearTimeout(timer)
    }
  }

  /** Ends the attempt without waiting for its work. */
  stop(error: Error): void {
    this.#stopped.reject(error)
  }

  /** Notifies the listeners of the end. */
  end(isCommitted: boolean): void {
    this.#isCommitted = isCommitted
    for (const listener of this.#listeners.splice(0)) listener(isCommitted)
  }

  #track(outcome: Promise<Outcome>): Promise<Outcome> {
    const finalOutcome = outcome
      .catch((error) => {
        throw this.#recordFault(error)
      })
      .finally(() => this.#pending.delete(finalOutcome))
    this.#pending.add(finalOutcome)
    return finalOutcome
  }

  #recordFault(error: unknown): unknown {
    this.#fault ??= { error }
    return error
  }
}

const usedAfterEndMessage =
  'A call of the transaction came after its end and was not run. Await every call inside the function of the transaction.'
