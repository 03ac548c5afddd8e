// Rate limits: response headers, rejections, and counts that several instances share.
import { existsSync, readFileSync } from 'node:fs'
import { identity, noun, resource, text } from '@nomen/core'
import { audience } from '@nomen/testing/openid-provider'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bearer, claims, providedOnce, signed } from './issued.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note, {}))])
const provider = providedOnce()
const hourly = (number: number) => ({ number, windowMs: 3_600_000 })

describe('a rate limit', () => {
  it('is in the headers of every response, and rejects further requests, through every adapter', async () => {
    const app = await openService(notes, { rateLimit: hourly(3), database: 'sqlite::memory:', corsOrigins: ['*'] })
    const quotas = []
    for (const [method, url] of [
      ['GET', '/note'],
      ['GET', '/note/%31'],
      ['DELETE', '/note'],
      ['GET', '/note'],
      ['GET', '/note/%31'],
      ['POST', '/note'],
    ] as const) {
      const { status, headers, body } = await app.send(method, url)
      quotas.push([status, headers.ratelimit, body.code])
      expect(headers['ratelimit-policy']).toBe('"default";q=3;w=3600')
      if (status !== 429) continue
      expect(headers['retry-after']).toMatch(/^1[12]\d\d$/)
      expect(body.detail).toBe('The rate limit of 3 requests in 3600 s was exceeded.')
    }
    expect(quotas).toEqual([
      [200, '"default";r=2;t=1200', undefined],
      [404, '"default";r=1;t=2400', 'record-not-found'],
      [405, '"default";r=0;t=3600', 'method-not-allowed'],
      [429, '"default";r=0;t=3600', 'too-many-requests'],
      [429, '"default";r=0;t=3600', 'too-many-requests'],
      [429, '"default";r=0;t=3600', 'too-many-requests'],
    ])
    for (const url of ['/health/live', '/health/ready']) expect((await app.get(url)).status, url).toBe(200)
    const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'GET' }
    expect((await app.send('OPTIONS', '/note', undefined, preflight)).status).toBe(204)
    const families = await app.app.metrics()
    const counted = families.find(({ name }) => name === 'nomen_http_limited_requests_total')
    expect(counted?.samples.map(({ value }) => value)).toEqual([3])
  })

  it('counts all addresses of an IPv6 network as one caller, and the log shows each address', async () => {
    const accessLog = temporaryPath()
    const settings = { rateLimit: hourly(2), database: 'sqlite::memory:', trustProxy: 1, accessLog }
    const app = await openService(notes, settings)
    const from = async (address: string) => (await app.get('/note', { 'x-forwarded-for': address })).status
    const network = ['2001:db8:0:7::1', '2001:DB8::7:0:0:0:2', '2001:db8:0:7:ffff::3', '2001:db8:0:7::1']
    const statuses = []
    for (const address of [...network, '2001:db8:0:8::1']) statuses.push(await from(address))
    expect(statuses).toEqual([200, 200, 429, 429, 200])
    const own = []
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.2'])
      own.push(await from(address))
    expect(own).toEqual([200, 200, 429, 200])
    const lines = () => (existsSync(accessLog) ? readFileSync(accessLog, 'utf8').trim().split('\n') : [])
    await expect.poll(() => lines().length).toBe(9)
    expect(lines().map((line) => line.split(' ')[0])).toEqual([
      ...[...network, '2001:db8:0:8::1'].map((address) => `[${address}]`),
      ...['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'],
    ])
  })

  it('is in the document, with the response headers', async () => {
    const app = await openService(notes, { rateLimit: hourly(1), database: 'sqlite::memory:' })
    const { paths, components } = (await app.get('/openapi.json')).body
    const rejected = await app.get('/note')
    const { $ref } = paths['/note'].get.responses[429]
    const documented = components.responses[$ref.split('/').at(-1)]
    expect(Object.keys(rejected.headers)).toEqual(
      expect.arrayContaining(Object.keys(documented.headers).map((name) => name.toLowerCase())),
    )
    expect(documented.content['application/problem+json'].example.code).toBe(rejected.body.code)
  })

  it('is not documented if it is off', async () => {
    const app = await openService(notes)
    const { headers } = await app.get('/note')
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined])
    expect((await app.get('/openapi.json')).text).not.toMatch(/"429"|RateLimit/)
  })
})

describe('several instances on PostgreSQL', () => {
  it('count together, also if they start concurrently', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const settings = { rateLimit: hourly(200), database: url }
    const fleet = [
      await openService(notes, settings),
      await openService(notes, settings),
      await openService(notes, settings),
    ]
    const responses = Array.from({ length: 450 }, (_, count) => fleet[count % 3]?.get('/note'))
    const statuses = (await Promise.all(responses)).map((response) => response?.status)
    const allowed = statuses.filter((status) => status === 200).length
    expect(allowed).toBeLessThanOrEqual(200)
    // A twentieth of the limit may lie unused with each of the others.
    expect(allowed).toBeGreaterThanOrEqual(180)
    expect(statuses.filter((status) => status === 429)).toHaveLength(450 - allowed)
  })

  it.each(['a\u0000b', '\u{1f600}'.repeat(127), '\ud800'])('count a user with any name together: %j', async (sub) => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const lines: string[] = []
    const log = pino({}, { write: (line) => lines.push(line) })
    const settings = { rateLimit: hourly(3), database: url, log, auth: { issuer: provider().issuer, audience } }
    const [first, second] = [await openService(notes, settings), await openService(notes, settings)]
    const headers = bearer(await signed(claims(provider().issuer, { sub })))
    const statuses = []
    for (const app of [first, second, first, second, first]) statuses.push((await app.get('/note', headers)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect(lines).toEqual([])
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query('select "key" from "_rate"')
    await client.end()
    // Fixed in length, and without the name: the table of buckets does not reveal users.
    expect(rows).toEqual([{ key: expect.stringMatching(/^user [\w-]{43}$/) }])
  })

  it('count separately while the database is unavailable, and report it', async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    const lines: string[] = []
    const log = pino({}, { write: (line) => lines.push(line) })
    const app = await openService(notes, { rateLimit: hourly(3), database: url, log })
    const client = new pg.Client(url)
    await client.connect()
    await client.query('drop table "_rate"')
    await client.end()
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await app.get('/note')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'The shared rate limit is unavailable. Each process applies the limit by itself.',
    ])
  })
})
