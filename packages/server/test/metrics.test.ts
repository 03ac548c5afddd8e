// Metrics: counters of requests, in a format that a scraper can read.
import { readFileSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { plugin } from '@nomen/server/fastify'
import { type ReadFamily, readExposition } from '@nomen/testing/exposition'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exposition } from '../src/observe/metrics/exposition.ts'
import { MetricRegistry } from '../src/observe/metrics/registry.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note, {}))])

async function scrape(app: TestService): Promise<ReadonlyMap<string, ReadFamily>> {
  const response = await app.get('/metrics')
  expect([response.status, response.headers['content-type'], response.headers['cache-control']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  return readExposition(response.text)
}

/** The value of a sample by its labels, as `a=b c=d`. */
function figure(families: ReadonlyMap<string, ReadFamily>, name: string, labels = ''): number | undefined {
  const family = families.get(name.replace(/_(bucket|count|sum)$/, '')) ?? families.get(name)
  return family?.samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(sample.labels)
        .map((pair) => pair.join('='))
        .join(' ') === labels,
  )?.value
}

describe('metrics', () => {
  it('count requests by operation and status, through every adapter', async () => {
    const app = await openService(notes)
    for (const title of ['a', 'b']) await app.send('POST', '/note', { title })
    await app.get('/note/1')
    await app.send('HEAD', '/note/1')
    // The framework handles encoded paths.
    await app.get('/note/%31')
    await app.get('/note/9')
    await app.get('/nothing')
    await app.send('DELETE', '/note')
    const metrics = await scrape(app)
    const requests = metrics
      .get('nomen_http_requests_total')
      ?.samples.map(({ labels, value }) => [...Object.values(labels), value])
    expect(requests).toEqual([
      ['GET', '/note/{id}', '200', 3],
      ['GET', '/note/{id}', '404', 1],
      ['POST', '/note', '201', 2],
      ['none', 'none', '404', 1],
      ['none', 'none', '405', 1],
    ])
    expect(figure(metrics, 'nomen_http_request_duration_seconds_count', 'method=GET route=/note/{id}')).toBe(4)
    const sent = figure(metrics, 'nomen_http_response_bytes_total', 'method=POST route=/note')
    expect(sent).toBe('{"id":1,"title":"a"}'.length * 2)
  })

  it('measure durations in seconds', async () => {
    const app = await openService(notes)
    const began = performance.now()
    await app.get('/note')
    const took = (performance.now() - began) / 1000
    const metrics = await scrape(app)
    const sum = figure(metrics, 'nomen_http_request_duration_seconds_sum', 'method=GET route=/note')
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThan(took)
  })

  it('report the process, the event loop and the store', async () => {
    const app = await openService(notes)
    await app.send('POST', '/note', { title: 'a' })
    const metrics = await scrape(app)
    const names = ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nomen_store_size_bytes']
    for (const name of names) expect(figure(metrics, name), name).toBeGreaterThan(0)
    expect(metrics.has('nomen_event_loop_delay_seconds')).toBe(true)
    expect(figure(metrics, 'nomen_service_info', 'service=test')).toBe(1)
  })

  it('report the access log, which has a line for every scrape', async () => {
    const accessLog = temporaryPath()
    const app = await openService(notes, { accessLog })
    await app.get('/note')
    await app.get('/note/9')
    await scrape(app)
    const metrics = await scrape(app)
    expect(figure(metrics, 'nomen_access_log_lines_total')).toBe(3)
    expect(figure(metrics, 'nomen_access_log_lost_lines_total')).toBe(0)
    expect(figure(metrics, 'nomen_access_log_failing')).toBe(0)
    expect(figure(metrics, 'nomen_disk_free_bytes')).toBeGreaterThan(0)
    await app.app.close()
    expect(readFileSync(accessLog, 'utf8').split('\n')).toHaveLength(5)
  })

  it('count lost access-log lines', async () => {
    const faults: string[] = []
    const app = await openService(notes, {
      accessLog: '/dev/null/access.log',
      onFault: (message) => faults.push(message),
    })
    await app.get('/note')
    await expect.poll(async () => figure(await scrape(app), 'nomen_access_log_failing')).toBe(1)
    expect(figure(await scrape(app), 'nomen_access_log_faults_total')).toBe(1)
    expect(faults).toHaveLength(1)
  })

  it('are below the prefix of a plugin', async () => {
    const host = fastify()
    onTestFinished(() => host.close())
    await host.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix: '/desk' })
    await host.inject('/desk/note')
    const metrics = readExposition((await host.inject('/desk/metrics')).body)
    expect(figure(metrics, 'nomen_http_requests_total', 'method=GET route=/note status=200')).toBe(1)
    expect((await host.inject('/metrics')).statusCode).toBe(404)
  })
})

describe('the registry', () => {
  it('rejects an invalid or duplicate name', () => {
    const registry = new MetricRegistry()
    registry.addValue('taken', '', 'gauge', () => 1)
    expect(() => registry.addValue('taken', '', 'gauge', () => 1)).toThrow('The metric "taken" already exists.')
    expect(() => registry.addValue('no-name', '', 'gauge', () => 1)).toThrow('"no-name" is not a valid metric name')
  })

  it('omits metrics that cannot be read, and reports the others', async () => {
    const registry = new MetricRegistry()
    registry.add('broken', 'It fails.', 'gauge', async () => {
      throw new Error('no')
    })
    registry.addValue('whole', 'It is there.', 'gauge', () => 3)
    expect([...readExposition(exposition(await registry.families())).keys()]).toEqual(['whole'])
  })

  it('writes all strings and numbers so that they can be parsed', async () => {
    const registry = new MetricRegistry()
    const label = 'a "quoted" \\ back\nslash, {brace}='
    const values = [1e21, 0.1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]
    registry.add('odd', 'Two\nlines \\', 'gauge', () =>
      values.map((value, at) => ({ labels: { label, at: `${at}` }, value })),
    )
    const family = readExposition(exposition(await registry.families())).get('odd')
    expect(family?.samples.map(({ value }) => value)).toEqual(values)
    expect(family?.samples[0]?.labels.label).toBe(label)
  })
})
