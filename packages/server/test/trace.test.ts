// Traces: the spans that an OpenTelemetry SDK gets of requests, and the active span in code of the service.
import { once } from 'node:events'
import { connect } from 'node:net'
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { after, handle, rule, service } from '@nomen/server'
import { startCollector } from '@nomen/testing/otlp-collector'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const failing = rule(note, ({ title }) => {
  if (title === 'fail') throw new Error('a bug')
  return undefined
})
const copy = operation({ method: 'POST', on: 'record', body: { title: text() } })
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { operations: { copy } })],
})
const copied = handle(note, copy, ({ key, body, transaction }) =>
  transaction(async (call) => {
    await call(desk).note.update(key, { title: 'copied' })
    await call(desk).note.create(body)
  }),
)
const notes = serviceOf([plainApi(resource(note, {}))], [failing])

/** The machine may be busy with other tests. */
const patience = { timeout: 10_000 }

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parent = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parent}-01`

const ok = { code: SpanStatusCode.UNSET }
const failed = { code: SpanStatusCode.ERROR }
const database = process.env.NOMEN_TEST_DATABASE === 'postgres' ? 'postgresql' : 'sqlite'

/** Registers an SDK until the test is over. */
function registerSdk(processor: SpanProcessor): TracerProvider {
  const provider = new TracerProvider({ spanProcessors: [processor] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  onTestFinished(async () => {
    trace.disable()
    context.disable()
    propagation.disable()
    await provider.shutdown()
  })
  return provider
}

async function traced(definition = notes) {
  const exporter = new InMemorySpanExporter()
  const provider = registerSdk(new SimpleSpanProcessor({ exporter }))
  const app = await openService(definition)
  return { ...app, provider, spans: () => exporter.getFinishedSpans() }
}

const spanId = (span: ReadableSpan | undefined) => span?.spanContext().spanId
const parentId = (span: ReadableSpan) => span.parentSpanContext?.spanId
const nanoseconds = ([seconds, nanos]: readonly [number, number]) => BigInt(seconds) * 1_000_000_000n + BigInt(nanos)

describe('traces', () => {
  it.each([
    ['/note/1', '/note/1'],
    // Left to the framework, since it is encoded.
    ['/note/%31', '/note/%31'],
  ])('continue the trace of the client: %s', async (url) => {
    const { get, spans } = await traced()
    const headers = { traceparent, 'user-agent': 'shop/1.2', 'x-request-id': 'order-7' }
    expect((await get(`${url}`, headers)).status).toBe(404)
    await expect.poll(() => spans().length, patience).toBe(2)
    const [store, request] = spans() as [ReadableSpan, ReadableSpan]
    expect(request).toMatchObject({
      name: 'GET /note/{id}',
      kind: SpanKind.SERVER,
      status: ok,
      parentSpanContext: { traceId, spanId: parent, isRemote: true },
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/note/{id}',
        'http.response.status_code': 404,
        'http.response.header.x-request-id': ['order-7'],
        'url.path': url,
        'user_agent.original': 'shop/1.2',
      },
    })
    expect(store).toMatchObject({
      name: 'read note',
      kind: SpanKind.CLIENT,
      parentSpanContext: { traceId, spanId: spanId(request) },
      attributes: { 'db.system.name': database, 'db.operation.name': 'read', 'db.collection.name': 'note' },
    })
    expect([store, request].map((span) => span.spanContext().traceId)).toEqual([traceId, traceId])
    expect(nanoseconds(store.startTime)).toBeGreaterThanOrEqual(nanoseconds(request.startTime))
    expect(nanoseconds(store.endTime)).toBeLessThanOrEqual(nanoseconds(request.endTime))
  })

  it('start at a request without traceparent, and show which part failed', async () => {
    const { send, get, spans } = await traced()
    expect((await send('POST', '/note', { title: 'a' })).status).toBe(201)
    expect((await send('POST', '/note', { title: 'fail' })).status).toBe(500)
    await get('/nothing')
    await expect.poll(() => spans().length, patience).toBe(5)
    const roots = spans().filter(({ kind }) => kind === SpanKind.SERVER)
    expect(new Set(roots.map((span) => span.spanContext().traceId)).size).toBe(3)
    expect(roots.map((span) => [span.name, span.status, parentId(span)])).toEqual([
      ['POST /note', ok, undefined],
      ['POST /note', failed, undefined],
      ['GET', ok, undefined],
    ])
    expect(roots[1]?.attributes['error.type']).toBe('500')
    const calls = spans().filter(({ kind }) => kind === SpanKind.CLIENT)
    expect(calls.map(({ status }) => status)).toEqual([ok, { ...failed, message: 'a bug' }])
  })

  it('show a transaction with its calls, and the error that rolled it back', async () => {
    const { send, spans } = await traced(service({ name: 'desk', apis: [desk], rules: [failing], handlers: [copied] }))
    await send('POST', '/note', { title: 'a' })
    expect((await send('POST', '/note/1/copy', { title: 'b' })).status).toBe(204)
    expect((await send('POST', '/note/1/copy', { title: 'fail' })).status).toBe(500)
    await expect.poll(() => spans().length, patience).toBe(2 + 2 * 5)
    const named = (name: string) => spans().filter((span) => span.name === name)
    const requests = named('POST /note/{noteId}/copy')
    const transactions = named('transaction')
    expect(transactions.map((span) => [parentId(span), span.status, span.attributes])).toEqual([
      [spanId(requests[0]), ok, { 'db.system.name': database, 'db.operation.name': 'transaction' }],
      [spanId(requests[1]), { ...failed, message: 'a bug' }, expect.anything()],
    ])
    for (const [index, transaction] of transactions.entries()) {
      const calls = spans().filter((span) => parentId(span) === spanId(transaction))
      expect(calls.map(({ name, status }) => [name, status.code])).toEqual([
        ['change note', SpanStatusCode.UNSET],
        ['create note', index === 0 ? SpanStatusCode.UNSET : SpanStatusCode.ERROR],
      ])
    }
  })

  it('have no spans of requests that the client does not sample, nor of health and metrics', async () => {
    const { app, get, spans } = await traced()
    await get('/note', { traceparent: traceparent.replace(/01$/, '00') })
    await get('/health/live')
    await get('/metrics')
    await get('/note', { traceparent })
    await app.close()
    expect(spans().map((span) => [span.spanContext().traceId, span.name])).toEqual([
      [traceId, 'list note'],
      [traceId, 'GET /note'],
    ])
  })

  it('are not recorded without an SDK at the start', async () => {
    const active: unknown[] = []
    const noted = rule(note, () => {
      active.push(trace.getActiveSpan())
      return undefined
    })
    const { send, app } = await openService(serviceOf([plainApi(resource(note, {}))], [noted]))
    const exporter = new InMemorySpanExporter()
    registerSdk(new SimpleSpanProcessor({ exporter }))
    expect((await send('POST', '/note', { title: 'a' }, { traceparent })).status).toBe(201)
    await app.close()
    expect([active, exporter.getFinishedSpans()]).toEqual([[undefined], []])
  })

  it('have one trace for each of several requests on one connection', async () => {
    const { app, spans } = await traced()
    const { port, hostname } = new URL(await app.listen({ port: 0 }))
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.resume()
    for (const requests of [3, 2]) socket.write('GET /note HTTP/1.1\r\nhost: test\r\n\r\n'.repeat(requests))
    await expect.poll(() => spans().length, patience).toBe(10)
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(5)
  })

  it('are part of a span that the host application started', async () => {
    const { provider, get, spans } = await traced()
    const host = provider.getTracer('host').startSpan('host')
    await context.with(trace.setSpan(context.active(), host), () => get('/note', { traceparent }))
    await expect.poll(() => spans().length, patience).toBe(2)
    const request = spans().find(({ name }) => name === 'GET /note') as ReadableSpan
    expect([request.kind, parentId(request)]).toEqual([SpanKind.INTERNAL, host.spanContext().spanId])
  })

  it('are exported before the service is closed', async () => {
    const collector = await startCollector()
    onTestFinished(() => collector.close())
    const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces`, headers: { 'x-tenant': 'one' } })
    registerSdk(new BatchSpanProcessor({ exporter }))
    const { app, get } = await openService(notes)
    await get('/note', { traceparent })
    await app.close()
    expect(collector.headers()['x-tenant']).toBe('one')
    const [store, request] = collector.spans
    expect(request).toMatchObject({
      traceId,
      parentSpanId: parent,
      name: 'GET /note',
      attributes: { 'http.route': '/note', 'http.response.status_code': 200 },
    })
    expect(store).toMatchObject({ traceId, parentSpanId: request?.spanId, name: 'list note' })
  })

  it('do not keep a service from closing if the collector is unreachable', async () => {
    const collector = await startCollector()
    const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces`, timeoutMillis: 300 })
    registerSdk(new BatchSpanProcessor({ exporter }))
    const { app, get } = await openService(notes)
    await collector.close()
    expect((await get('/note')).status).toBe(200)
    await app.close()
    expect(collector.spans).toEqual([])
  })
})

describe('the active span', () => {
  it('is that of the request in handlers, rules and hooks', async () => {
    const activeSpans: [string, string | undefined, string | undefined][] = []
    const see = (where: string, title: string) => {
      const active = trace.getActiveSpan()?.spanContext()
      activeSpans.push([`${where} ${title}`, active?.traceId, active?.spanId])
    }
    const { send, spans } = await traced(
      service({
        name: 'desk',
        apis: [desk],
        rules: [
          rule(note, ({ title }) => {
            see('rule', title)
            return undefined
          }),
        ],
        handlers: [
          handle(note, copy, async ({ key, body, call }) => {
            await call(desk).note.read(key)
            see('handler', body.title)
          }),
        ],
        after: [after(note, ({ record }) => see('hook', record.title))],
      }),
    )
    const traceIds = Array.from({ length: 20 }, (_, index) => `${index + 10}`.padStart(32, '0'))
    const from = (id: string) => ({ traceparent: `00-${id}-${parent}-01` })
    await Promise.all(traceIds.map((id) => send('POST', '/note', { title: id }, from(id))))
    await Promise.all(traceIds.map((id) => send('POST', '/note/1/copy', { title: id }, from(id))))
    await expect.poll(() => activeSpans.length, patience).toBe(traceIds.length * 3)
    expect(activeSpans.filter(([where, id]) => where.endsWith(` ${id}`)).length).toBe(activeSpans.length)
    const requests = spans().filter(({ kind }) => kind === SpanKind.SERVER)
    const inRequest = activeSpans.filter(([, , id]) => requests.some((request) => spanId(request) === id))
    expect(inRequest.map(([where]) => where.split(' ')[0]).sort()).toEqual([
      ...traceIds.map(() => 'handler'),
      ...traceIds.map(() => 'hook'),
    ])
  })
})

describe('Server-Timing', () => {
  it('is in responses if it is enabled, and otherwise not', async () => {
    const timed = await openService(notes, { hasServerTiming: true })
    const timing = /^store;dur=\d+\.\d\d, total;dur=\d+\.\d\d$/
    for (const url of ['/note', '/note/%31', '/note/1'])
      expect((await timed.get(url)).headers['server-timing']).toMatch(timing)
    expect((await timed.send('POST', '/note', { title: 'a' })).headers['server-timing']).toMatch(timing)
    const whole = await openService(service({ name: 'desk', apis: [desk], handlers: [copied] }), {
      hasServerTiming: true,
    })
    await whole.send('POST', '/note', { title: 'a' })
    expect((await whole.send('POST', '/note/1/copy', { title: 'b' })).headers['server-timing']).toMatch(timing)
    const silent = await openService(notes)
    expect((await silent.get('/note')).headers['server-timing']).toBeUndefined()
  })
})
