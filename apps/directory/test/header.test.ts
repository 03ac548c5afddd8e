// Headers: media types, request and transaction IDs, the methods of a path.
import { describe, expect, it } from 'vitest'
import type { User } from './record.ts'
import { allowedMethods, expectProblem, openOnce } from './service.ts'

const { get, post, put, patch, send, head } = openOnce()

describe('metadata', () => {
  it('spec 1: records are JSON over HTTP', async () => {
    for (const url of ['/user', '/user/1', '/user/1/preference', '/v1/role/1', '/user/by-email/nobody@example.com']) {
      const { headers, text } = await get(url)
      expect(headers['content-type']).toMatch(/^application\/(problem\+)?json(; ?charset=utf-8)?$/)
      expect(headers['content-length']).toBe(`${Buffer.byteLength(text)}`)
      expect(() => JSON.parse(text)).not.toThrow()
    }
  })

  it('spec 1: the request ID of the client is returned', async () => {
    for (const id of ['abc-123', 'A'.repeat(64), '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10']) {
      expect((await get('/user/1', { 'x-request-id': id })).headers['x-request-id']).toBe(id)
      expect((await get('/user/9999', { 'x-request-id': id })).headers['x-request-id']).toBe(id)
    }
  })

  it('decision metadata: a missing request ID is generated, and is unique', async () => {
    const ids = await Promise.all(
      ['/user', '/user', '/user/9999', '/nothing', '/user?x=1'].map(
        async (url) => (await get(url)).headers['x-request-id'],
      ),
    )
    expect(new Set(ids).size).toBe(5)
    for (const id of ids) expect(id).toMatch(/^[\w-]{8,}$/)
  })

  it('decision metadata: a transaction ID is passed through, and never generated', async () => {
    for (const url of ['/user/1', '/user/9999', '/user?x=1', '/nothing']) {
      expect((await get(url, { 'x-transaction-id': 'tx 7;a=b' })).headers['x-transaction-id']).toBe('tx 7;a=b')
      expect((await get(url)).headers['x-transaction-id']).toBeUndefined()
    }
  })

  it('spec 1: metadata is never part of a body', async () => {
    const headers = {
      'x-request-id': 'request-7',
      'x-transaction-id': 'transaction-7',
      authorization: 'Bearer secret-7',
      'user-agent': 'agent-7',
    }
    for (const url of ['/user', '/user/1', '/user/1/preference', '/v1/user/1', '/user/9999', '/user?x=1']) {
      expect((await get(url, headers)).text).not.toMatch(/request-7|transaction-7|secret-7|agent-7/)
    }
    expectProblem(await patch('/user/1', { requestId: 'x' }), 'invalid-body', 'requestId')
    expectProblem(await patch('/user/1', { authorization: 'x' }), 'invalid-body', 'authorization')
  })
})

describe('media types', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
  ])('decision content: the media type %s is accepted', async (type) => {
    const response = await send<User>('PATCH', '/user/1', '{"phone":"7"}', { 'content-type': type })
    expect([response.status, response.body.phone]).toEqual([200, '7'])
  })

  const otherTypes = [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application/jsonx',
    'application/octet-stream',
    'json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
  ]
  it.each(otherTypes)('decision content: other media types are 415: %s', async (type) => {
    for (const [method, url] of [
      ['POST', '/user'],
      ['PUT', '/user/1'],
      ['PATCH', '/user/1'],
    ] as const) {
      const response = await send(method, url, '{"phone":"8"}', { 'content-type': type })
      expectProblem(response, 'unsupported-media-type', type)
      expect(response.text).toContain('application/json')
    }
  })

  it.each([
    ['POST', '/user', 'accept-post', 'application/json'],
    ['PUT', '/user/1', 'accept', 'application/json'],
    ['PATCH', '/user/1', 'accept-patch', 'application/json, application/merge-patch+json'],
  ] as const)('decision content: 415 lists the media types that %s %s accepts', async (method, url, name, types) => {
    const { headers } = await send(method, url, '{}', { 'content-type': 'text/plain' })
    expect(headers[name]).toBe(types)
    expect(headers['accept-encoding']).toBeUndefined()
  })

  it('decision content: 415 lists the encodings that a body may have', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const response = await send('PATCH', '/user/1', '{}', headers)
    expectProblem(response, 'unsupported-media-type', 'gzip')
    expect([response.headers['accept-encoding'], response.headers['accept-patch']]).toEqual(['identity', undefined])
  })

  it('decision content: a body without a type is 415', async () => {
    const response = await send('PATCH', '/user/1', Buffer.from('{"phone":"8"}'), {})
    expectProblem(response, 'unsupported-media-type')
  })

  it('decision content: application/merge-patch+json is for PATCH only', async () => {
    const type = 'application/merge-patch+json'
    expect((await send('PATCH', '/user/1', '{}', { 'content-type': type })).status).toBe(200)
    expectProblem(await send('PUT', '/user/1', '{}', { 'content-type': type }), 'unsupported-media-type', type)
    expectProblem(await send('POST', '/user', '{}', { 'content-type': type }), 'unsupported-media-type', type)
  })
})

