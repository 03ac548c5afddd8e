// What is deprecated says so with every answer, and nothing else does.

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

it('what is gone says so, and what takes its place', async () => {
  const gone = { ...old, gone: true as const }
  const removed = api('notes', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(note, { deprecated: { read: gone, create: { since: '2026-01-01', gone: true } } })],
  })
  const app = await open(service({ name: 'notes', apis: [removed] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const answer = await inject(app, { url: '/note/1' })
  expect([answer.statusCode, answer.headers.link]).toEqual([410, '</v2/note>; rel="successor-version"'])
  expect(answer.json()).toMatchObject({
    code: 'gone',
    detail: 'GET /note/{id} is served no more, since 2026-03-01.',
    hint: 'Use /v2/note.',
  })
  expect((await inject(app, { method: 'POST', url: '/note', payload: '{' })).json()).toMatchObject({ status: 410 })
  expect((await inject(app, { url: '/note' })).statusCode).toBe(200)
  const { paths } = (await inject(app, { url: '/openapi.json' })).json()
  expect(Object.keys(paths['/note/{id}'].get.responses)).toEqual(['400', '410', '500', '503'])
  expect(paths['/note'].post).not.toHaveProperty('requestBody')
})

it('what is gone before its day does not say that the day is past', async () => {
  const early = { since: '2026-01-01', sunset: '2999-01-01', gone: true as const }
  const resources = [resource(note, { deprecated: early })]
  const removed = api('notes', { versioning: 'per-noun', writes: 'nested', resources })
  const app = await open(service({ name: 'notes', apis: [removed] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  expect((await inject(app, { url: '/note' })).json().detail).toBe('GET /note is served no more.')
})

it('a deprecated operation says so with every answer, problems included', async () => {
  const app = await open(service({ name: 'notes', apis: [notes] }), { database: 'sqlite::memory:' })
  onTestFinished(() => app.close())
  const post = { method: 'POST', url: '/note', headers: { 'content-type': 'application/json' } } as const
  const told = async (request: Parameters<typeof inject>[1]) => {
    const { statusCode, headers } = await inject(app, request)
    return [statusCode, headers.deprecation, headers.sunset, headers.link]
  }
  expect(await told({ ...post, payload: '{"line":"x"}' })).toEqual([201, '@1767225600', undefined, undefined])
  expect(await told({ ...post, payload: '{' })).toEqual([400, '@1767225600', undefined, undefined])
  const whole = ['@1767225600', 'Sun, 01 Mar 2026 00:00:00 GMT', '</v2/note>; rel="successor-version"']
  expect(await told({ url: '/note/1' })).toEqual([200, ...whole])
  expect(await told({ url: '/note/7' })).toEqual([404, ...whole])
  expect(await told({ url: '/n%6fte/7' })).toEqual([404, ...whole])
  expect(await told({ url: '/note' })).toEqual([200, undefined, undefined, undefined])
  const { paths } = (await inject(app, { url: '/openapi.json' })).json()
  const headers = (path: string, method: string, status: string) =>
    Object.keys(paths[path][method].responses[status].headers)
  expect(headers('/note/{id}', 'get', '200')).toEqual(['X-Request-Id', 'ETag', 'Deprecation', 'Sunset', 'Link'])
  expect(headers('/note', 'get', '200')).toEqual(['X-Request-Id'])
})
