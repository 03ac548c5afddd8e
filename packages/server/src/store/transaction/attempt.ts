/** One attempt of a transaction, for both databases: who may still add plans, and how it ends. */
import { TransactionTimeout } from '../fault/error.ts'
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { Transaction, TransactionWork } from '../store.ts'

export interface TimeLimit {
  readonly limitMs: number
  /** The deadline by `performance.now()`. */
  readonly until: number
}

export function timeLimit(limitMs: number): TimeLimit {
  return { limitMs: limitMs, until: performance.now() + limitMs }
}

export class TransactionAttempt implements Transaction {
  readonly #perform: (plan: Plan) => Outcome | Promise<Outcome>
  readonly #pending = new Set<Promise<unknown>>()
  readonly #listeners: ((isDone: boolean) => void)[] = []
  readonly #stopped = Promise.withResolvers<never>()
  #fault: { readonly error: unknown } | undefined
  #isClosed = false
  /** Undefined before the end. */
  #isDone: boolean | undefined

  /** `perform` runs one plan within the database transaction. If it throws, the whole transaction must be rolled back. */
  constructor(perform: (plan: Plan) => Outcome | Promise<Outcome>) {
    this.#perform = perform
    // The promise may have no listener.
    this.#stopped.promise.catch(() => {})
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (this.#isClosed) throw new Error(usedAfterEnd)
    if (this.#fault) throw this.#fault.error
    try {
      const outcome = this.#perform(plan)
      return outcome instanceof Promise ? this.#track(outcome) : outcome
    } catch (error) {
      throw this.#recordFault(error)
    }
  }

  atEnd(listener: (isDone: boolean) => void): void {
    // Un-awaited calls may register after the end.
    if (this.#isDone === undefined) this.#listeners.push(listener)
    else listener(this.#isDone)
  }

  /**
   * Returns the result of the work when it can be committed. Rejects with the error of the work. An error of a plan takes
   * precedence, even if the work caught it. Also rejects at the deadline. Afterwards it accepts no plans.
   */
  async runWork<Result>(work: TransactionWork<Result>, { limitMs: limit, until }: TimeLimit): Promise<Result> {
    const remainingMs = until - performance.now()
    if (remainingMs <= 0) throw new TransactionTimeout(limit)
    const timer = setTimeout(() => this.stop(new TransactionTimeout(limit)), remainingMs)
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
  end(isDone: boolean): void {
    this.#isDone = isDone
    for (const listener of this.#listeners.splice(0)) listener(isDone)
  }

  #track(outcome: Promise<Outcome>): Promise<Outcome> {
    const settled = outcome
      .catch((error) => {
        throw this.#recordFault(error)
      })
      .finally(() => this.#pending.delete(settled))
    this.#pending.add(settled)
    return settled
  }

  #recordFault(error: unknown): unknown {
    this.#fault ??= { error }
    return error
  }
}

const usedAfterEnd =
  'A call of the transaction came after its end and was not run. Await every call inside the function of the transaction.'
