// Authorization: required scopes, and the user of a token in the access log and in records.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessEntry, type Operation, ProblemError, parseLine, scopeOf } from '@nomen/core'
import { client } from '@nomen/core/client'
import { audience, newKey, type OpenIdProvider, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type directory, directoryService } from '../src/index.ts'
import { type App, expectProblem, openDirectory, requestsTo } from './service.ts'

const { operations } = directoryService({ users: 0 })
const scopes = [...new Set(operations.flatMap((operation) => scopeOf(operation).split(' ')))]
const folder = mkdtempSync(join(tmpdir(), 'directory-auth-'))
const accessLog = join(folder, 'access.log')

const state: { provider?: OpenIdProvider; app?: App } = {}
const tokens = new Map<string, string>()

beforeAll(async () => {
  state.provider = await startOpenIdProvider([...scopes, 'usage:read', '*:read', '*:write'], newKey('ES256'))
  state.app = await openDirectory(20, { auth: { issuer: state.provider.issuer, audience }, accessLog })
})
afterAll(async () => {
  await state.app?.close()
  await state.provider?.close()
  rmSync(folder, { recursive: true })
})

const service = requestsTo(() => state.app as App)

/** The Authorization header of a token with these scopes. */
async function authorize(scope: string, user?: string): Promise<{ authorization: string }> {
  const key = `${user} ${scope}`
  const token = tokens.get(key) ?? (await state.provider?.token({ scope, ...(user !== undefined && { user }) })) ?? ''
  tokens.set(key, token)
  return { authorization: `Bearer ${token}` }
}

/** A request that passes authorization but does not change data: no record has this ID. */
function requestOf({ method, path }: Operation) {
  const url = path.replaceAll(/\{[^}]*\}/g, '999999')
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return { method, url, body: hasBody ? '{"nothing":1}' : undefined }
}

/** The same path with an encoded letter, which the fast router leaves to the framework. */
function encodeFirstLetter(url: string): string {
  return `/%${url.charCodeAt(1).toString(16)}${url.slice(2)}`
}

const urlForms = [
  ['from the connection', (url: string) => url],
  ['through the framework', encodeFirstLetter],
] as const

describe.each(urlForms)('every operation, served %s', (_, formatUrl) => {
  const requests = operations.map((operation) => ({ operation, scope: scopeOf(operation), ...requestOf(operation) }))

  it('decision auth: responds with 401 without a token', async () => {
    for (const { method, url, body } of requests) {
      const response = await service.send(method, formatUrl(url), body)
      expectProblem(response, 'token-required')
      expect(response.headers['www-authenticate'], `${method} ${url}`).toBe('Bearer realm="directory"')
    }
  })

  it('decision auth: responds with 403 without the scope of its noun and verb, even with all other scopes', async () => {
    for (const { method, url, body, scope } of requests) {
      for (const neededScope of scope.split(' ')) {
        const otherScopes = scopes.filter((scope) => scope !== neededScope).join(' ')
        const response = await service.send(method, formatUrl(url), body, await authorize(otherScopes))
        expect(expectProblem(response, 'insufficient-scope', neededScope).status).toBe(403)
        expect(response.headers['www-authenticate'], `${method} ${url}`).toContain(`scope="${scope}"`)
      }
    }
  })

  it('decision auth: accepts a token with the scope of its noun or of all nouns', async () => {
    for (const { method, url, body, scope } of requests) {
      for (const grantedScope of [scope, scope.replaceAll(/[^ ]+:/g, '*:')]) {
        const { status } = await service.send(method, formatUrl(url), body, await authorize(grantedScope))
        expect([401, 403], `${method} ${url} with ${grantedScope}`).not.toContain(status)
      }
    }
  })

  it('decision auth: HEAD requires the same scope as GET, and OPTIONS requires none', async () => {
    for (const { url, scope } of requests.filter(({ method }) => method === 'GET')) {
      expect((await service.head(formatUrl(url))).status, url).toBe(401)
      expect((await service.head(formatUrl(url), await authorize('*:write'))).status, url).toBe(403)
      expect([200, 404], url).toContain((await service.head(formatUrl(url), await authorize(scope))).status)
      expect((await service.send('OPTIONS', formatUrl(url))).status, url).toBe(204)
    }
  })
})

