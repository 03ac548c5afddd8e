import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  type AnyApi,
  api,
  date,
  identity,
  integer,
  link,
  noun,
  operation,
  operations,
  reference,
  resource,
  text,
} from '../index.ts'
import { client, etagOf, ProblemError } from './index.ts'

const team = noun('team', { id: identity(), name: text() })
const user = noun('user', {
  id: identity(),
  name: text().unique(),
  costNumber: text().unique(),
  team: reference(() => team),
})
const note = noun('sticky-note', { id: identity(), user: reference(() => user), line: text() })
const tag = noun('tag', { id: identity(), name: text() })
const userTag = link(user, tag)

const lock = operation({ method: 'PUT', on: 'record', body: { reason: text() } })
const unlock = operation({ method: 'DELETE', on: 'record' })
const digest = operation({ method: 'GET', on: 'collection', query: { since: date() }, response: { count: integer() } })
const roundUp = operation({ method: 'POST', on: 'collection' })
const customOperations = { lock: [lock, unlock], yearDigest: digest, roundUp } as const

const resources = [
  resource(user, {
    operations: customOperations,
    list: ['id', 'name'],
    summary: ['id'],
    detail: true,
    by: ['name', 'costNumber'],
    children: [
      resource(note, { paginated: false, operations: { digest } }),
      resource(tag, { via: userTag, children: [resource(user, { via: userTag })] }),
    ],
  }),
  resource(team, { path: 'crew', children: [resource(user, { offers: ['list', 'read'] })] }),
]
const plain = api('plain', { versioning: 'per-noun', writes: 'nested', resources })
const whole = api('whole', { version: 4, versioning: 'whole', writes: 'flat', resources })
const mixed = api('mixed', {
  version: 1,
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(user, {
      version: 2,
      operations: customOperations,
      by: ['name'],
      children: [
        resource(note, { version: { update: 5 } }),
        resource(tag, { via: userTag, version: 3, children: [resource(user, { via: userTag })] }),
      ],
    }),
    resource(team, { version: { create: 7, list: 8 }, operations: customOperations }),
  ],
})

interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/** A fetch that records requests and returns these responses in turn; the last one repeats. */
function recordRequests(...responses: (() => Response)[]) {
  const requests: SentRequest[] = []
  const fetch = async (url: string, { method = '', headers, body }: RequestInit): Promise<Response> => {
    requests.push({
      url,
      method,
      headers: new Headers(headers),
      body: body === undefined ? undefined : JSON.parse(`${body}`),
    })
    const respond = responses.length > 1 ? responses.shift() : responses[0]
    return respond ? respond() : Response.json({ pageInfo: { numberOfPages: 1 }, results: [] })
  }
  return { requests, fetch }
}

// biome-ignore lint/suspicious/noExplicitAny: calls are found by name
type Loose = any

/** Calls each operation of an api, and returns the requests that were sent and those of the operation table. */
async function callEveryOperation(definition: AnyApi, versions: object) {
  const { requests, fetch } = recordRequests()
  const calls: Loose = client<Loose>({ baseUrl: 'http://x', fetch, ...versions } as Loose)
  const expected: string[] = []
  const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())
  for (const { kind, method, path, levels, resource, shape, lookup, custom } of operations(definition)) {
    let caller: Loose = calls
    for (const { resource: parent } of levels.slice(0, -1))
      caller = caller[camel(parent.options.path ?? parent.noun.name)].of(7)
    caller = caller[camel(resource.options.path ?? resource.noun.name)]
    if (kind === 'list') await (shape.name === 'list' ? caller : caller[shape.name]).list()
    else if (custom) await (custom.on === 'record' ? caller.of(7) : caller)[custom.name][method.toLowerCase()]()
    else if (kind === 'lookup') await caller.by[lookup?.name ?? ''](7)
    else await caller[kind](...(kind === 'create' ? [{}] : [7, {}]))
    expected.push(`${method} ${path.replaceAll(/\{[^}]*\}/g, '7')}`)
  }
  return { expected, requests: requests.map(({ method, url }) => `${method} ${url.replace('http://x', '')}`) }
}

