// The start of a service that takes long: it is alive but not ready, and signals end it. Metrics on another port.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseLine } from '@nomen/core'
import { freePort } from '@nomen/testing/free-port'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { start, waitUntil } from './nomen.ts'
import { noteService } from './note-service.ts'
import { sendRequest } from './send-request.ts'

/** A service whose migration waits until `finish` is called. */
async function startSlowly(flags: readonly string[] = []) {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  const holder = new pg.Client(url)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('select pg_advisory_lock(1852796261, hashtext(current_schema()))')
  const [folder, port] = [serviceFolder({ 'service.ts': noteService }), await freePort()]
  const command = start(['serve', '--port', `${port}`, '--database', url, ...flags], { folder })
  const get = (path: string) => sendRequest(`http://127.0.0.1:${port}${path}`)
  const status = (path: string) =>
    get(path).then(
      (response) => response.status,
      () => 0,
    )
  await expect.poll(() => status('/health/live')).toBe(200)
  return { command, get, status, finish: () => holder.query('select pg_advisory_unlock_all()') }
}

describe('a service that migrates at start', () => {
  it('is alive, not ready, and never refuses a connection until it is open', async () => {
    const { command, get, status, finish } = await startSlowly()
    const ready = await get('/health/ready')
    expect([ready.status, ready.json()]).toEqual([
      503,
      {
        status: 'unavailable',
        parts: { service: { status: 'unavailable', detail: 'The service is starting.' } },
      },
    ])
    const response = await get('/note')
    expect([response.status, response.headers['retry-after'], response.json()]).toMatchObject([
      503,
      '1',
      { code: 'unavailable', detail: 'The service is starting.' },
    ])
    await finish()
    const statuses = new Set<number>()
    while (!command.stdout().includes('is running at')) statuses.add(await status('/health/live'))
    expect([...statuses]).toEqual([200])
    expect([await status('/health/ready'), await status('/note')]).toEqual([200, 200])
    command.kill('SIGTERM')
    expect((await command.exit).code).toBe(0)
  })

  it('with several processes is alive and not ready until the first one is open', async () => {
    const { command, get, status, finish } = await startSlowly(['--workers', '2'])
    expect([await status('/health/ready'), (await get('/note')).headers['retry-after']]).toEqual([503, '1'])
    await finish()
    const statuses = new Set<number>()
    while (!command.stdout().includes('is running at')) statuses.add(await status('/health/live'))
    // 0: between the supervisor and its first worker, the port is closed for a moment.
    expect([0, 200]).toEqual(expect.arrayContaining([...statuses]))
    expect([await status('/health/ready'), await status('/note')]).toEqual([200, 200])
    command.kill('SIGTERM')
    expect((await command.exit).code).toBe(0)
  })

  it.each([
    ['SIGTERM', []],
    ['SIGINT', []],
    ['SIGTERM', ['--workers', '2']],
  ] as const)('ends at once with %s %j', async (signal, flags) => {
    const { command } = await startSlowly(flags)
    command.kill(signal)
    expect(await command.exit).toMatchObject({ code: 0, signal: null })
  })
})

it('serves metrics on their own port, and an access log with request ID and duration', async () => {
  const folder = serviceFolder({ 'service.ts': noteService })
  const [port, metricsPort] = [await freePort(), await freePort()]
  const flags = ['--port', `${port}`, '--metrics-port', `${metricsPort}`, '--access-log-format', 'extended']
  const command = start(['serve', ...flags], { folder })
  await waitUntil(() => command.stdout().includes('is running at'), 30_000, 'the service runs')
  const get = (at: number, path: string) =>
    sendRequest(`http://127.0.0.1:${at}${path}`, { headers: { 'x-request-id': 'r"1' } })
  expect((await get(port, '/note')).status).toBe(200)
  expect((await get(port, '/metrics')).status).toBe(404)
  const metrics = await get(metricsPort, '/metrics')
  expect([metrics.status, metrics.bytes.toString()]).toEqual([
    200,
    expect.stringContaining('nomen_http_requests_total'),
  ])
  expect((await get(metricsPort, '/health/ready')).status).toBe(200)
  expect((await get(metricsPort, '/note')).status).toBe(404)
  command.kill('SIGTERM')
  expect((await command.exit).code).toBe(0)
  const [line = ''] = readFileSync(join(folder, 'data/access.log'), 'utf8').split('\n')
  expect(line).toMatch(/ "-" "-" r_1 \d+\.\d{3}$/)
  expect(parseLine(line)).toMatchObject({ method: 'GET', target: '/note', status: 200 })
})
