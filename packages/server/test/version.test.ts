// Versions of an api, a noun or a single operation, and the operations that a resource offers.
import { type AnyApi, api, identity, noun, reference, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const ticket = noun('ticket', { id: identity(), title: text() })
const note = noun('note', { id: identity(), ticket: reference(() => ticket), words: text() })

const perNoun = (...resources: AnyApi['options']['resources']) =>
  serviceOf([api('desk', { versioning: 'per-noun', writes: 'nested', resources })])

describe('a version', () => {
  it('of a noun is in the path of all its operations, and of those below it', async () => {
    const app = await openService(perNoun(resource(ticket, { version: 2, children: [resource(note)] })))
    const created = await app.send('POST', '/v2/ticket', { title: 'a' })
    expect([created.status, created.headers.location]).toEqual([201, '/v2/ticket/1'])
    const below = await app.send('POST', '/v2/ticket/1/note', { words: 'b' })
    expect([below.status, below.headers.location]).toEqual([201, '/v2/ticket/1/note/1'])
    for (const path of ['/ticket', '/v1/ticket', '/ticket/1/note', '/v2/note'])
      expect((await app.get(path)).status, path).toBe(404)
  })

  it('that is missing in a request is named in the problem', async () => {
    const app = await openService(perNoun(resource(ticket, { version: 2 })))
    for (const path of ['/ticket', '/ticket/1'])
      expect((await app.get(path)).body.hint).toBe('Did you mean /v2/ticket?')
    expect((await app.get('/elsewhere')).body.hint).toBeUndefined()
  })

  it('is not suggested below a path that exists without a version', async () => {
    const unversioned = api('today', { versioning: 'per-noun', writes: 'nested', resources: [resource(ticket)] })
    const versioned = api('desk-2', {
      versioning: 'whole',
      version: 2,
      writes: 'nested',
      resources: [resource(ticket)],
    })
    const app = await openService(serviceOf([unversioned, versioned]))
    expect((await app.get('/ticket/1/foo')).body).toMatchObject({ code: 'path-not-found' })
    expect((await app.get('/ticket/1/foo')).body.hint).toBeUndefined()
  })

  it('that is missing in a request is suggested as the latest version, in any order of the apis', async () => {
    const assignment = noun('assignment', { id: identity(), title: text() })
    const resources = [resource(ticket), resource(assignment)]
    const versions = [1, 2].map((version) =>
      api(`desk-${version}`, { versioning: 'whole', version, writes: 'nested', resources }),
    )
    for (const apis of [versions, versions.toReversed()]) {
      const app = await openService(serviceOf(apis))
      for (const path of ['/ticket', '/assignment'])
        expect((await app.get(path)).body.hint).toBe(`Did you mean /v2${path}?`)
    }
  })

  it('of one noun does not affect the others', async () => {
    const other = noun('label', { id: identity(), name: text() })
    const app = await openService(perNoun(resource(ticket, { version: 3 }), resource(other)))
    expect((await app.get('/v3/ticket')).status).toBe(200)
    expect((await app.get('/label')).status).toBe(200)
    expect((await app.get('/v3/label')).status).toBe(404)
  })

  it('of one operation changes only the path of that operation', async () => {
    const app = await openService(perNoun(resource(ticket, { version: { replace: 2 } })))
    await app.send('POST', '/ticket', { title: 'a' })
    expect((await app.send('PUT', '/v2/ticket/1', { title: 'b' })).body).toEqual({ id: 1, title: 'b' })
    const moved = await app.send('PUT', '/ticket/1', { title: 'c' })
    expect([moved.status, moved.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH'])
    const elsewhere = await app.get('/v2/ticket/1')
    expect([elsewhere.status, elsewhere.headers.allow]).toEqual([405, 'OPTIONS, PUT'])
    expect((await app.get('/ticket/1')).body.title).toBe('b')
    expect((await app.get('/v2/ticket')).status).toBe(404)
  })

  it('of create only gives a Location that can be read', async () => {
    const app = await openService(perNoun(resource(ticket, { version: { create: 2 } })))
    const created = await app.send('POST', '/v2/ticket', { title: 'a' })
    expect(created.status).toBe(201)
    const read = await app.get(`${created.headers.location}`)
    expect([read.status, read.body]).toEqual([200, created.body])
    const again = await app.send('POST', '/v2/ticket', { title: 'b' }, { 'idempotency-key': 'k' })
    expect((await app.get(`${again.headers.location}`)).body).toEqual(again.body)
  })

  it('of one api works next to another of the same noun, on the same records', async () => {
    const whole = (version: number, options: Record<string, unknown> = {}) =>
      api(`desk-${version}`, { versioning: 'whole', version, writes: 'flat', resources: [resource(ticket, options)] })
    const app = await openService(serviceOf([whole(1), whole(2, { rename: { subject: 'title' } })]))
    await app.send('POST', '/v1/ticket', { title: 'a' })
    expect((await app.get('/v2/ticket/1')).body).toEqual({ id: 1, subject: 'a' })
    await app.send('PATCH', '/v2/ticket/1', { subject: 'b' })
    expect((await app.get('/v1/ticket?title=b')).body.results).toEqual([{ id: 1, title: 'b' }])
    expect((await app.get('/v2/ticket?title=b')).status).toBe(400)
    expect((await app.get('/v1/ticket/1')).headers.etag).not.toBe((await app.get('/v2/ticket/1')).headers.etag)
  })
})

describe('an operation that a resource does not offer', () => {
  it('responds with 405 and Allow, and changes nothing', async () => {
    const app = await openService(
      serviceOf([plainApi(resource(ticket, { offers: ['list', 'read', 'create', 'update'] }))]),
    )
    await app.send('POST', '/ticket', { title: 'a' })
    for (const [method, path, allow] of [
      ['PUT', '/ticket/1', 'GET, HEAD, OPTIONS, PATCH'],
      ['DELETE', '/ticket/1', 'GET, HEAD, OPTIONS, PATCH'],
      ['POST', '/ticket/1', 'GET, HEAD, OPTIONS, PATCH'],
      ['DELETE', '/ticket', 'GET, HEAD, OPTIONS, POST'],
      ['PATCH', '/ticket', 'GET, HEAD, OPTIONS, POST'],
    ] as const) {
      const response = await app.send(method, path, { title: 'b' })
      expect([response.status, response.body.code, response.headers.allow], `${method} ${path}`).toEqual([
        405,
        'method-not-allowed',
        allow,
      ])
      expect((await app.send('OPTIONS', path)).headers.allow).toBe(allow)
    }
    expect((await app.get('/ticket/1')).body).toEqual({ id: 1, title: 'a' })
  })

  it('has no path if nothing is offered', async () => {
    const app = await openService(serviceOf([plainApi(resource(ticket, { offers: ['create'] }))]))
    expect((await app.send('POST', '/ticket', { title: 'a' })).status).toBe(201)
    expect((await app.get('/ticket/1')).status).toBe(404)
    const list = await app.get('/ticket')
    expect([list.status, list.headers.allow]).toEqual([405, 'OPTIONS, POST'])
    expect((await app.send('HEAD', '/ticket')).status).toBe(405)
  })
})

describe("ifMatch: 'required'", () => {
  it('requires an ETag for every change, and accepts the current one', async () => {
    const app = await openService(serviceOf([plainApi(resource(ticket, { ifMatch: 'required' }))]))
    const created = await app.send('POST', '/ticket', { title: 'a' })
    expect(created.status).toBe(201)
    for (const [method, body] of [
      ['PUT', { title: 'b' }],
      ['PATCH', { title: 'b' }],
      ['PATCH', {}],
      ['DELETE', undefined],
    ] as const) {
      const bare = await app.send(method, '/ticket/1', body)
      expect([bare.status, bare.body.code], method).toEqual([428, 'precondition-required'])
      const stale = await app.send(method, '/ticket/1', body, { 'if-match': '"1-0-x"' })
      expect([stale.status, stale.body.code], method).toEqual([412, 'precondition-failed'])
    }
    expect((await app.get('/ticket/1')).headers.etag).toBe(created.headers.etag)
    const patched = await app.send('PATCH', '/ticket/1', { title: 'b' }, { 'if-match': `${created.headers.etag}` })
    expect([patched.status, patched.body.title]).toEqual([200, 'b'])
    expect((await app.send('PUT', '/ticket/1', { title: 'c' }, { 'if-match': '*' })).status).toBe(200)
    const now = (await app.get('/ticket/1')).headers.etag
    expect((await app.send('DELETE', '/ticket/1', undefined, { 'if-match': `${now}` })).status).toBe(200)
  })

  it('of one resource does not affect the others', async () => {
    const app = await openService(
      serviceOf([plainApi(resource(ticket, { ifMatch: 'required', children: [resource(note)] }))]),
    )
    await app.send('POST', '/ticket', { title: 'a' })
    await app.send('POST', '/ticket/1/note', { words: 'b' })
    expect((await app.send('PATCH', '/ticket/1/note/1', { words: 'c' })).status).toBe(200)
  })
})