it('decision auth: /usage is not an operation and requires its own scope', async () => {
  expectProblem(await service.get('/usage'), 'token-required')
  expectProblem(await service.get('/usage', await authorize(scopes.join(' '))), 'insufficient-scope', 'usage:read')
  for (const scope of ['usage:read', '*:read'])
    expect((await service.get('/usage', await authorize(scope))).status, scope).toBe(200)
})

describe('the operation table', () => {
  it('decision auth: a scope has the noun that is read or changed; a link requires the scope of its parent', () => {
    expect(scopes.sort()).toEqual([
      ...['action:read', 'action:write', 'application:read', 'application:write', 'change:read', 'delivery:read'],
      ...['department:read', 'department:write', 'preference:read', 'preference:write', 'role:read', 'role:write'],
      ...['saved-view:read', 'saved-view:write', 'user:read', 'user:write', 'webhook:read', 'webhook:write'],
    ])
    const scopeByRoute = Object.fromEntries(
      operations.map((operation) => [`${operation.method} ${operation.path}`, scopeOf(operation)]),
    )
    expect(scopeByRoute).toMatchObject({
      'GET /user/{userId}/preference': 'preference:read',
      'PATCH /user/{userId}/preference/{id}': 'preference:write preference:read',
      'PUT /v1/user/{userRef}/role/{roleRef}': 'user:write role:read',
      'DELETE /v1/role/{roleRef}/action/{actionRef}': 'role:write action:read',
      'GET /v1/user/{userRef}/role': 'role:read',
      'GET /change': 'change:read',
      'GET /user/change': 'change:read user:read',
      'GET /user/{userId}/change': 'change:read user:read',
      'PATCH /webhook/{id}': 'webhook:write webhook:read change:read',
      'DELETE /webhook/{id}': 'webhook:write webhook:read',
      'POST /webhook/{webhookId}/rotation': 'webhook:write change:read',
    })
  })
})

describe('a token without the scope to read a record', () => {
  const writes = [
    ['POST', '/user', newPerson('unseen@example.com')],
    ['PUT', '/user/3', newPerson('unseen@example.com')],
    ['PATCH', '/user/3', {}],
    ['PATCH', '/user/3', { lastName: 'Unseen' }],
    ['DELETE', '/user/3', undefined],
    ['PUT', '/v1/user/3/role/2', undefined],
    ['DELETE', '/v1/user/3/role/2', undefined],
  ] as const

  it.each(writes)('decision auth: %s %s is rejected and changes nothing', async (method, url, body) => {
    const readAll = await authorize('*:read')
    const before = (await service.get('/user/3', readAll)).text + (await service.get('/v1/user/3/role', readAll)).text
    const response = await service.send(method, url, body && JSON.stringify(body), await authorize('user:write'))
    expectProblem(response, 'insufficient-scope', url.includes('role') ? 'role:read' : 'user:read')
    expect(response.text).not.toMatch(/firstName|roleRef/)
    expect((await service.get('/user/3', readAll)).text + (await service.get('/v1/user/3/role', readAll)).text).toBe(
      before,
    )
  })

  it('decision auth: cannot repeat a request to receive the stored response of an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'kept-for-readers' }
    const created = await service.post('/user', newPerson('kept@example.com'), {
      ...key,
      ...(await authorize('user:write user:read')),
    })
    expect(created.status).toBe(201)
    const repeated = await service.post('/user', newPerson('kept@example.com'), {
      ...key,
      ...(await authorize('user:write')),
    })
    expectProblem(repeated, 'insufficient-scope', 'user:read')
  })

  it.each(['/user-detail?pageSize=20', '/user-detail?department=1&include=2&sort=-id'])(
    'decision auth: %s shows the ID of a referenced record instead of its label',
    async (url) => {
      type UserList = { id: number; department: string; supervisor: string | null }[]
      const list = async (scope: string): Promise<UserList> => {
        const { status, body } = await service.get<{ results: UserList }>(url, await authorize(scope))
        expect(status, `${url} with ${scope}`).toBe(200)
        return body.results
      }
      const [withLabels, withoutLabels] = [await list('user:read department:read'), await list('user:read')]
      expect(withLabels.length).toBeGreaterThan(0)
      const readAll = await authorize('*:read')
      for (const [index, { id, department, ...otherProperties }] of withoutLabels.entries()) {
        const { body: user } = await service.get<{ department: number }>(`/user/${id}`, readAll)
        expect(department).toBe(`${user.department}`)
        expect(withLabels[index]).toEqual({ id, ...otherProperties, department: expect.stringMatching(/[a-z]/i) })
      }
      // Each caller gets its own response, in any order of requests.
      expect(await list('*:read')).toEqual(withLabels)
    },
  )
})

