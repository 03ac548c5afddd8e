// Pages of other origins, and what every answer tells a browser.
import { identity, noun, resource, text } from '@nomen/core'
import { plugin } from '@nomen/server/fastify'
import { originFault } from '@nomen/server/internal'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, opened, plainApi, serviceOf } from './opened.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note, {}))])

const origin = 'https://app.example.com'
const corsOrigins = [origin, 'http://localhost:5173']

type Shown = Pick<Answer<unknown>, 'headers'>
const allowed = ({ headers }: Shown) => headers['access-control-allow-origin']

/** Requests that end in every way. */
const requests = [
  ['GET', '/note', undefined, 200],
  ['POST', '/note', { title: 'a' }, 201],
  ['POST', '/note', { title: 1 }, 400],
  ['GET', '/note/9', undefined, 404],
  ['GET', '/note/%39', undefined, 404],
  ['GET', '/nothing', undefined, 404],
  ['DELETE', '/note', undefined, 405],
  ['PROPFIND', '/note', undefined, 501],
  ['GET', '/openapi.json', undefined, 200],
  ['GET', '/health/live', undefined, 200],
] as const

describe('a page of another origin', () => {
  it('reads every answer, problems included, where its origin is listed', async () => {
    const app = await opened(notes, { corsOrigins })
    for (const [method, url, body, status] of requests) {
      const answer = await app.ask(method, url, body, { origin })
      expect([method, url, answer.status, allowed(answer), answer.headers.vary]).toEqual([
        method,
        url,
        status,
        origin,
        'accept-encoding, origin',
      ])
      expect(answer.headers['access-control-expose-headers']).toContain('etag')
    }
  })

  it.each(['https://app.example.com.evil.example', 'https://app.example.com:444', 'null', 'HTTPS://APP.EXAMPLE.COM'])(
    'of %s reads none, and caches are told',
    async (other) => {
      const app = await opened(notes, { corsOrigins })
      for (const [method, url, body] of requests) {
        const answer = await app.ask(method, url, body, { origin: other })
        expect([allowed(answer), answer.headers.vary]).toEqual([undefined, 'accept-encoding, origin'])
      }
      const asked = { origin: other, 'access-control-request-method': 'PATCH' }
      const preflight = await app.ask('OPTIONS', '/note', undefined, asked)
      expect([allowed(preflight), preflight.headers['access-control-allow-methods']]).toEqual([undefined, undefined])
    },
  )

  it('is asked for first by the browser, at any path and before anyone is let in', async () => {
    const app = await opened(notes, { corsOrigins })
    for (const url of ['/note', '/note/1', '/nothing']) {
      const { status, headers } = await app.ask('OPTIONS', url, undefined, {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'if-match, idempotency-key',
      })
      expect([status, headers['access-control-allow-origin'], headers['access-control-allow-methods']]).toEqual([
        204,
        origin,
        'GET, HEAD, POST, PUT, PATCH, DELETE',
      ])
      const names = `${headers['access-control-allow-headers']}`.split(', ')
      expect(names).toEqual(expect.arrayContaining(['authorization', 'content-type', 'if-match', 'idempotency-key']))
      expect(headers['access-control-max-age']).toBe('7200')
    }
    const plain = await app.ask('OPTIONS', '/note', undefined, { origin })
    expect([plain.headers.allow, plain.headers['access-control-allow-methods']]).toEqual([
      'GET, HEAD, OPTIONS, POST',
      undefined,
    ])
  })

  it('of any origin is let in by a star, without credentials', async () => {
    const app = await opened(notes, { corsOrigins: ['*'] })
    const answer = await app.get('/note', { origin: 'https://anyone.example' })
    expect([allowed(answer), answer.headers['access-control-allow-credentials']]).toEqual(['*', undefined])
  })

  it('reads nothing unless that is set', async () => {
    const app = await opened(notes)
    const answer = await app.get('/note', { origin })
    expect([allowed(answer), answer.headers.vary]).toEqual([undefined, 'accept-encoding'])
  })

  it('reads what a plugin serves, and the application decides of its own', async () => {
    const host = fastify()
    onTestFinished(() => host.close())
    host.get('/own', () => ({}))
    await host.register(plugin(notes, { database: 'sqlite::memory:', corsOrigins }), { prefix: '/desk' })
    const get = async (url: string) => (await host.inject({ url, headers: { origin } })).headers
    expect((await get('/desk/note'))['access-control-allow-origin']).toBe(origin)
    expect((await get('/own'))['access-control-allow-origin']).toBeUndefined()
  })
})

describe('an origin', () => {
  it.each(['https://app.example.com', 'http://localhost:5173', '*'])('may be %s', (text) => {
    expect(originFault(text)).toBeUndefined()
  })

  it.each([
    ['https://app.example.com/', 'Write https://app.example.com.'],
    ['https://APP.example.com', 'Write https://app.example.com.'],
    ['https://app.example.com:443', 'Write https://app.example.com.'],
    ['app.example.com', 'Write it as https://app.example.com.'],
    ['null', 'Write it as https://app.example.com.'],
  ])('may not be %s', (text, fix) => {
    expect(originFault(text)).toBe(`"${text}" is no origin. ${fix}`)
  })
})

describe('every answer', () => {
  it('is to be taken for what it says it is, and asked for again before it is shown', async () => {
    const app = await opened(notes)
    for (const [method, url, body, status] of requests) {
      const answer = await app.ask(method, url, body)
      const cache = url.startsWith('/health') ? 'no-store' : 'no-cache'
      expect([
        method,
        url,
        answer.status,
        answer.headers['x-content-type-options'],
        answer.headers['cache-control'],
      ]).toEqual([method, url, status, 'nosniff', cache])
    }
  })

  it('of the docs page names what a browser may do with it', async () => {
    const app = await opened(notes)
    const { headers } = await app.get('/docs/')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self' 'sha256-[^']+';/)
    expect([headers['referrer-policy'], headers['x-content-type-options']]).toEqual(['no-referrer', 'nosniff'])
  })
})