describe('the paths of a client', () => {
  it.each<[string, AnyApi, object]>([
    ['without a version', plain, {}],
    ['with one version', whole, { version: 4 }],
    [
      'with their own versions',
      mixed,
      {
        version: 1,
        versions: { user: 2, 'user.sticky-note': { update: 5 }, 'user.tag': 3, team: { create: 7, list: 8 } },
      },
    ],
  ])('match the operation table, %s', async (_, definition, versions) => {
    const { expected, requests } = await callEveryOperation(definition, versions)
    expect(requests).toEqual(expected)
    expect(requests.length).toBeGreaterThan(15)
  })

  const word = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 3 })
  const generatedName = fc
    .tuple(fc.constantFrom(...'axz'), fc.array(word('bc12'), { maxLength: 3 }))
    .map(([first, rest]) => [first, ...rest].join('-'))
  const nounName = fc.oneof(
    { weight: 9, arbitrary: generatedName },
    fc.constantFrom('constructor', 'prototype', 'name'),
  )
  const fieldName = fc.tuple(fc.constantFrom(...'fgh'), word('bBC1')).map(([first, rest]) => first + rest)

  it('match the operation table for every valid name of nouns and properties', async () => {
    const names = fc.uniqueArray(nounName, { minLength: 2, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(names, fieldName, async (names, field) => {
        const resources = names.map((name) => {
          const fields: Loose = { id: identity(), [field]: text().unique() }
          return resource(noun(name, fields, { isSingular: true }) as Loose, { by: [field], summary: ['id'] } as Loose)
        })
        const { expected, requests } = await callEveryOperation(
          api('any', { versioning: 'per-noun', writes: 'flat', resources }),
          {},
        )
        expect(requests).toEqual(expected)
      }),
    )
  })
})