describe('methods', () => {
  const paths = [
    ['/user', 'GET HEAD OPTIONS POST'],
    ['/user-detail', 'GET HEAD OPTIONS'],
    ['/user-summary', 'GET HEAD OPTIONS'],
    ['/user/1', 'DELETE GET HEAD OPTIONS PATCH PUT'],
    ['/user/by-email/a@example.com', 'GET HEAD OPTIONS'],
    ['/user/1/preference', 'GET HEAD OPTIONS POST'],
    ['/user/1/preference/1', 'DELETE GET HEAD OPTIONS PATCH PUT'],
    ['/department', 'GET HEAD OPTIONS POST'],
    ['/v1/user', 'GET HEAD OPTIONS'],
    ['/v1/user/1', 'GET HEAD OPTIONS PATCH PUT'],
    ['/v1/role', 'GET HEAD OPTIONS POST'],
    ['/v1/user/1/role/1', 'DELETE GET HEAD OPTIONS PUT'],
    ['/v1/application/1/user', 'GET HEAD OPTIONS'],
  ] as const

  it.each(paths)('decision http: OPTIONS %s is 204 and allows %s', async (url, methods) => {
    const response = await send('OPTIONS', url)
    expect([response.status, response.text]).toEqual([204, ''])
    expect(allowedMethods(response).join(' ')).toBe(methods)
  })

  it.each(paths)('decision http: an unsupported method of %s is 405 with Allow', async (url, methods) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (methods.includes(method)) continue
      const response = await send(method, url, '{}', { 'content-type': 'application/json' })
      expectProblem(response, 'method-not-allowed', method)
      expect(allowedMethods(response).join(' ')).toBe(methods)
    }
  })

  it.each(['TRACE', 'PROPFIND'] as const)('decision http: %s is 405 or 501', async (method) => {
    for (const url of ['/user', '/user/1', '/v1/role/1']) {
      const response = await send(method, url)
      expect([405, 501]).toContain(response.status)
    }
  })

  it('decision http: OPTIONS of an unknown path is 404', async () => {
    expectProblem(await send('OPTIONS', '/nothing'), 'path-not-found')
  })

  it('decision http: an unsupported method is reported before an invalid body', async () => {
    expectProblem(await send('POST', '/v1/user', 'x', { 'content-type': 'text/plain' }), 'method-not-allowed')
  })
})

describe('GET with a body', () => {
  it.each(['/user', '/user/1', '/user/by-email/a@example.com', '/user/1/preference', '/v1/application/1/role'])(
    'spec 4.2 rule 3: GET %s with a body is rejected',
    async (url) => {
      const json = { 'content-type': 'application/json' }
      expectProblem(await send('GET', url, '{"lastName":"x"}', json), 'body-not-allowed')
      expectProblem(await send('GET', url, 'x', { 'content-type': 'text/plain' }), 'body-not-allowed')
      expectProblem(await send('GET', url, Buffer.from('x'), {}), 'body-not-allowed')
    },
  )

  it('spec 4.2 rule 3: HEAD with a body is rejected', async () => {
    expect((await send('HEAD', '/user/1', '{}', { 'content-type': 'application/json' })).status).toBe(400)
  })

  it('spec 4.2 rule 3: a Content-Type or a Content-Length of 0 does not count as a body', async () => {
    expect((await get('/user/1', { 'content-type': 'application/json' })).status).toBe(200)
    expect((await get('/user/1', { 'content-length': '0' })).status).toBe(200)
    expect((await head('/user/1', { 'content-length': '0' })).status).toBe(200)
  })

  it('spec 1: a GET takes its parameters from the query', async () => {
    const { body } = await get<{ results: { id: number }[] }>('/user?id=2&id=3')
    expect(body.results.map(({ id }) => id)).toEqual([2, 3])
  })
})

describe('Location', () => {
  it('decision http: Location is a path', async () => {
    const created = await post('/department', { name: 'Archive' }, { host: 'localhost:1234' })
    expect(created.headers.location).toMatch(/^\/department\/\d+$/)
    const replaced = await put('/department/1', { name: 'x', retired: false })
    expect(replaced.headers.location).toBeUndefined()
  })
})
