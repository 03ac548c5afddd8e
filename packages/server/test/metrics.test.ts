// Metrics: what is counted of requests, and that a scraper can read all of it.
import { readFileSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { plugin } from '@nomen/server/fastify'
import { type ReadFamily, readExposition } from '@nomen/testing/exposition'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { exposition } from '../src/observe/metrics/exposition.ts'
import { MetricRegistry } from '../src/observe/metrics/registry.ts'
import { type Opened, opened, plainApi, serviceOf } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note, {}))])

async function scrape(app: Opened): Promise<ReadonlyMap<string, ReadFamily>> {
  const answer = await app.get('/metrics')
  expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  return readExposition(answer.text)
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
  it('counts requests by operation and status, whichever way they come in', async () => {
    const app = await opened(notes)
    for (const title of ['a', 'b']) await app.ask('POST', '/note', { title })
    await app.get('/note/1')
    await app.ask('HEAD', '/note/1')
    // What is encoded is left to the framework.
    await app.get('/note/%31')
    await app.get('/note/9')
    await app.get('/nothing')
    await app.ask('DELETE', '/note')
    const found = await scrape(app)
    const requests = found
      .get('nomen_http_requests_total')
      ?.samples.map(({ labels, value }) => [...Object.values(labels), value])
    expect(requests).toEqual([
      ['GET', '/note/{id}', '200', 3],
      ['GET', '/note/{id}', '404', 1],
      ['POST', '/note', '201', 2],
      ['none', 'none', '404', 1],
      ['none', 'none', '405', 1],
    ])
    expect(figure(found, 'nomen_http_request_duration_seconds_count', 'method=GET route=/note/{id}')).toBe(4)
    const sent = figure(found, 'nomen_http_response_bytes_total', 'method=POST route=/note')
    expect(sent).toBe('{"id":1,"title":"a"}'.length * 2)
  })

  it('measures durations in seconds', async () => {
    const app = await opened(notes)
    const began = performance.now()
    await app.get('/note')
    const took = (performance.now() - began) / 1000
    const found = await scrape(app)
    const sum = figure(found, 'nomen_http_request_duration_seconds_sum', 'method=GET route=/note')
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThan(took)
  })

  it('tells of the process, the event loop and the store', async () => {
    const app = await opened(notes)
    await app.ask('POST', '/note', { title: 'a' })
    const found = await scrape(app)
    const names = ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nomen_store_size_bytes']
    for (const name of names) expect(figure(found, name), name).toBeGreaterThan(0)
    expect(found.has('nomen_event_loop_delay_seconds')).toBe(true)
    expect(figure(found, 'nomen_service_info', 'service=test')).toBe(1)
  })

  it('tells of the access log, in which every scrape is a line', async () => {
    const accessLog = temporaryPath()
    const app = await opened(notes, { accessLog })
    await app.get('/note')
    await app.get('/note/9')
    await scrape(app)
    const found = await scrape(app)
    expect(figure(found, 'nomen_access_log_lines_total')).toBe(3)
    expect(figure(found, 'nomen_access_log_lost_lines_total')).toBe(0)
    expect(figure(found, 'nomen_access_log_failing')).toBe(0)
    expect(figure(found, 'nomen_disk_free_bytes')).toBeGreaterThan(0)
    await app.app.close()
    expect(readFileSync(accessLog, 'utf8').split('\n')).toHaveLength(5)
  })

  it('counts what an access log loses', async () => {
    const faults: string[] = []
    const app = await opened(notes, {
      accessLog: '/dev/null/access.log',
      onFault: (message) => faults.push(message),
    })
    await app.get('/note')
    await expect.poll(async () => figure(await scrape(app), 'nomen_access_log_failing')).toBe(1)
    expect(figure(await scrape(app), 'nomen_access_log_faults_total')).toBe(1)
    expect(faults).toHaveLength(1)
  })

  it('stands below the prefix of a plugin', async () => {
    const host = fastify()
    onTestFinished(() => host.close())
    await host.register(plugin(notes, { database: 'sqlite::memory:' }), { prefix: '/desk' })
    await host.inject('/desk/note')
    const found = readExposition((await host.inject('/desk/metrics')).body)
    expect(figure(found, 'nomen_http_requests_total', 'method=GET route=/note status=200')).toBe(1)
    expect((await host.inject('/metrics')).statusCode).toBe(404)
  })
})

describe('the registry', () => {
  it('refuses a name that is none, or that is taken', () => {
    const registry = new MetricRegistry()
    registry.addValue('taken', '', 'gauge', () => 1)
    expect(() => registry.addValue('taken', '', 'gauge', () => 1)).toThrow('There is a metric "taken" already.')
    expect(() => registry.addValue('no-name', '', 'gauge', () => 1)).toThrow('"no-name" is no name of a metric')
  })

  it('leaves out what cannot be read, and tells the rest', async () => {
    const registry = new MetricRegistry()
    registry.add('broken', 'It fails.', 'gauge', async () => {
      throw new Error('no')
    })
    registry.addValue('whole', 'It is there.', 'gauge', () => 3)
    expect([...readExposition(exposition(await registry.families())).keys()]).toEqual(['whole'])
  })

  it('writes any text and any number so that they are read again', async () => {
    const registry = new MetricRegistry()
    const label = 'a "quoted" \\ back\nslash, {brace}='
    const values = [1e21, 0.1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]
    registry.add('odd', 'Two\nlines \\', 'gauge', () =>
      values.map((value, at) => ({ labels: { label, at: `${at}` }, value })),
    )
    const found = readExposition(exposition(await registry.families())).get('odd')
    expect(found?.samples.map(({ value }) => value)).toEqual(values)
    expect(found?.samples[0]?.labels.label).toBe(label)
  })
})
