// Conditions, compression and every problem of the directory have the same response with every adapter.
import { type Problem, type ProblemCode, problems } from '@nomen/core'
import { audience, newKey, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { isOnPostgres } from '@nomen/testing/test-database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { directoryService } from '../src/index.ts'
import { type Adapters, comparable, openAdapters, type ReceivedResponse } from './adapters.ts'
import { newUser, sampleOf } from './record.ts'

let adapters: Adapters
beforeAll(async () => {
  // With this limit, a list of a few records is too large.
  adapters = await openAdapters({ listLimit: 4000 }, {}, { statement_timeout: '2000' })
})
afterAll(() => adapters?.close())

type Headers = Record<string, string>
const json = { 'content-type': 'application/json' }

/** Sends a request through every adapter, expects the same response from each, and returns it. */
async function sendToAll(
  method: string,
  url: string,
  body?: string,
  headers: Headers = {},
  target = adapters,
): Promise<ReceivedResponse> {
  const responses = new Map<string, ReceivedResponse>()
  const allHeaders = { ...headers, 'x-request-id': 'same' }
  for (const [name, send] of target.senders) responses.set(name, comparable(await send(method, url, body, allHeaders)))
  const expected = responses.get('node')
  for (const [name, response] of responses) expect(response, `${method} ${url} by ${name}`).toEqual(expected)
  return expected as ReceivedResponse
}

/** The ETag of a record. */
async function etagOf(url: string): Promise<string> {
  return `${(await sendToAll('GET', url)).headers.etag}`
}

describe('through every adapter', () => {
  it.each([
    ['/user', 'GET, HEAD, OPTIONS, POST'],
    ['/user/1', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/v1/role/1/action/1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['/docs', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s lists the methods of the path', async (url, allow) => {
    const { status, headers, text } = await sendToAll('OPTIONS', url)
    expect([status, headers.allow, text]).toEqual([204, allow, ''])
  })

  it.each(['/user?pageSize=5', '/user/1', '/user/999999', '/user/1/preference'])(
    'HEAD %s responds like GET, without the body',
    async (url) => {
      const [head, get] = [await sendToAll('HEAD', url), await sendToAll('GET', url)]
      expect(head).toEqual({ ...get, text: '' })
      expect(get.text).not.toBe('')
    },
  )

  it('If-None-Match returns 304 for the same version, and 200 for another', async () => {
    const tag = await etagOf('/user/1')
    for (const method of ['GET', 'HEAD']) {
      for (const match of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
        const { status, text, headers } = await sendToAll(method, '/user/1', undefined, { 'if-none-match': match })
        expect([status, text, headers.etag], match).toEqual([304, '', tag])
      }
      expect((await sendToAll(method, '/user/1', undefined, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('If-Match accepts a change of the same version, and rejects any other', async () => {
    const patch = (match: string) => sendToAll('PATCH', '/user/1', '{}', { ...json, 'if-match': match })
    const tag = await etagOf('/user/1')
    for (const match of [tag, `"other", ${tag}`, '*']) expect((await patch(match)).status, match).toBe(200)
    for (const match of ['"other"', `W/${tag}`]) expect((await patch(match)).status, match).toBe(412)
  })

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
  ])('Accept-Encoding: %s returns the same bytes', async (accepted, encoding) => {
    const accept = { 'accept-encoding': accepted }
    const { status, headers } = await sendToAll('GET', '/user?pageSize=20', undefined, accept)
    expect([status, headers['content-encoding']]).toEqual([200, encoding])
    expect((await sendToAll('HEAD', '/user?pageSize=20', undefined, accept)).headers).toEqual(headers)
  })
})

type Request = [method: string, url: string, body?: string | undefined, headers?: Headers]

const user = (overrides: object) => JSON.stringify({ ...newUser('adapter'), ...overrides })
const [first] = sampleOf().users

/** A request for each problem. None of them changes data. */
const requests: Partial<Record<ProblemCode, Request>> = {
  'unknown-parameter': ['GET', '/user?lastname=x'],
  'invalid-parameter': ['GET', '/user?pageSize=0&id=x'],
  'list-too-large': ['GET', '/user-detail?pageSize=20'],
  'precondition-failed': ['PATCH', '/user/1', '{"phone":"1"}', { ...json, 'if-match': '"stale"' }],
  'record-not-found': ['GET', '/user/999999'],
  'malformed-json': ['POST', '/user', '{', json],
  'invalid-body': ['POST', '/user', '{"nothing":1}', json],
  'unsupported-media-type': ['POST', '/user', '{}', { 'content-type': 'text/plain' }],
  'body-too-large': ['POST', '/user', user({ phone: 'x'.repeat(2 ** 20) }), json],
  'identity-mismatch': ['PATCH', '/user/1', '{"id":2}', json],
  'value-taken': ['PATCH', '/user/2', JSON.stringify({ email: first?.email }), json],
  'reference-not-found': ['POST', '/user', user({ department: 999999 }), json],
  'rule-broken': ['PATCH', '/user/1', '{"supervisor":1}', json],
  'invalid-header': ['POST', '/user', user({}), { ...json, 'idempotency-key': 'a b' }],
  'idempotency-key-reused': ['POST', '/user', user({ phone: '2' }), { ...json, 'idempotency-key': 'first' }],
  'still-referenced': ['DELETE', '/department/1'],
  'record-exists': ['POST', '/user/1/restoration'],
  'history-too-short': ['GET', '/user/1?at=2020-01-01T00:00:00Z'],
  // Problems of any path.
  'malformed-url': ['GET', '/user?firstName=%ff'],
  'path-not-found': ['GET', '/usr'],
  'method-not-allowed': ['DELETE', '/user'],
  'cross-site-request': ['DELETE', '/user/1', undefined, { origin: 'http://example.com' }],
}

/** Problems of operations that a separate test compares, or that no request can cause. */
const otherCodes: readonly ProblemCode[] = [
  'body-not-allowed',
  'too-expensive',
  // A user may change from each status to the other.
  'transition-not-allowed',
  // Lists of changes have a limit of streams; packages/server/test/follow.test.ts.
  'too-many-requests',
]

function codeOf({ text }: ReceivedResponse): string {
  return (JSON.parse(text) as Problem).code
}

describe('through every adapter, the problem', () => {
  it.each(Object.entries(requests))('%s is the same', async (code, [method, url, body, headers]) => {
    for (const send of adapters.senders.values())
      await send('POST', '/user', user({}), { ...json, 'idempotency-key': 'first' })
    const problem = await sendToAll(method, url, body, headers)
    expect([problem.status, codeOf(problem)]).toEqual([problems[code as ProblemCode][0], code])
  })

  // A fetch request cannot have a body with GET.
  it('body-not-allowed is the same', async () => {
    for (const name of ['node', 'Fastify']) {
      const problem = await adapters.senders.get(name)?.('GET', '/user', '{}', json)
      expect(problem && codeOf(problem), name).toBe('body-not-allowed')
    }
  })

  // On SQLite, the limit is ten seconds of work.
  it.runIf(isOnPostgres)('too-expensive is the same', async () => {
    const client = new pg.Client(adapters.database)
    await client.connect()
    try {
      await client.query('begin; lock table department in access exclusive mode')
      expect(codeOf(await sendToAll('GET', '/department'))).toBe('too-expensive')
    } finally {
      await client.end()
    }
  })

  it('is compared for every problem code of the operations of the directory', () => {
    const { operations } = directoryService({ users: 0 })
    const comparedCodes = new Set([...Object.keys(requests), ...otherCodes])
    expect(operations.flatMap(({ problems }) => problems).filter((code) => !comparedCodes.has(code))).toEqual([])
  })
})

describe('with tokens, through every adapter, the problem', () => {
  const scope = 'department:read'

  it('of a missing, a malformed, and a limited token is the same', async () => {
    const provider = await startOpenIdProvider([scope], newKey('ES256'))
    onTestFinished(() => provider.close())
    const securedAdapters = await openAdapters({ auth: { issuer: provider.issuer, audience } })
    onTestFinished(() => securedAdapters.close())
    const token = await provider.token({ scope })
    const codes = async (headers: Headers) => {
      const problem = await sendToAll('GET', '/user', undefined, headers, securedAdapters)
      return [problem.status, codeOf(problem)]
    }
    expect(await codes({})).toEqual([401, 'token-required'])
    expect(await codes({ authorization: 'Bearer x.y.z' })).toEqual([401, 'invalid-token'])
    expect(await codes({ authorization: `Bearer ${token}` })).toEqual([403, 'insufficient-scope'])
    const allowed = { authorization: `Bearer ${token}` }
    expect((await sendToAll('GET', '/department', undefined, allowed, securedAdapters)).status).toBe(200)
  })
})