describe('a client', () => {
  const calls = (fetch: ReturnType<typeof recordRequests>['fetch'], options: object = {}) =>
    client<typeof plain>({ baseUrl: 'http://x/base//', fetch, ...options })

  it('writes query parameters as the conventions require', async () => {
    const { requests, fetch } = recordRequests()
    await calls(fetch).user.list({
      name: ['a b', 'ü&='],
      team: undefined,
      include: [1, 2],
      sort: ['-name', 'id'],
      pageSize: 5,
    })
    expect(requests[0]?.url).toBe(
      'http://x/base/user?name=a+b&name=%C3%BC%26%3D&include=1&include=2&sort=-name&sort=id&pageSize=5',
    )
    await calls(fetch).user.by.name('a/b?ü')
    expect(requests[1]?.url).toBe('http://x/base/user/by-name/a%2Fb%3F%C3%BC')
  })

  it('sends a body as JSON, or no body', async () => {
    const { requests, fetch } = recordRequests(() => Response.json({ id: 1 }))
    const { user } = calls(fetch)
    await user.update(7, { name: 'x' })
    await user.delete(7)
    expect(requests.map(({ body, headers }) => [body, headers.get('content-type')])).toEqual([
      [{ name: 'x' }, 'application/json'],
      [undefined, null],
    ])
  })

  it('sends the headers of a call', async () => {
    const { requests, fetch } = recordRequests(() => Response.json({ id: 1 }))
    const headers = vi.fn(async () => ({ authorization: `Bearer ${headers.mock.calls.length}` }))
    const { user } = calls(fetch, { headers, userAgent: 'shop/1.2' })
    await user.read(1)
    await user.update(7, {}, { etag: '"7-1"', requestId: 'r', transactionId: 't', headers: { 'x-more': 'm' } })
    await user.create({ name: 'x', costNumber: 'x', team: 1 }, { idempotencyKey: 'k' })
    const names = [
      'authorization',
      'user-agent',
      'if-match',
      'x-request-id',
      'x-transaction-id',
      'x-more',
      'idempotency-key',
    ]
    expect(requests.map((request) => names.map((name) => request.headers.get(name)))).toEqual([
      ['Bearer 1', 'shop/1.2', null, null, null, null, null],
      ['Bearer 2', 'shop/1.2', '"7-1"', 'r', 't', 'm', null],
      ['Bearer 3', 'shop/1.2', null, null, null, null, 'k'],
    ])
  })

  it('sends each header once in any letter case; a call overrides the client', async () => {
    const { requests, fetch } = recordRequests(() => Response.json({ id: 1 }))
    const { user } = calls(fetch, { headers: { Authorization: 'one', Accept: 'text/json' } })
    await user.read(1, { headers: { authorization: 'two' } })
    expect([requests[0]?.headers.get('authorization'), requests[0]?.headers.get('accept')]).toEqual([
      'two',
      'text/json',
    ])
  })

  it.each(['', '.', '..'])('rejects the path segment %j, which URLs normalize away', async (value) => {
    const { requests, fetch } = recordRequests()
    const { user } = calls(fetch)
    await expect(user.by.name(value)).rejects.toThrow(`/user/by-name/${value} is invalid`)
    const loose = value as unknown as number
    await expect(user.of(loose).stickyNote.list({ line: 'x' })).rejects.toThrow('is invalid: an ID or a value')
    await expect(user.delete(loose)).rejects.toThrow('is invalid: an ID or a value')
    expect(requests).toEqual([])
    await user.by.name('...')
    await user.list({ name: value })
    expect(requests).toHaveLength(2)
  })

  it('sends the values of custom operations', async () => {
    const { requests, fetch } = recordRequests()
    const { user } = calls(fetch)
    await user.yearDigest.get({ since: '2026-01-01' }, { requestId: 'r' })
    await user.roundUp.post(undefined, { requestId: 'r' })
    await user.of(7).lock.put({ reason: 'x' }, { requestId: 'r' })
    await user.of(7).lock.delete({ requestId: 'r' })
    await user.of(7).lock.delete()
    expect(requests.map(({ method, url, body, headers }) => [method, url, body, headers.get('x-request-id')])).toEqual([
      ['GET', 'http://x/base/user/year-digest?since=2026-01-01', undefined, 'r'],
      ['POST', 'http://x/base/user/round-up', undefined, 'r'],
      ['PUT', 'http://x/base/user/7/lock', { reason: 'x' }, 'r'],
      ['DELETE', 'http://x/base/user/7/lock', undefined, 'r'],
      ['DELETE', 'http://x/base/user/7/lock', undefined, null],
    ])
  })

  it('returns null for a response without a body', async () => {
    const { fetch } = recordRequests(() => new Response(null, { status: 204 }))
    expect(await calls(fetch).user.delete(1)).toBeNull()
  })

  it('sends the name of the npm package as User-Agent', async () => {
    vi.stubEnv('npm_package_name', 'shop')
    vi.stubEnv('npm_package_version', '3.1.0')
    const { requests, fetch } = recordRequests()
    await calls(fetch).user.list()
    expect(requests[0]?.headers.get('user-agent')).toBe('shop/3.1.0')
    vi.stubEnv('npm_package_name', '@acme/shop')
    await calls(fetch).user.list()
    expect(requests[1]?.headers.get('user-agent')).toBe('acme-shop/3.1.0')
    vi.unstubAllEnvs()
  })

  it('returns the ETag of each record', async () => {
    const { fetch } = recordRequests(
      () => Response.json({ id: 1 }, { headers: { etag: '"1-1-a"' } }),
      () => Response.json({ id: 2 }),
    )
    const { user } = calls(fetch)
    expect([etagOf(await user.read(1)), etagOf(await user.read(2))]).toEqual(['"1-1-a"', undefined])
  })

  it('can be returned from an async function', async () => {
    const { requests, fetch } = recordRequests()
    const returned = await (async () => calls(fetch))()
    expect(returned.user).toBe(returned.user)
    expect(requests).toEqual([])
  })

  it('can be serialized and awaited without a request', async () => {
    const { requests, fetch } = recordRequests()
    const { user } = calls(fetch)
    expect(JSON.parse(JSON.stringify(user))).toEqual({ summary: {}, detail: {}, by: {} })
    expect(await user.by).toBe(user.by)
    expect(requests).toEqual([])
  })

  it('reads all pages, starting with the requested one', async () => {
    const pageOf = (url: string) => Number(new URL(url).searchParams.get('pageNumber'))
    const fetch = async (url: string) =>
      Response.json({
        pageInfo: { pageNumber: pageOf(url), pageSize: 2, numberOfPages: 3, numberOfRecords: 5 },
        results: [[1, 2], [3, 4], [5]][pageOf(url) - 1]?.map((id) => ({ id })) ?? [],
      })
    const { user } = calls(fetch)
    const recordIds = async (query?: object) => (await Array.fromAsync(user.records(query))).map(({ id }) => id)
    expect(await recordIds()).toEqual([1, 2, 3, 4, 5])
    expect(await recordIds({ pageNumber: 2 })).toEqual([3, 4, 5])
    expect(await recordIds({ pageNumber: 9 })).toEqual([])
    expect((await Array.fromAsync(user.pages())).map(({ results }) => results.length)).toEqual([2, 2, 1])
    for await (const { id } of user.summary.records()) if (id === 2) break
  })
})

