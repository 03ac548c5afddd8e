// Requests for pages, documents, metrics and usage: limited and logged like operations, and in memory once.

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { identity, noun, resource, text } from '@nomen/core'
import { rule } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])
const hourly = (number: number) => ({ number, windowMs: 3_600_000 })

const pages = [
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/js/scalar.js',
  '/console',
  '/console/',
  '/console/assets/a.js',
]
const watched = ['/metrics', '/usage']
const probes = ['/health/live', '/health/ready']

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'nomen-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

function consoleFolder(): string {
  const root = folder()
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), '<!doctype html>')
  writeFileSync(join(root, 'assets/a.js'), 'export {}')
  writeFileSync(join(root, 'assets/a.js.gz'), gzipSync('export {}'))
  return root
}

describe('a request for a page, for metrics or for usage', () => {
  it('is in the access log, unlike a health probe', async () => {
    const accessLog = join(folder(), 'access.log')
    const app = await openService(notes, { accessLog, console: consoleFolder() })
    for (const url of [...pages, ...watched, ...probes, '/note'])
      expect((await app.get(url)).status, url).toBeLessThan(400)
    const paths = () => readFileSync(accessLog, 'utf8').match(/(?<="GET )[^ ]*/g)
    await expect.poll(paths).toEqual([...pages, ...watched, '/note'])
    expect(readFileSync(accessLog, 'utf8')).toMatch(/"GET \/console\/assets\/a\.js HTTP\/1\.1" 200 9 /)
  })

  it('counts against the rate limit, unlike a health probe', async () => {
    const all = [...pages, ...watched]
    const app = await openService(notes, { rateLimit: hourly(all.length), console: consoleFolder() })
    for (const url of all) expect((await app.get(url)).status, url).toBeLessThan(400)
    for (const url of [...all, '/note']) {
      const { status, headers } = await app.get(url)
      expect([url, status, headers.ratelimit]).toEqual([url, 429, expect.stringContaining('r=0')])
    }
    for (const url of probes) expect((await app.get(url)).status, url).toBe(200)
  })

  it('is not counted as usage, and adds no caller', async () => {
    const app = await openService(notes, { console: consoleFolder() })
    const all = [...pages, ...watched]
    for (let count = 0; count < 1100; count++)
      await app.get(all[count % all.length] ?? '', { 'user-agent': `made-up-${count}/1` })
    await app.get('/note', { 'user-agent': 'payroll/2.1' })
    await app.get('/nothing')
    const { body } = await app.get('/usage')
    expect([body.requests, body.others]).toEqual([2, 1])
    const usedEndpoints = body.endpoints.filter(({ requests }: { requests: number }) => requests > 0)
    expect(usedEndpoints.map(({ path }: { path: string }) => path)).toEqual(['/note'])
    expect(usedEndpoints[0].callers.map(({ name }: { name: string }) => name)).toEqual(['payroll'])
  })

  it('is rejected under overload, except metrics and probes', async () => {
    const slow = rule(note, () => {
      for (const end = performance.now() + 10; performance.now() < end; );
      return undefined
    })
    const log = pino({ level: 'silent' })
    const busy = serviceOf([plainApi(resource(note))], [slow])
    const app = await openService(busy, { waitLimitMs: 1, database: 'sqlite::memory:', log, console: consoleFolder() })
    await app.send('POST', '/note', { title: 'a' })
    const writes = Array.from({ length: 60 }, () => app.send('POST', '/note', { title: 'a' }))
    await writes[0]
    const statuses = async (urls: readonly string[]) =>
      Promise.all(urls.map(async (url) => [url, (await app.get(url)).status]))
    expect(await statuses([...pages, '/usage', '/metrics', ...probes])).toEqual([
      ...[...pages, '/usage'].map((url) => [url, 503]),
      ...['/metrics', ...probes].map((url) => [url, 200]),
    ])
    await Promise.all(writes)
  })
})

describe('a static file', () => {
  it.each([
    ['as it is', ''],
    ['compressed', 'Accept-Encoding: gzip\r\n'],
  ])('is in memory once, however many connections read it %s', async (_, header) => {
    const { app } = await openService(notes)
    const { port, hostname } = new URL(await app.listen({ port: 0 }))
    const headers = header === '' ? {} : { 'accept-encoding': 'gzip' }
    expect((await inject(app, { url: '/docs/js/scalar.js', headers })).statusCode).toBe(200)
    const before = process.memoryUsage().arrayBuffers
    const exchanges = Array.from({ length: 15 }, async () => {
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      await once(socket, 'connect')
      socket.write(`GET /docs/js/scalar.js HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`)
      await once(socket, 'readable')
    })
    await Promise.all(exchanges)
    // The script has 4.3 MB, and 1.2 MB compressed.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(12_000_000)
  })

  it('is the same in every encoding', async () => {
    const { app } = await openService(notes)
    for (const url of ['/openapi.json', '/docs/js/scalar.js']) {
      const plain = await inject(app, url)
      const gzip = await inject(app, { url, headers: { 'accept-encoding': '*' } })
      expect(gzip.headers['content-encoding'], url).toMatch(/^(br|gzip)$/)
      const zipped = await inject(app, { url, headers: { 'accept-encoding': 'gzip' } })
      expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload), url).toBe(true)
      expect(zipped.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' })
      const head = await inject(app, { url, method: 'HEAD' })
      expect([head.body, head.headers['content-length']]).toEqual(['', `${plain.rawPayload.length}`])
    }
  })
})
