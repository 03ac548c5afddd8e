/** Times one request and its database calls, for traces and for the Server-Timing header. */
import type { AccessEntry } from '@nomen/core'
import { andThen, attempt, type MaybePromise } from '../foundation/maybe-promise.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { Span } from '../observe/trace/span.ts'
import { endSpan, type Tracer } from '../observe/trace/tracer.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Plan } from '../store/plan.ts'

/** Begins to watch a request; the route is that of its operation. */
export type RequestWatcher = (request: RequestHead, route: string | undefined, began: number) => RequestTrace

/**
 * Watches requests for a tracer, and to tell with every answer how long it took, where that is wanted. `database` is
 * what traces call it.
 */
export function requestWatcher(tracer: Tracer | undefined, isTold: boolean, database: string): RequestWatcher {
  return (request, route, began) => new RequestTrace(tracer?.begin(request, route, began), began, isTold, database)
}

export class RequestTrace {
  readonly #span: Span | undefined
  readonly #began: number
  readonly #isTold: boolean
  readonly #database: string
  #storeTime = 0

  constructor(span: Span | undefined, began: number, isTold: boolean, database: string) {
    this.#span = span
    this.#began = began
    this.#isTold = isTold
    this.#database = database
  }

  /** Times one call of the store. */
  store(plan: Plan, run: () => MaybePromise<Outcome>): MaybePromise<Outcome> {
    const began = performance.now()
    const { name: noun } = plan.operation.shape.noun
    const span = this.#span?.child(`${plan.kind} ${noun}`, 'client', {
      'db.system.name': this.#database,
      'db.operation.name': plan.kind,
      'db.collection.name': noun,
    })
    const end = (fault?: unknown) => {
      this.#storeTime += performance.now() - began
      if (!span) return
      if (fault !== undefined) span.fault = fault instanceof Error ? fault.message : ''
      span.end()
    }
    const failed = (error: unknown): never => {
      end(error)
      throw error
    }
    return andThen(attempt(run, failed), (outcome) => {
      end()
      return outcome
    })
  }

  /** Runs what is asked of the store as one, which has a watch of its own for its parts. */
  async transaction<Result>(run: (parts: RequestTrace) => Promise<Result>): Promise<Result> {
    const attributes = { 'db.system.name': this.#database, 'db.operation.name': 'transaction' }
    const span = this.#span?.child('transaction', 'client', attributes)
    const parts = new RequestTrace(span, this.#began, this.#isTold, this.#database)
    try {
      return await run(parts)
    } catch (error) {
      if (span) span.fault = error instanceof Error ? error.message : ''
      throw error
    } finally {
      this.#storeTime += parts.#storeTime
      span?.end()
    }
  }

  /** The header Server-Timing; undefined where that is not told. */
  get serverTiming(): string | undefined {
    if (!this.#isTold) return undefined
    const total = performance.now() - this.#began
    return `store;dur=${this.#storeTime.toFixed(2)}, total;dur=${total.toFixed(2)}`
  }

  end(entry: AccessEntry): void {
    if (this.#span) endSpan(this.#span, entry)
  }
}
