/** One attempt to do several plans as one, whatever the database: who may still add to it, and how it ends. */
import { TransactionTimeout } from '../error.ts'
import type { Outcome } from '../outcome.ts'
import type { Plan } from '../plan.ts'
import type { Transaction, TransactionWork } from '../store.ts'

export interface Time {
  /** How long all of it may take, in milliseconds. */
  readonly limit: number
  /** When that is over, by `performance.now()`. */
  readonly until: number
}

export function timeOf(limit: number): Time {
  return { limit, until: performance.now() + limit }
}

export class TransactionAttempt implements Transaction {
  readonly #perform: (plan: Plan) => Outcome | Promise<Outcome>
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #listeners: ((isDone: boolean) => void)[] = []
  readonly #stopped = Promise.withResolvers<never>()
  #fault: { readonly error: unknown } | undefined
  #isOver = false
  /** Undefined before the end. */
  #isDone: boolean | undefined

  /** `perform` does one plan within the transaction of the database. Where it throws, nothing of the whole is to be kept. */
  constructor(perform: (plan: Plan) => Outcome | Promise<Outcome>) {
    this.#perform = perform
    // Nobody may be waiting for it.
    this.#stopped.promise.catch(() => {})
  }

  run(plan: Plan): Outcome | Promise<Outcome> {
    if (this.#isOver) throw new Error(over)
    if (this.#fault) throw this.#fault.error
    try {
      const outcome = this.#perform(plan)
      return outcome instanceof Promise ? this.#awaited(outcome) : outcome
    } catch (error) {
      throw this.#failed(error)
    }
  }

  atEnd(listener: (isDone: boolean) => void): void {
    // What nobody waited for may be known after the end only.
    if (this.#isDone === undefined) this.#listeners.push(listener)
    else listener(this.#isDone)
  }

  /**
   * Gives what the work gives, once it can be committed. Rejects with what the work throws; before that, with the fault that
   * one of its plans has met, whatever the work made of it; and when the time is over. It takes no plans any more then.
   */
  async of<Result>(work: TransactionWork<Result>, { limit, until }: Time): Promise<Result> {
    const left = until - performance.now()
    if (left <= 0) throw new TransactionTimeout(limit)
    const timer = setTimeout(() => this.stop(new TransactionTimeout(limit)), left)
    try {
      const result = await Promise.race([work(this), this.#stopped.promise])
      this.#isOver = true
      await Promise.all(this.#underWay)
      if (this.#fault) throw this.#fault.error
      return result
    } catch (error) {
      throw this.#fault ? this.#fault.error : error
    } finally {
      this.#isOver = true
      clearTimeout(timer)
    }
  }

  /** Ends it without waiting for its work. */
  stop(error: Error): void {
    this.#stopped.reject(error)
  }

  /** Tells whoever listens what has become of it. */
  end(isDone: boolean): void {
    this.#isDone = isDone
    for (const listener of this.#listeners.splice(0)) listener(isDone)
  }

  #awaited(outcome: Promise<Outcome>): Promise<Outcome> {
    const settled = outcome
      .catch((error) => {
        throw this.#failed(error)
      })
      .finally(() => this.#underWay.delete(settled))
    this.#underWay.add(settled)
    return settled
  }

  #failed(error: unknown): unknown {
    this.#fault ??= { error }
    return error
  }
}

const over =
  'The call of a transaction was used after its end, and nothing was done. Await every call inside the function of the transaction.'
