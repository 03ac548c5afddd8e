/** Times one request and its database calls, for traces and for the Server-Timing header. */
import type { AccessEntry } from '@nomen/core'
import { andThen, attempt, type MaybePromise } from '../foundation/maybe-promise.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { Attributes, RequestSpan, RequestTracer } from '../observe/trace/span.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Plan } from '../store/plan.ts'

/** Begins to watch a request; the route is that of its operation. */
export type RequestWatcher = (request: RequestHead, route: string | undefined, began: number) => RequestTrace

/**
 * Watches requests for a tracer, and to tell with every answer how long it took, where that is wanted. `database` is
 * what traces call it.
 */
export function requestWatcher(tracer: RequestTracer | undefined, isTold: boolean, database: string): RequestWatcher {
  return (request, route, began) => new RequestTrace(tracer?.start(request, route, began), began, isTold, database)
}

export class RequestTrace {
  readonly #span: RequestSpan | undefined
  readonly #began: number
  readonly #isTold: boolean
  readonly #database: string
  #storeTime = 0

  constructor(span: RequestSpan | undefined, began: number, isTold: boolean, database: string) {
    this.#span = span
    this.#began = began
    this.#isTold = isTold
    this.#database = database
  }

  /** Runs code of the request with its span as the active one. */
  run<Result>(work: () => Result): Result {
    return this.#span ? this.#span.run(work) : work()
  }

  /** Times one call of the store. Its rules see the span of the call, even if the store checks several writes in one go. */
  store(plan: Plan, run: (plan: Plan) => MaybePromise<Outcome>): MaybePromise<Outcome> {
    const began = performance.now()
    const { name: noun } = plan.operation.shape.noun
    const span = this.#span?.startChild(`${plan.kind} ${noun}`, {
      'db.system.name': this.#database,
      'db.operation.name': plan.kind,
      'db.collection.name': noun,
    })
    const end = () => {
      this.#storeTime += performance.now() - began
      span?.end()
    }
    const failed = (error: unknown): never => {
      span?.fail(error)
      end()
      throw error
    }
    const send = span ? () => span.run(() => run(boundPlan(plan, span))) : () => run(plan)
    return andThen(attempt(send, failed), (outcome) => {
      end()
      return outcome
    })
  }

  /** Runs several calls of the store as one transaction, which has a watch of its own for its parts. */
  async transaction<Result>(run: (parts: RequestTrace) => Promise<Result>): Promise<Result> {
    const attributes = { 'db.system.name': this.#database, 'db.operation.name': 'transaction' }
    const span = this.#span?.startChild('transaction', attributes)
    const parts = new RequestTrace(span, this.#began, this.#isTold, this.#database)
    try {
      return await parts.run(() => run(parts))
    } catch (error) {
      span?.fail(error)
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
    if (!this.#span) return
    if (entry.status >= 500) this.#span.fail()
    this.#span.end(responseAttributes(entry))
  }
}

/** The plan with rules that see the span as the active one whenever they run. */
function boundPlan(plan: Plan, span: RequestSpan): Plan {
  if (!('check' in plan) || !plan.check) return plan
  const { check } = plan
  return { ...plan, check: (record, previous) => span.run(() => check(record, previous)) }
}

function responseAttributes({ address, target, protocol, status, size, userAgent }: AccessEntry): Attributes {
  const [path = '', query] = target.split('?', 2)
  return {
    'url.path': path,
    ...(query !== undefined && { 'url.query': query }),
    'http.response.status_code': status,
    'http.response.body.size': size,
    'network.protocol.version': protocol.replace('HTTP/', ''),
    'client.address': address,
    ...(userAgent !== undefined && { 'user_agent.original': userAgent }),
    ...(status >= 500 && { 'error.type': `${status}` }),
  }
}
