/**
 * The span of a traced request. It names no type of `@opentelemetry/api`: that package is optional, and the declarations of this
 * package must compile without it.
 */
import type { RequestHead } from '../../message/request-head.ts'

export interface Attributes {
  [name: string]: string | number | string[]
}

export interface RequestSpan {
  /** Starts a span of a database call. Undefined if the trace is not sampled. */
  startChild(name: string, attributes: Attributes): RequestSpan | undefined
  /** Runs code with this span as the active one. */
  run<Result>(work: () => Result): Result
  fail(error?: unknown): void
  end(attributes?: Attributes): void
}

export interface RequestTracer {
  /** Starts the span of a request. `route` is the path template; undefined if no operation has the path. */
  start(request: RequestHead, route: string | undefined, startedAt: number): RequestSpan
  /** Exports the spans that the SDK still holds. The SDK itself reports if that fails. */
  flush(): Promise<void>
}
