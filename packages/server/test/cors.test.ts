// CORS, and the headers for browsers in every response.
import { identity, noun, resource, text } from '@nomen/core'
import { plugin } from '@nomen/server/fastify'
import { originFault } from '@nomen/server/internal'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openService, plainApi, serviceOf, type TestResponse } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note, {}))])

const origin = 'https://app.example.com'
const corsOrigins = [origin, 'http://localhost:5173']

type Shown = Pick<TestResponse<unknown>, 'headers'>
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
  it('can read every response, including problems, if its origin is listed', async () => {
    const app = await openService(notes, { corsOrigins })
    for (const [method, url, body, status] of requests) {
      const response = await app.send(method, url, body, { origin })
      expect([method, url, response.status, allowed(response), response.headers.vary]).toEqual([
        method,
        url,
        status,
        origin,
        'accept-encoding, origin',
      ])
      expect(response.headers['access-control-expose-headers']).toContain('etag')
    }
  })

  it.each(['https://app.example.com.evil.example', 'https://app.example.com:444', 'null', 'HTTPS://APP.EXAMPLE.COM'])(
    'of %s cannot read responses, and Vary says so to caches',
    async (other) => {
      const app = await openService(notes, { corsOrigins })
      for (const [method, url, body] of requests) {
        const response = await app.send(method, url, body, { origin: other })
        expect([allowed(response), response.headers.vary]).toEqual([undefined, 'accept-encoding, origin'])
      }
      const preflightHeaders = { origin: other, 'access-control-request-method': 'PATCH' }
      const preflight = await app.send('OPTIONS', '/note', undefined, preflightHeaders)
      expect([allowed(preflight), preflight.headers['access-control-allow-methods']]).toEqual([undefined, undefined])
    },
  )

  it('gets a preflight response at any path, before authentication', async () => {
    const app = await openService(notes, { corsOrigins })
    for (const url of ['/note', '/note/1', '/nothing']) {
      const { status, headers } = await app.send('OPTIONS', url, undefined, {
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
    const plain = await app.send('OPTIONS', '/note', undefined, { origin })
    expect([plain.headers.allow, plain.headers['access-control-allow-methods']]).toEqual([
      'GET, HEAD, OPTIONS, POST',
      undefined,
    ])
  })

  it('of any origin is allowed by *, without credentials', async () => {
    const app = await openService(notes, { corsOrigins: ['*'] })
    const response = await app.get('/note', { origin: 'https://anyone.example' })
    expect([allowed(response), response.headers['access-control-allow-credentials']]).toEqual(['*', undefined])
  })

  it('cannot read responses by default', async () => {
    const app = await openService(notes)
    const response = await app.get('/note', { origin })
    expect([allowed(response), response.headers.vary]).toEqual([undefined, 'accept-encoding'])
  })

  it('can read responses of a plugin; the application decides about its own', async () => {
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
    ['https://app.example.com/', 'Use https://app.example.com.'],
    ['https://APP.example.com', 'Use https://app.example.com.'],
    ['https://app.example.com:443', 'Use https://app.example.com.'],
    ['app.example.com', 'Use the form https://app.example.com.'],
    ['null', 'Use the form https://app.example.com.'],
  ])('may not be %s', (text, fix) => {
    expect(originFault(text)).toBe(`"${text}" is not an origin. ${fix}`)
  })
})

describe('every response', () => {
  it('has nosniff and must be revalidated', async () => {
    const app = await openService(notes)
    for (const [method, url, body, status] of requests) {
      const response = await app.send(method, url, body)
      const cache = url.startsWith('/health') ? 'no-store' : 'no-cache'
      expect([
        method,
        url,
        response.status,
        response.headers['x-content-type-options'],
        response.headers['cache-control'],
      ]).toEqual([method, url, status, 'nosniff', cache])
    }
  })

  it('of the docs page has a content security policy', async () => {
    const app = await openService(notes)
    const { headers } = await app.get('/docs/')
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self' 'sha256-[^']+';/)
    expect([headers['referrer-policy'], headers['x-content-type-options']]).toEqual(['no-referrer', 'nosniff'])
  })
})
