/** A trace collector: receives spans by OTLP over HTTP in JSON. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  /** The attributes of the process that sent the span. */
  readonly resource: Readonly<Record<string, unknown>>
}

export interface Collector {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The headers of the last request. */
  readonly headers: () => IncomingHttpHeaders
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  let headers: IncomingHttpHeaders = {}
  const server = createServer(async (request, response) => {
    headers = request.headers
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    if (!isTraces) return void response.writeHead(404).end()
    spans.push(...readMessage((await json(request)) as Message))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Attributed {
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

interface Message {
  readonly resourceSpans: readonly {
    readonly resource: Attributed
    readonly scopeSpans: readonly { readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & Attributed)[] }[]
  }[]
}

function readMessage({ resourceSpans }: Message): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: readAttributes(span), resource: readAttributes(resource) })),
    ),
  )
}

/** A value is an object with one property, named after its type. */
function readAttributes({ attributes }: Attributed): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
