/** The request target in its other forms, and headers that must come back as they were. */
import { request } from 'node:http'
import { identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { opened, plainApi, serviceOf } from './opened.ts'

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
    const asked = request({ hostname, port, path, method: body ? 'POST' : 'GET', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

describe('a request target', () => {
  it('may be the whole address; Location is a path all the same', async () => {
    const app = await opened(notes)
    const base = await app.app.listen({ port: 0 })
    const json = { 'content-type': 'application/json' }
    const made = await sent(base, `${base}/note`, json, '{"title":"a"}')
    expect([made.status, made.headers.location]).toEqual([201, '/note/1'])
  })

  it('with a fragment is refused', async () => {
    const app = await opened(notes)
    expect((await sent(await app.app.listen({ port: 0 }), '/note#x')).status).toBe(400)
  })

  it('spelt in another way is the same for an Idempotency-Key', async () => {
    const app = await opened(notes)
    const base = await app.app.listen({ port: 0 })
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' }
    for (const path of ['/note', '/%6eote', `${base}/note`]) {
      const made = await sent(base, path, headers, '{"title":"a"}')
      expect([path, made.status, made.headers.etag]).toEqual([path, 201, expect.stringMatching(/^"1-1-/)])
    }
  })
})

describe('an identity in the path that is spelt in another way', () => {
  const spellings = [
    ['shelf', (id: string) => [id, `0${id}`, `000${id}`]],
    ['box', (id: string) => [id, id.toUpperCase(), `${id.slice(0, 18).toUpperCase()}${id.slice(18)}`]],
  ] as const

  it.each(spellings)('is the same %s for an Idempotency-Key', async (above, spell) => {
    const app = await opened(items)
    const made = await app.ask('POST', `/${above}`, { name: 'a' })
    const key = { 'idempotency-key': 'k' }
    const body = above === 'shelf' ? { name: 'x', box: null } : { name: 'x', shelf: null }
    const answers = []
    for (const id of spell(`${made.body.id ?? made.body.guid}`))
      answers.push(await app.ask('POST', `/${above}/${id}/item`, body, key))
    expect(answers.map((one) => [one.status, one.headers['idempotency-replayed'], one.body.id])).toEqual([
      [201, undefined, 1],
      [201, 'true', 1],
      [201, 'true', 1],
    ])
    const other = await app.ask('POST', `/${above}`, { name: 'b' })
    const elsewhere = await app.ask('POST', `/${above}/${other.body.id ?? other.body.guid}/item`, body, key)
    expect(elsewhere).toMatchObject({ status: 201, body: { id: 2 } })
  })
})

describe('X-Transaction-Id', () => {
  it.each(['plain-1', 'caf\u00e9 \u00fc'])('comes back as given: %s', async (id) => {
    const app = await opened(notes)
    const answer = await sent(await app.app.listen({ port: 0 }), '/note', { 'x-transaction-id': id })
    expect(answer.headers['x-transaction-id']).toBe(id)
  })
})

describe('a body of very many wrong names', () => {
  it('is refused with the first of them and the number of all', async () => {
    const app = await opened(notes)
    const body = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`titl${index}`, 1]))
    const answer = await app.ask('PATCH', '/note/1', body)
    expect([answer.status, answer.body.errors.length]).toEqual([400, 20])
    expect(answer.body.detail).toContain('8999 more')
  })
})
