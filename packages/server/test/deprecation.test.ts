// Deprecated operations have deprecation headers in every response; other operations have none.

import { api, identity, noun, resource, text } from '@nomen/core'
import { open, service } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { expect, it, onTestFinished } from 'vitest'

const note = noun('note', { id: identity(), line: text() })
const old = { since: '2026-01-01', sunset: '2026-03-01', successor: '/v2/note' }
const notes = api('notes', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(note, { deprecated: { read: old, create: { since: '2026-01-01' } } })],
})

it('a removed operation responds with 410 and names its successor', async () => {
  const gone = { ...old, gone: true as const }
  const removed = api('notes', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(note, { deprecated: { read: gone, create: { since: '2026-01-01', gone: true } } })],
  })
  const app = await open(service({ name: 'notes', apis: [removed] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const response = await inject(app, { url: '/note/1' })
  expect([response.statusCode, response.headers.link]).toEqual([410, '</v2/note>; rel="successor-version"'])
  expect(response.json()).toMatchObject({
    code: 'gone',
    detail: 'GET /note/{id} was removed on 2026-03-01.',
    hint: 'Use /v2/note.',
  })
  expect((await inject(app, { method: 'POST', url: '/note', payload: '{' })).json()).toMatchObject({ status: 410 })
  expect((await inject(app, { url: '/note' })).statusCode).toBe(200)
  const { paths } = (await inject(app, { url: '/openapi.json' })).json()
  expect(Object.keys(paths['/note/{id}'].get.responses)).toEqual(['400', '410', '500', '503'])
  expect(paths['/note'].post).not.toHaveProperty('requestBody')
})

it('an operation that was removed before its date does not say that the date has passed', async () => {
  const early = { since: '2026-01-01', sunset: '2999-01-01', gone: true as const }
  const resources = [resource(note, { deprecated: early })]
  const removed = api('notes', { versioning: 'per-noun', writes: 'nested', resources })
  const app = await open(service({ name: 'notes', apis: [removed] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  expect((await inject(app, { url: '/note' })).json().detail).toBe('GET /note was removed.')
})

it('a deprecated operation has deprecation headers in every response, including problems', async () => {
  const app = await open(service({ name: 'notes', apis: [notes] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const post = { method: 'POST', url: '/note', headers: { 'content-type': 'application/json' } } as const
  const deprecationOf = async (request: Parameters<typeof inject>[1]) => {
    const { statusCode, headers } = await inject(app, request)
    return [statusCode, headers.deprecation, headers.sunset, headers.link]
  }
  expect(await deprecationOf({ ...post, payload: '{"line":"x"}' })).toEqual([201, '@1767225600', undefined, undefined])
  expect(await deprecationOf({ ...post, payload: '{' })).toEqual([400, '@1767225600', undefined, undefined])
  const whole = ['@1767225600', 'Sun, 01 Mar 2026 00:00:00 GMT', '</v2/note>; rel="successor-version"']
  expect(await deprecationOf({ url: '/note/1' })).toEqual([200, ...whole])
  expect(await deprecationOf({ url: '/note/7' })).toEqual([404, ...whole])
  expect(await deprecationOf({ url: '/n%6fte/7' })).toEqual([404, ...whole])
  expect(await deprecationOf({ url: '/note' })).toEqual([200, undefined, undefined, undefined])
  const { paths } = (await inject(app, { url: '/openapi.json' })).json()
  const headers = (path: string, method: string, status: string) =>
    Object.keys(paths[path][method].responses[status].headers)
  expect(headers('/note/{id}', 'get', '200')).toEqual(['X-Request-Id', 'ETag', 'Deprecation', 'Sunset', 'Link'])
  expect(headers('/note', 'get', '200')).toEqual(['X-Request-Id'])
})
