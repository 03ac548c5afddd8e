/** A collector of traces as OTLP over HTTP has it: it takes what the protocol allows in JSON, and refuses all else. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly status: { readonly code?: number; readonly message?: string }
  /** Of the process that sent it. */
  readonly resource: Readonly<Record<string, string | number>>
}

export interface Collector {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is set to. */
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The headers of the last message, and what was wrong with messages that were refused. */
  readonly headers: () => IncomingHttpHeaders
  readonly faults: readonly string[]
  /** Answers the next message with this status instead of taking it. */
  refuseNext(status: number, headers?: Record<string, string>): void
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const faults: string[] = []
  const refusals: [number, Record<string, string>][] = []
  let headers: IncomingHttpHeaders = {}
  const server = createServer(async (request, response) => {
    headers = request.headers
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const refusal = refusals.shift()
    if (refusal) return void response.writeHead(...refusal).end()
    try {
      if (request.method !== 'POST' || request.url !== '/v1/traces') throw new Error(`${request.method} ${request.url}`)
      if (headers['content-type'] !== 'application/json') throw new Error(`content-type ${headers['content-type']}`)
      spans.push(...readMessage(JSON.parse(Buffer.concat(parts).toString())))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    } catch (error) {
      faults.push((error as Error).message)
      response.writeHead(400).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    faults,
    headers: () => headers,
    refuseNext: (status, given = {}) => void refusals.push([status, given]),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Anything = Readonly<Record<string, unknown>>

function readMessage(message: unknown): CollectedSpan[] {
  return list(fields(message, ['resourceSpans']).resourceSpans).flatMap((one) => {
    const { resource, scopeSpans } = fields(one, ['resource', 'scopeSpans', 'schemaUrl'])
    const known = readAttributes(fields(resource, ['attributes', 'droppedAttributesCount']).attributes)
    if (typeof known['service.name'] !== 'string') throw new Error('A resource has no service.name.')
    return list(scopeSpans).flatMap((scoped) => {
      const { scope, spans } = fields(scoped, ['scope', 'spans', 'schemaUrl'])
      if (typeof fields(scope, ['name', 'version', 'attributes']).name !== 'string')
        throw new Error('A scope has no name.')
      return list(spans).map((span) => ({ ...readSpan(span), resource: known }))
    })
  })
}

const spanFields = [
  ...['traceId', 'spanId', 'parentSpanId', 'traceState', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
  ...['attributes', 'events', 'links', 'status', 'flags'],
]

function readSpan(given: unknown): Omit<CollectedSpan, 'resource'> {
  const span = fields(given, spanFields) as unknown as CollectedSpan
  const text = (value: unknown, form: RegExp) => {
    if (typeof value !== 'string' || !form.test(value)) throw new Error(`${JSON.stringify(value)} is not ${form}.`)
  }
  text(span.traceId, /^(?!0{32})[0-9a-f]{32}$/)
  text(span.spanId, /^(?!0{16})[0-9a-f]{16}$/)
  if (span.parentSpanId !== undefined) text(span.parentSpanId, /^(?!0{16})[0-9a-f]{16}$/)
  text(span.name, /./)
  text(span.startTimeUnixNano, /^\d{19}$/)
  text(span.endTimeUnixNano, /^\d{19}$/)
  if (BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano)) throw new Error('A span ends before it begins.')
  if (![1, 2, 3, 4, 5].includes(span.kind)) throw new Error(`A span is of kind ${span.kind}.`)
  const status = fields(span.status, ['code', 'message'])
  if (![undefined, 0, 1, 2].includes(status.code as undefined)) throw new Error(`A status has the code ${status.code}.`)
  return { ...span, attributes: readAttributes(span.attributes) }
}

function readAttributes(given: unknown): Record<string, string | number> {
  const read = list(given).map((one) => {
    const { key, value } = fields(one, ['key', 'value'])
    const { stringValue, intValue } = fields(value, ['stringValue', 'intValue'])
    if (typeof key !== 'string') throw new Error('An attribute has no key.')
    if (typeof stringValue === 'string' && intValue === undefined) return [key, stringValue] as const
    // 64-bit integers are text in the JSON of protocol buffers.
    if (typeof intValue === 'string' && /^-?\d+$/.test(intValue) && stringValue === undefined)
      return [key, Number(intValue)] as const
    throw new Error(`The attribute ${key} has the value ${JSON.stringify(value)}.`)
  })
  if (new Set(read.map(([key]) => key)).size !== read.length) throw new Error('Two attributes have one key.')
  return Object.fromEntries(read)
}

function fields(given: unknown, known: readonly string[]): Anything {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(`${JSON.stringify(given)} is no object.`)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no field ${unknown}.`)
  return given as Anything
}

function list(given: unknown): readonly unknown[] {
  if (!Array.isArray(given)) throw new Error(`${JSON.stringify(given)} is no list.`)
  return given
}