describe('a failure', () => {
  const document = {
    type: 'urn:nomen:problem:invalid-body',
    title: 'The body is invalid',
    status: 400,
    detail: 'name is missing.',
    code: 'invalid-body',
    hint: 'Give it.',
    errors: [{ pointer: '/name', detail: 'is missing' }],
  }

  async function failureOf(respond: () => Response, method: 'read' | 'delete' = 'delete'): Promise<ProblemError> {
    const { fetch } = recordRequests(respond)
    const error = await client<typeof plain>({ baseUrl: '', fetch, retries: 0 })
      .user[method](1)
      .catch((error) => error)
    expect(error).toBeInstanceOf(ProblemError)
    return error
  }

  it('is a problem with every member of the response', async () => {
    const error = await failureOf(() => Response.json(document, { status: 400, headers: { 'x-request-id': 'r1' } }))
    expect(error.message).toBe('name is missing.')
    expect([error.status, error.code, error.hint, error.errors]).toEqual([
      400,
      'invalid-body',
      'Give it.',
      document.errors,
    ])
    expect([error.requestId, error.problem]).toEqual(['r1', document])
  })

  it.each<[string, () => Response, string]>([
    ['null', () => Response.json(null, { status: 404, statusText: 'Not Found' }), ''],
    ['text', () => new Response('<html>', { status: 404, statusText: 'Not Found' }), ': <html>'],
    ['nothing', () => new Response(null, { status: 404, statusText: 'Not Found' }), ''],
  ])('is a problem if the service sends %s', async (_, respond, detail) => {
    const error = await failureOf(respond)
    expect([error.message, error.status, error.code, error.errors]).toEqual([
      `DELETE /user/1 responded with 404 Not Found${detail}`,
      404,
      undefined,
      [],
    ])
  })
})

describe('a response of another server', () => {
  const readError = (respond: () => Response) =>
    client<typeof plain>({ baseUrl: '', fetch: recordRequests(respond).fetch })
      .user.read(1)
      .catch((error) => error)

  it('is a problem if it is not valid JSON, even with a success status', async () => {
    const page = () => new Response('<html>Log in', { headers: { 'content-type': 'text/html', 'x-request-id': 'r1' } })
    const error = await readError(page)
    expect(error).toBeInstanceOf(ProblemError)
    expect([error.status, error.code, error.requestId]).toEqual([200, undefined, 'r1'])
    expect(error.message).toContain('responded with 200 and text/html that is not JSON: <html>Log in')
  })

  it('does not override the status or the errors', async () => {
    const error = await readError(() => Response.json({ status: 'error', errors: { name: ['x'] } }, { status: 422 }))
    expect([error.status, error.errors]).toEqual([422, []])
  })
})
