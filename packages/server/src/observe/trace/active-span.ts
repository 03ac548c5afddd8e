/** A span of OpenTelemetry, and the context that makes it the active span of the code that it measures. */
import type { Context, Span, Tracer } from '@opentelemetry/api'
import type { Attributes, RequestSpan } from './span.ts'

export interface OpenTelemetry {
  readonly api: typeof import('@opentelemetry/api')
  readonly tracer: Tracer
}

export class ActiveSpan implements RequestSpan {
  readonly #telemetry: OpenTelemetry
  readonly #span: Span
  readonly #context: Context
  /** From `performance.now()` to the time of day. All spans of a request share it, so that a child never outlasts its parent. */
  readonly #clockOffset: number
  readonly #isRecording: boolean

  constructor(telemetry: OpenTelemetry, span: Span, parent: Context, clockOffset: number) {
    this.#telemetry = telemetry
    this.#span = span
    this.#context = telemetry.api.trace.setSpan(parent, span)
    this.#clockOffset = clockOffset
    this.#isRecording = span.isRecording()
  }

  startChild(name: string, attributes: Attributes): ActiveSpan | undefined {
    if (!this.#isRecording) return undefined
    const { api, tracer } = this.#telemetry
    const options = { kind: api.SpanKind.CLIENT, attributes, startTime: performance.now() + this.#clockOffset }
    return new ActiveSpan(
      this.#telemetry,
      tracer.startSpan(name, options, this.#context),
      this.#context,
      this.#clockOffset,
    )
  }

  run<Result>(work: () => Result): Result {
    return this.#telemetry.api.context.with(this.#context, work)
  }

  fail(error?: unknown): void {
    const code = this.#telemetry.api.SpanStatusCode.ERROR
    this.#span.setStatus(error instanceof Error ? { code, message: error.message } : { code })
  }

  end(attributes: Attributes = {}): void {
    this.#span.setAttributes(attributes).end(performance.now() + this.#clockOffset)
  }
}
