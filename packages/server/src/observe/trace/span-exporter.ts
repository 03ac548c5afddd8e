/** Sends spans to whoever collects them, some at a time and in no request's way: OTLP over HTTP, as JSON. */
import { setTimeout as pause } from 'node:timers/promises'
import { Outage } from '../../foundation/outage.ts'
import type { TraceSettings } from './settings.ts'
import { type Attributes, type Span, spanKinds } from './span.ts'

/** How many spans are sent at once. */
const batchSize = 512

/** How often a batch is sent whose receiver cannot take it now, and the pause before the next time, in milliseconds. */
const tries = 4
const firstPause = 1000

/** Whoever answers so may take it later. */
const passing = [429, 502, 503, 504]

export class SpanExporter {
  /** How many spans the receiver has taken, and how many nobody will ever see. */
  exported = 0
  dropped = 0

  readonly #settings: Required<Pick<TraceSettings, 'endpoint' | 'headers' | 'timeout' | 'delay' | 'queue'>>
  readonly #attributes: Attributes
  readonly #outage: Outage<Error>
  #waiting: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  readonly #stop = new AbortController()

  /** `onFault` is told once when spans stop arriving, and not again before they have arrived. */
  constructor(settings: TraceSettings, attributes: Attributes, onFault: (error: Error) => void) {
    const { endpoint, headers = {}, timeout = 10_000, delay = 5000, queue = 2048 } = settings
    this.#settings = { endpoint, headers, timeout, delay, queue }
    this.#attributes = attributes
    this.#outage = new Outage(onFault)
  }

  add(span: Span): void {
    if (this.#waiting.length >= this.#settings.queue || this.#stop.signal.aborted) {
      this.dropped++
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= batchSize) this.#start()
    else this.#timer ??= setTimeout(() => this.#start(), this.#settings.delay).unref()
  }

  /** Sends what waits, once. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#sending
    await this.#start()
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendWaiting().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchSize)
      try {
        const rejected = await this.#send(JSON.stringify(this.#message(batch)))
        this.dropped += rejected
        this.exported += batch.length - rejected
        this.#outage.succeed()
      } catch (error) {
        this.dropped += batch.length
        this.#outage.fail(error as Error)
      }
    }
  }

  /** Gives the number of spans that the receiver did not want. */
  async #send(body: string): Promise<number> {
    for (let tried = 1, after = firstPause; ; tried++, after *= 2) {
      const answer = await this.#post(body).catch((error: Error) => error)
      if (!(answer instanceof Error) && answer.ok) return rejectedIn(await answer.text())
      const isPassing = answer instanceof Error || passing.includes(answer.status)
      if (!isPassing || tried === tries || this.#stop.signal.aborted) throw faultOf(answer)
      const asked = answer instanceof Error ? 0 : Number(answer.headers.get('retry-after')) * 1000
      await pause(asked > 0 ? Math.min(asked, 60_000) : after, undefined, {
        ref: false,
        signal: this.#stop.signal,
      }).catch(() => {})
    }
  }

  #post(body: string): Promise<Response> {
    const { endpoint, headers, timeout } = this.#settings
    return fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
  }

  #message(spans: readonly Span[]): object {
    const scope = { name: '@nomen/server' }
    const scopeSpans = [{ scope, spans: spans.map(shownSpan) }]
    return { resourceSpans: [{ resource: { attributes: shownAttributes(this.#attributes) }, scopeSpans }] }
  }
}

function faultOf(answer: Error | Response): Error {
  return answer instanceof Error ? answer : new Error(`The receiver of traces answers ${answer.status}.`)
}

function rejectedIn(text: string): number {
  try {
    return Number(JSON.parse(text).partialSuccess?.rejectedSpans) || 0
  } catch {
    return 0
  }
}

function shownSpan({ context, parentId, name, kind, began, ended, attributes, fault }: Span): object {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: spanKinds[kind],
    startTimeUnixNano: nanoseconds(began),
    endTimeUnixNano: nanoseconds(ended),
    attributes: shownAttributes(attributes),
    status: fault === undefined ? {} : { code: 2, ...(fault !== '' && { message: fault }) },
    flags: 1,
  }
}

function shownAttributes(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: `${value}` },
  }))
}

/** Since 1970; to the microsecond, which is what a number can hold. */
function nanoseconds(time: number): string {
  return `${BigInt(Math.round((performance.timeOrigin + time) * 1000)) * 1000n}`
}
