// Traces: what a collector is told of requests, and that nobody notices where there is none.
import { api, identity, noun, operation, resource, text } from '@nomen/core'
import { applicationLog, handle, rule, service } from '@nomen/server'
import { readTraceSettings } from '@nomen/server/internal'
import { startCollector } from '@nomen/testing/otlp-collector'
import { describe, expect, it, onTestFinished } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'

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

async function traced(variables: Record<string, string> = {}, given = notes) {
  const collector = await startCollector()
  onTestFinished(() => collector.close())
  const traces = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    ...variables,
  })
  const lines: string[] = []
  const log = applicationLog({ isPlain: false, write: (line) => lines.push(line) })
  const app = await opened(given, { ...(traces && { traces }), log })
  return { collector, app, faults: () => lines.map((line) => JSON.parse(line).message) }
}

describe('traces', () => {
  it.each([
    ['/note/1', '/note/1'],
    // Left to the framework, since it is encoded.
    ['/note/%31', '/note/%31'],
  ])('go on with what a client began: %s', async (url) => {
    const { app, collector } = await traced({
      OTEL_SERVICE_NAME: 'desk',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
    })
    expect((await app.get(`${url}`, { traceparent, 'user-agent': 'shop/1.2' })).status).toBe(404)
    await expect.poll(() => collector.spans.length, patience).toBe(2)
    const [store, request] = collector.spans
    expect(request).toMatchObject({
      traceId,
      parentSpanId: parent,
      name: 'GET /note/{id}',
      kind: 2,
      status: {},
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/note/{id}',
        'http.response.status_code': 404,
        'url.path': url,
        'user_agent.original': 'shop/1.2',
      },
      resource: { 'service.name': 'desk', 'deployment.environment.name': 'test' },
    })
    expect(store).toMatchObject({
      traceId,
      parentSpanId: request?.spanId,
      name: 'read note',
      kind: 3,
      attributes: { 'db.operation.name': 'read', 'db.collection.name': 'note' },
    })
    expect(BigInt(store?.startTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(request?.startTimeUnixNano ?? 0))
    expect(BigInt(store?.endTimeUnixNano ?? 0)).toBeLessThanOrEqual(BigInt(request?.endTimeUnixNano ?? 0))
    expect([collector.headers()['x-tenant'], collector.faults]).toEqual(['one', []])
  })

  it('begin with a request that brings none, and tell what failed', async () => {
    const { app, collector } = await traced()
    expect((await app.ask('POST', '/note', { title: 'a' })).status).toBe(201)
    expect((await app.ask('POST', '/note', { title: 'fail' })).status).toBe(500)
    await app.get('/nothing')
    await expect.poll(() => collector.spans.length, patience).toBe(5)
    const roots = collector.spans.filter(({ kind }) => kind === 2)
    expect(new Set(roots.map((span) => span.traceId)).size).toBe(3)
    expect(roots.map(({ name, status, parentSpanId }) => [name, status, parentSpanId])).toEqual([
      ['POST /note', {}, undefined],
      ['POST /note', { code: 2 }, undefined],
      ['GET', {}, undefined],
    ])
    const failed = collector.spans.find(({ status, kind }) => kind === 3 && status.code === 2)
    expect(failed?.status.message).toBe('a bug')
    expect(collector.faults).toEqual([])
  })

  it('show what is done together as one, with its parts, and what it was undone for', async () => {
    const { app, collector } = await traced(
      {},
      service({ name: 'desk', apis: [desk], rules: [failing], handlers: [copied] }),
    )
    await app.ask('POST', '/note', { title: 'a' })
    expect((await app.ask('POST', '/note/1/copy', { title: 'b' })).status).toBe(204)
    expect((await app.ask('POST', '/note/1/copy', { title: 'fail' })).status).toBe(500)
    await expect.poll(() => collector.spans.length, patience).toBe(2 + 2 * 5)
    const named = (name: string) => collector.spans.filter((span) => span.name === name)
    const requests = named('POST /note/{noteId}/copy')
    const wholes = named('transaction')
    expect(wholes.map(({ parentSpanId, status, attributes }) => [parentSpanId, status, attributes])).toEqual([
      [requests[0]?.spanId, {}, { 'db.system.name': 'sqlite', 'db.operation.name': 'transaction' }],
      [requests[1]?.spanId, { code: 2, message: 'a bug' }, expect.anything()],
    ])
    for (const [at, whole] of wholes.entries()) {
      const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === whole.spanId)
      expect(parts.map(({ name, status }) => [name, status.code])).toEqual([
        ['change note', undefined],
        ['create note', at === 0 ? undefined : 2],
      ])
    }
  })

  it('are not told of where whoever began did not want it, nor of health and metrics', async () => {
    const { app, collector } = await traced()
    await app.get('/note', { traceparent: traceparent.replace(/01$/, '00') })
    await app.get('/health/live')
    await app.get('/metrics')
    await app.get('/note', { traceparent })
    await app.app.close()
    expect(collector.spans.map((span) => [span.traceId, span.name])).toEqual([
      [traceId, 'list note'],
      [traceId, 'GET /note'],
    ])
  })

  it('are sent again where the collector cannot take them now', async () => {
    const { app, collector, faults } = await traced()
    collector.refuseNext(503, { 'retry-after': '1' })
    await app.get('/note')
    await expect.poll(() => collector.spans.length, patience).toBe(2)
    // The collector has them before the service knows that it has.
    await expect
      .poll(async () => (await app.get('/metrics')).text, patience)
      .toMatch(/nomen_trace_spans_total\{state="sent"\} 2\n/)
    expect(faults()).toEqual([])
  })

  it('are lost, counted and told of once where the collector does not want them', async () => {
    const { app, collector, faults } = await traced()
    for (let count = 0; count < 3; count++) {
      collector.refuseNext(400)
      expect((await app.get('/note')).status).toBe(200)
      await expect
        .poll(async () => (await app.get('/metrics')).text, patience)
        .toContain(`nomen_trace_spans_total{state="lost"} ${2 * (count + 1)}\n`)
    }
    expect(faults()).toEqual(['Traces cannot be sent. The service goes on.'])
  })

  it('that wait are bounded', async () => {
    const { app } = await traced({ OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_SCHEDULE_DELAY: '100000' })
    for (let count = 0; count < 10; count++) await app.get('/note')
    expect((await app.get('/metrics')).text).toContain('nomen_trace_spans_total{state="lost"} 10\n')
  })

  it('wait for nobody who is away when the service stops', async () => {
    const { app, collector, faults } = await traced()
    await collector.close()
    await app.get('/note')
    await app.app.close()
    expect(faults()).toEqual(['Traces cannot be sent. The service goes on.'])
  })
})

describe('Server-Timing', () => {
  it('is told with answers where that is wanted, and not otherwise', async () => {
    const told = await opened(notes, { hasServerTiming: true })
    const timing = /^store;dur=\d+\.\d\d, total;dur=\d+\.\d\d$/
    for (const url of ['/note', '/note/%31', '/note/1'])
      expect((await told.get(url)).headers['server-timing']).toMatch(timing)
    expect((await told.ask('POST', '/note', { title: 'a' })).headers['server-timing']).toMatch(timing)
    const whole = await opened(service({ name: 'desk', apis: [desk], handlers: [copied] }), { hasServerTiming: true })
    await whole.ask('POST', '/note', { title: 'a' })
    expect((await whole.ask('POST', '/note/1/copy', { title: 'b' })).headers['server-timing']).toMatch(timing)
    const silent = await opened(notes)
    expect((await silent.get('/note')).headers['server-timing']).toBeUndefined()
  })
})
