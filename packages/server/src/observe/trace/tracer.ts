/** Records the requests of a service as spans of traces that others may have begun. */
import { hostname } from 'node:os'
import type { AccessEntry } from '@nomen/core'
import type { RequestHead } from '../../message/request-head.ts'
import type { MetricRegistry } from '../metrics/registry.ts'
import { readTraceparent } from './context.ts'
import { randomId } from './random-id.ts'
import { samplerOf } from './sampler.ts'
import type { TraceSettings } from './settings.ts'
import { type Attributes, Span } from './span.ts'
import { SpanExporter } from './span-exporter.ts'

interface TracerOptions {
  readonly settings: TraceSettings
  /** The name of the service, where the settings give none. */
  readonly service: string
  readonly registry: MetricRegistry
  readonly onFault: (error: Error) => void
}

export class Tracer {
  readonly #exporter: SpanExporter
  readonly #sampler: NonNullable<TraceSettings['sampler']>

  constructor({ settings, service, registry, onFault }: TracerOptions) {
    this.#exporter = new SpanExporter(settings, resourceOf(service, settings.attributes), onFault)
    this.#sampler = settings.sampler ?? (samplerOf('parentbased_always_on', undefined) as never)
    registry.add('nomen_trace_spans_total', 'Spans of traces that were sent, or lost.', 'counter', () => [
      { labels: { state: 'sent' }, value: this.#exporter.exported },
      { labels: { state: 'lost' }, value: this.#exporter.dropped },
    ])
  }

  /** Undefined where the trace is not recorded. `route` is the template of the path; undefined where it found none. */
  begin({ headers, method }: RequestHead, route: string | undefined, began: number): Span | undefined {
    const parent = readTraceparent(headers.traceparent)
    const traceId = parent?.traceId ?? randomId(16)
    if (!this.#sampler(traceId, parent)) return undefined
    const context = { traceId, spanId: randomId(8), isSampled: true }
    const name = route === undefined ? method : `${method} ${route}`
    const attributes: Attributes = {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
    }
    const given = { context, parentId: parent?.spanId, name, kind: 'server' as const, attributes, began }
    return new Span(given, (span) => this.#exporter.add(span))
  }

  close(): Promise<void> {
    return this.#exporter.close()
  }
}

function resourceOf(service: string, given: TraceSettings['attributes']): Attributes {
  return {
    'service.name': service,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'process.pid': process.pid,
    'telemetry.sdk.name': 'nomen',
    'telemetry.sdk.language': 'nodejs',
    ...given,
  }
}

/** Ends the span of a request with what became of it. */
export function endSpan(span: Span, { address, target, protocol, status, size, userAgent }: AccessEntry): void {
  const [path = '', query] = target.split('?', 2)
  Object.assign(span.attributes, {
    'url.path': path,
    ...(query !== undefined && { 'url.query': query }),
    'http.response.status_code': status,
    'http.response.body.size': size,
    'network.protocol.version': protocol.replace('HTTP/', ''),
    'client.address': address,
    ...(userAgent !== undefined && { 'user_agent.original': userAgent }),
    ...(status >= 500 && { 'error.type': `${status}` }),
  })
  if (status >= 500) span.fault = ''
  span.end()
}
