/** Other forms of the request target, and headers that must be returned unchanged. */
import { request } from 'node:http'
import { identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', { id: identity(), title: text() })
const notes = serviceOf([plainApi(resource(note))])
const shelf = noun('shelf', { id: identity(), name: text() })
const box = noun('box', { guid: identity('guid'), name: text() })
const item = noun('item', {
  id: identity(),
  name: text(),
  shelf: reference(() => shelf).nullable(),
  box: reference(() => box).nullable(),
})
const items = serviceOf([
  plainApi(resource(shelf, { children: [resource(item)] }), resource(box, { children: [resource(item)] })),
])

async function sent(base: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const { hostname, port } = new URL(base)
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const sending = request({ hostname, port, path, method: body ? 'POST' : 'GET', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
    })
    sending.on('error', reject)
    sending.end(body)
  })
}

describe('a request target', () => {
  it('may be an absolute URL; Location is still a path', async () => {
    const app = await openService(notes)
    const base = await app.app.listen({ port: 0 })
    const json = { 'content-type': 'application/json' }
    const created = await sent(base, `${base}/note`, json, '{"title":"a"}')
    expect([created.status, created.headers.location]).toEqual([201, '/note/1'])
  })

  it('with a fragment is rejected', async () => {
    const app = await openService(notes)
    expect((await sent(await app.app.listen({ port: 0 }), '/note#x')).status).toBe(400)
  })

  it('with another spelling is the same for an Idempotency-Key', async () => {
    const app = await openService(notes)
    const base = await app.app.listen({ port: 0 })
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' }
    for (const path of ['/note', '/%6eote', `${base}/note`]) {
      const created = await sent(base, path, headers, '{"title":"a"}')
      expect([path, created.status, created.headers.etag]).toEqual([path, 201, expect.stringMatching(/^"1-1-/)])
    }
  })
})

describe('an identity in the path with another spelling', () => {
  const spellings = [
    ['shelf', (id: string) => [id, `0${id}`, `000${id}`]],
    ['box', (id: string) => [id, id.toUpperCase(), `${id.slice(0, 18).toUpperCase()}${id.slice(18)}`]],
  ] as const

  it.each(spellings)('is the same %s for an Idempotency-Key', async (above, spell) => {
    const app = await openService(items)
    const created = await app.send('POST', `/${above}`, { name: 'a' })
    const key = { 'idempotency-key': 'k' }
    const body = above === 'shelf' ? { name: 'x', box: null } : { name: 'x', shelf: null }
    const responses = []
    for (const id of spell(`${created.body.id ?? created.body.guid}`))
      responses.push(await app.send('POST', `/${above}/${id}/item`, body, key))
    expect(
      responses.map((response) => [response.status, response.headers['idempotency-replayed'], response.body.id]),
    ).toEqual([
      [201, undefined, 1],
      [201, 'true', 1],
      [201, 'true', 1],
    ])
    const other = await app.send('POST', `/${above}`, { name: 'b' })
    const elsewhere = await app.send('POST', `/${above}/${other.body.id ?? other.body.guid}/item`, body, key)
    expect(elsewhere).toMatchObject({ status: 201, body: { id: 2 } })
  })
})

describe('X-Transaction-Id', () => {
  it.each(['plain-1', 'caf\u00e9 \u00fc'])('is returned unchanged: %s', async (id) => {
    const app = await openService(notes)
    const response = await sent(await app.app.listen({ port: 0 }), '/note', { 'x-transaction-id': id })
    expect(response.headers['x-transaction-id']).toBe(id)
  })
})

describe('a body with very many unknown names', () => {
  it('is rejected with the first names and the total number', async () => {
    const app = await openService(notes)
    const body = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`titl${index}`, 1]))
    const response = await app.send('PATCH', '/note/1', body)
    expect([response.status, response.body.errors.length]).toEqual([400, 20])
    expect(response.body.detail).toContain('8999 more')
  })
})
