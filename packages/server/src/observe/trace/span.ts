/** A span: a part of a trace, from its beginning to its end. */

import type { TraceContext } from './context.ts'
import { randomId } from './random-id.ts'

export type AttributeValue = string | number

export interface Attributes {
  [name: string]: AttributeValue
}

/** As OTLP numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const
export type SpanKind = keyof typeof spanKinds

/** Takes spans that have ended. */
export type SpanSink = (span: Span) => void

export class Span {
  readonly context: TraceContext
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
  /** By `performance.now()`. */
  readonly began: number
  ended = 0
  /** What went wrong, where something did; empty where there is nothing to say of it. */
  fault: string | undefined
  readonly #sink: SpanSink

  constructor(given: Pick<Span, 'context' | 'parentId' | 'name' | 'kind' | 'attributes' | 'began'>, sink: SpanSink) {
    this.context = given.context
    this.parentId = given.parentId
    this.name = given.name
    this.kind = given.kind
    this.attributes = given.attributes
    this.began = given.began
    this.#sink = sink
  }

  /** A part of this part. */
  child(name: string, kind: SpanKind, attributes: Attributes): Span {
    const { traceId, isSampled, spanId: parentId } = this.context
    const context = { traceId, spanId: randomId(8), isSampled }
    return new Span({ context, parentId, name, kind, attributes, began: performance.now() }, this.#sink)
  }

  end(): void {
    this.ended = performance.now()
    this.#sink(this)
  }
}
