/** Times one request and its database calls, for traces and for the Server-Timing header. */
import type { AccessEntry } from '@nomen/core'
import { andThen, attempt, type MaybePromise } from '../foundation/maybe-promise.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { Attributes, RequestSpan, RequestTracer } from '../observe/trace/span.ts'
import type { Outcome } from '../store/outcome.ts'
import type { Plan } from '../store/plan.ts'

/** Starts the trace of a request; `route` is the path of its operation. */
export type StartTrace = (request: RequestHead, route: string | undefined, startedAt: number) => RequestTrace

/** Traces requests for a tracer, a Server-Timing header, or both. `database` is the name of the database in traces. */
export function traceRequests(
  tracer: RequestTracer | undefined,
  hasServerTiming: boolean,
  database: string,
): StartTrace {
  return (request, route, startedAt) =>
    new RequestTrace(tracer?.start(request, route, startedAt), startedAt, hasServerTiming, database)
}

export class RequestTrace {
  readonly #span: RequestSpan | undefined
  readonly #startedAt: number
  readonly #hasServerTiming: boolean
  readonly #database: string
  #storeMs = 0

  constructor(span: RequestSpan | undefined, startedAt: number, hasServerTiming: boolean, database: string) {
    this.#span = span
    this.#startedAt = startedAt
    this.#hasServerTiming = hasServerTiming
    this.#database = database
  }

  /** Runs code of the request with its span as the active one. */
  run<Result>(work: () => Result): Result {
    return this.#span ? this.#span.run(work) : work()
  }

  /** Times one call of the store. Rules run with the span of their call, even if the store commits several writes together. */
  store(plan: Plan, run: (plan: Plan) => MaybePromise<Outcome>): MaybePromise<Outcome> {
    const startedAt = performance.now()
    const { name: noun } = plan.operation.shape.noun
    const span = this.#span?.startChild(`${plan.kind} ${noun}`, {
      'db.system.name': this.#database,
      'db.operation.name': plan.kind,
      'db.collection.name': noun,
    })
    const end = () => {
      this.#storeMs += performance.now() - startedAt
      span?.end()
    }
    const fail = (error: unknown): never => {
      span?.fail(error)
      end()
      throw error
    }
    const send = span ? () => span.run(() => run(boundPlan(plan, span))) : () => run(plan)
    return andThen(attempt(send, fail), (outcome) => {
      end()
      return outcome
    })
  }

  /** Traces a transaction. Its calls have a child trace. */
  async transaction<Result>(run: (child: RequestTrace) => Promise<Result>): Promise<Result> {
    const attributes = { 'db.system.name': this.#database, 'db.operation.name': 'transaction' }
    const span = this.#span?.startChild('transaction', attributes)
    const child = new RequestTrace(span, this.#startedAt, this.#hasServerTiming, this.#database)
    try {
      return await child.run(() => run(child))
    } catch (error) {
      span?.fail(error)
      throw error
    } finally {
      this.#storeMs += child.#storeMs
      span?.end()
    }
  }

  /** The value of the Server-Timing header; undefined if responses do not have it. */
  get serverTiming(): string | undefined {
    if (!this.#hasServerTiming) return undefined
    const totalMs = performance.now() - this.#startedAt
    return `store;dur=${this.#storeMs.toFixed(2)}, total;dur=${totalMs.toFixed(2)}`
  }

  end(entry: AccessEntry, requestId: string): void {
    if (!this.#span) return
    if (entry.status >= 500) this.#span.fail()
    this.#span.end({ ...responseAttributes(entry), 'http.response.header.x-request-id': [requestId] })
  }
}

/** The plan with rules that run with the span as the active one. */
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
