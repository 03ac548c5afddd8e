// Conditions, compression, and every problem of the directory: one response, whatever the adapter.
import { type Problem, type ProblemCode, problems } from '@nomen/core'
import { audience, newKey, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { isOnPostgres } from '@nomen/testing/test-database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { directoryService } from '../src/index.ts'
import { type Adapters, comparable, openAdapters, type Received } from './adapters.ts'
import { newUser, sampleOf } from './record.ts'

let adapters: Adapters
beforeAll(async () => {
  // Some records are a list that is too large.
  adapters = await openAdapters({ listLimit: 4000, ...(isOnPostgres && { database: '?statement_timeout=2000' }) })
})
afterAll(() => adapters?.close())

type Headers = Record<string, string>
const json = { 'content-type': 'application/json' }

/** Sends a request through every adapter, and gives the response, which must be the same. */
async function same(
  method: string,
  url: string,
  body?: string,
  headers: Headers = {},
  through = adapters,
): Promise<Received> {
  const responses = new Map<string, Received>()
  const all = { ...headers, 'x-request-id': 'same' }
  for (const [name, send] of through.sends) responses.set(name, comparable(await send(method, url, body, all)))
  const expected = responses.get('node')
  for (const [name, response] of responses) expect(response, `${method} ${url} by ${name}`).toEqual(expected)
  return expected as Received
}

/** The entity tag of a record. */
async function tagOf(url: string): Promise<string> {
  return `${(await same('GET', url)).headers.etag}`
}

describe('through every adapter', () => {
  it.each([
    ['/user', 'GET, HEAD, OPTIONS, POST'],
    ['/user/1', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/v1/role/1/action/1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['/docs', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s names its methods', async (url, allow) => {
    const { status, headers, text } = await same('OPTIONS', url)
    expect([status, headers.allow, text]).toEqual([204, allow, ''])
  })

  it.each(['/user?pageSize=5', '/user/1', '/user/999999', '/user/1/preference'])(
    'HEAD %s is GET without its body',
    async (url) => {
      const [head, get] = [await same('HEAD', url), await same('GET', url)]
      expect(head).toEqual({ ...get, text: '' })
      expect(get.text).not.toBe('')
    },
  )

  it('If-None-Match gives 304 for the same version, and 200 for another', async () => {
    const tag = await tagOf('/user/1')
    for (const method of ['GET', 'HEAD']) {
      for (const match of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
        const { status, text, headers } = await same(method, '/user/1', undefined, { 'if-none-match': match })
        expect([status, text, headers.etag], match).toEqual([304, '', tag])
      }
      expect((await same(method, '/user/1', undefined, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('If-Match lets a change of the same version pass, and refuses any other', async () => {
    const patch = (match: string) => same('PATCH', '/user/1', '{}', { ...json, 'if-match': match })
    const tag = await tagOf('/user/1')
    for (const match of [tag, `"other", ${tag}`, '*']) expect((await patch(match)).status, match).toBe(200)
    for (const match of ['"other"', `W/${tag}`]) expect((await patch(match)).status, match).toBe(412)
  })

  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
  ])('Accept-Encoding: %s gives the same bytes', async (accepted, encoding) => {
    const accept = { 'accept-encoding': accepted }
    const { status, headers } = await same('GET', '/user?pageSize=20', undefined, accept)
    expect([status, headers['content-encoding']]).toEqual([200, encoding])
    expect((await same('HEAD', '/user?pageSize=20', undefined, accept)).headers).toEqual(headers)
  })
})

type Request = [method: string, url: string, body?: string | undefined, headers?: Headers]

const user = (more: object) => JSON.stringify({ ...newUser('adapter'), ...more })
const [first] = sampleOf().users

/** A request for each problem, which changes nothing. */
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
  // Problems of any path.
  'malformed-url': ['GET', '/user?firstName=%ff'],
  'path-not-found': ['GET', '/usr'],
  'method-not-allowed': ['DELETE', '/user'],
  'cross-site-request': ['DELETE', '/user/1', undefined, { origin: 'http://example.com' }],
}

/** Problems of the directory's operations that are compared in a test of their own, or that no request can have. */
const others: readonly ProblemCode[] = [
  'body-not-allowed',
  'too-expensive',
  // Each status of a user may follow the other.
  'transition-not-allowed',
]

function codeOf({ text }: Received): string {
  return (JSON.parse(text) as Problem).code
}

describe('through every adapter, the problem', () => {
  it.each(Object.entries(requests))('%s is the same', async (code, [method, url, body, headers]) => {
    for (const send of adapters.sends.values())
      await send('POST', '/user', user({}), { ...json, 'idempotency-key': 'first' })
    const refused = await same(method, url, body, headers)
    expect([refused.status, codeOf(refused)]).toEqual([problems[code as ProblemCode][0], code])
  })

  // A fetch request cannot have a body with GET.
  it('body-not-allowed is the same', async () => {
    for (const name of ['node', 'Fastify']) {
      const refused = await adapters.sends.get(name)?.('GET', '/user', '{}', json)
      expect(refused && codeOf(refused), name).toBe('body-not-allowed')
    }
  })

  // On SQLite, the limit is ten seconds of work.
  it.runIf(isOnPostgres)('too-expensive is the same', async () => {
    const client = new pg.Client(adapters.database)
    await client.connect()
    try {
      await client.query('begin; lock table department in access exclusive mode')
      expect(codeOf(await same('GET', '/department'))).toBe('too-expensive')
    } finally {
      await client.end()
    }
  })

  it('is compared, whichever the operations of the directory can have', () => {
    const { operations } = directoryService({ users: 0 })
    const compared = new Set([...Object.keys(requests), ...others])
    expect(operations.flatMap(({ problems }) => problems).filter((code) => !compared.has(code))).toEqual([])
  })
})

describe('with tokens, through every adapter, the problem', () => {
  const scope = 'department:read'

  it('of a missing, a malformed, and a limited token is the same', async () => {
    const provider = await startOpenIdProvider([scope], newKey('ES256'))
    onTestFinished(() => provider.close())
    const guarded = await openAdapters({ auth: { issuer: provider.issuer, audience } })
    onTestFinished(() => guarded.close())
    const token = await provider.token({ scope })
    const codes = async (headers: Headers) => {
      const refused = await same('GET', '/user', undefined, headers, guarded)
      return [refused.status, codeOf(refused)]
    }
    expect(await codes({})).toEqual([401, 'token-required'])
    expect(await codes({ authorization: 'Bearer x.y.z' })).toEqual([401, 'invalid-token'])
    expect(await codes({ authorization: `Bearer ${token}` })).toEqual([403, 'insufficient-scope'])
    const allowed = { authorization: `Bearer ${token}` }
    expect((await same('GET', '/department', undefined, allowed, guarded)).status).toBe(200)
  })
})