describe('the user of a token', () => {
  const readScope = '*:read'
  const writeScope = '*:write *:read'

  it('decision auth: the access log has the user for every status', async () => {
    const url = (search: string) => `/user?search=${search}`
    await service.get(url('let-in'), await authorize(readScope, 'alice blue'))
    await service.get(url('no-scope'), await authorize('role:read', 'bob'))
    await service.get(url('nobody'))
    await service.get(encodeFirstLetter(url('framework')), await authorize(readScope, 'alice blue'))
    await service.get(url('client'), await authorize(readScope))
    const entries = await waitForLog((readAll) => readAll.some(({ target }) => target.endsWith('=client')))
    const users = entries
      .filter(({ target }) => target.includes('search='))
      .map(({ target, user, status }) => [target.replace(/.*=/, ''), user, status])
    expect(users).toEqual([
      ['let-in', 'alice blue', 200],
      ['no-scope', 'bob', 403],
      ['nobody', undefined, 401],
      ['framework', 'alice blue', 200],
      ['client', 'tester', 200],
    ])
  })

  it('decision created-by: createdBy and updatedBy are the user with the username in the token', async () => {
    const { body: author } = await service.get<{ username: string }>('/v1/user/1', await authorize(readScope))
    const headers = await authorize(writeScope, author.username)
    const { body: created } = await service.post<{ id: number }>('/user', newPerson('made@example.com'), headers)
    expect((await service.get(`/v1/user/${created.id}`, headers)).body).toMatchObject({ createdBy: 1, updatedBy: 1 })
    // The token of the new user.
    const headersOfCreated = await authorize(writeScope, 'made@example.com')
    await service.patch(`/user/${created.id}`, { lastName: 'Self' }, headersOfCreated)
    expect((await service.get(`/v1/user/${created.id}`, headersOfCreated)).body).toMatchObject({
      createdBy: 1,
      updatedBy: created.id,
    })
    // The record is deleted.
    expect((await service.del(`/user/${created.id}`, headersOfCreated)).status).toBe(200)
    await service.patch('/user/2', { lastName: 'Later' }, headersOfCreated)
    expect((await service.get('/v1/user/2', headersOfCreated)).body).toMatchObject({ updatedBy: null })
  })

  it('decision created-by: createdBy and updatedBy are null for a user without a record', async () => {
    const headers = await authorize(writeScope, 'nobody-of-this-name')
    const { body } = await service.post<{ id: number }>('/user', newPerson('orphan@example.com'), headers)
    expect((await service.get(`/v1/user/${body.id}`, headers)).body).toMatchObject({ createdBy: null, updatedBy: null })
  })
})

describe('the typed client', () => {
  it('sends a token, and reports why a request was rejected', async () => {
    const baseUrl = await (state.app as App).listen({ port: 0 })
    const { authorization } = await authorize('user:read')
    const authorized = client<typeof directory>({ baseUrl, headers: async () => ({ authorization }) })
    expect(await authorized.user.read(1)).toMatchObject({ id: 1 })
    const anonymous = client<typeof directory>({ baseUrl })
    const problem = await anonymous.user.read(1).catch((error) => error)
    expect(problem).toBeInstanceOf(ProblemError)
    expect(problem).toMatchObject({ status: 401, code: 'token-required', message: 'The request has no token.' })
    await expect(authorized.department.list()).rejects.toMatchObject({ status: 403, code: 'insufficient-scope' })
  })
})

function newPerson(email: string) {
  return { firstName: 'Ada', lastName: 'Moore', email, department: 1 }
}

/** Waits until the log is complete, and returns its entries. */
async function waitForLog(isComplete: (entries: readonly AccessEntry[]) => boolean): Promise<readonly AccessEntry[]> {
  let entries: AccessEntry[] = []
  await expect
    .poll(
      () => {
        entries = readFileSync(accessLog, 'utf8')
          .split('\n')
          .flatMap((line) => parseLine(line) ?? [])
        return isComplete(entries)
      },
      { timeout: 5000 },
    )
    .toBe(true)
  return entries
}
