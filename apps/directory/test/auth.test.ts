// Who may do what: without a token nothing, with one what its scopes allow, and in the name of the user that it names.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessEntry, type Operation, ProblemError, parseLine, scopeOf } from '@nomen/core'
import { client } from '@nomen/core/client'
import { audience, newKey, type OpenIdProvider, startOpenIdProvider } from '@nomen/testing/openid-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type directory, directoryService } from '../src/index.ts'
import { type App, asking, expectProblem, openDirectory } from './service.ts'

const { operations } = directoryService({ users: 0 })
const scopes = [...new Set(operations.flatMap((one) => scopeOf(one).split(' ')))]
const folder = mkdtempSync(join(tmpdir(), 'directory-auth-'))
const accessLog = join(folder, 'access.log')

const held: { provider?: OpenIdProvider; app?: App } = {}
const tokens = new Map<string, string>()

beforeAll(async () => {
  held.provider = await startOpenIdProvider([...scopes, 'usage:read', '*:read', '*:write'], newKey('ES256'))
  held.app = await openDirectory(20, { auth: { issuer: held.provider.issuer, audience }, accessLog })
})
afterAll(async () => {
  await held.app?.close()
  await held.provider?.close()
  rmSync(folder, { recursive: true })
})

const ask = asking(() => held.app as App)

/** The header of a token with these scopes. */
async function allowing(scope: string, user?: string): Promise<{ authorization: string }> {
  const key = `${user} ${scope}`
  const token = tokens.get(key) ?? (await held.provider?.token({ scope, ...(user !== undefined && { user }) })) ?? ''
  tokens.set(key, token)
  return { authorization: `Bearer ${token}` }
}

/** A request that passes the gate and changes nothing: no record has this identity. */
function requestOf({ method, path }: Operation) {
  const url = path.replaceAll(/\{[^}]*\}/g, '999999')
  const isBodied = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return { method, url, body: isBodied ? '{"nothing":1}' : undefined }
}

/** The same path, written so that only the framework reads it. */
function unusual(url: string): string {
  return `/%${url.charCodeAt(1).toString(16)}${url.slice(2)}`
}

const ways = [
  ['from the connection', (url: string) => url],
  ['through the framework', unusual],
] as const

describe.each(ways)('every operation, served %s', (_, written) => {
  const walk = operations.map((operation) => ({ operation, scope: scopeOf(operation), ...requestOf(operation) }))

  it('decision auth: without a token it is 401', async () => {
    for (const { method, url, body } of walk) {
      const answer = await ask.send(method, written(url), body)
      expectProblem(answer, 'token-required')
      expect(answer.headers['www-authenticate'], `${method} ${url}`).toBe('Bearer realm="directory"')
    }
  })

  it('decision auth: without the scope of its noun and verb it is 403, whatever others there are', async () => {
    for (const { method, url, body, scope } of walk) {
      for (const needed of scope.split(' ')) {
        const others = scopes.filter((one) => one !== needed).join(' ')
        const answer = await ask.send(method, written(url), body, await allowing(others))
        expect(expectProblem(answer, 'insufficient-scope', needed).status).toBe(403)
        expect(answer.headers['www-authenticate'], `${method} ${url}`).toContain(`scope="${scope}"`)
      }
    }
  })

  it('decision auth: with the scope, by name or for all nouns, it is served', async () => {
    for (const { method, url, body, scope } of walk) {
      for (const given of [scope, scope.replaceAll(/[^ ]+:/g, '*:')]) {
        const { status } = await ask.send(method, written(url), body, await allowing(given))
        expect([401, 403], `${method} ${url} with ${given}`).not.toContain(status)
      }
    }
  })

  it('decision auth: HEAD is as GET, and OPTIONS is for anyone', async () => {
    for (const { url, scope } of walk.filter(({ method }) => method === 'GET')) {
      expect((await ask.head(written(url))).status, url).toBe(401)
      expect((await ask.head(written(url), await allowing('*:write'))).status, url).toBe(403)
      expect([200, 404], url).toContain((await ask.head(written(url), await allowing(scope))).status)
      expect((await ask.send('OPTIONS', written(url))).status, url).toBe(204)
    }
  })
})

it('decision auth: what is no operation, and not for anyone, has a scope of its own: /usage', async () => {
  expectProblem(await ask.get('/usage'), 'token-required')
  expectProblem(await ask.get('/usage', await allowing(scopes.join(' '))), 'insufficient-scope', 'usage:read')
  for (const scope of ['usage:read', '*:read'])
    expect((await ask.get('/usage', await allowing(scope))).status, scope).toBe(200)
})

describe('the table', () => {
  it('decision auth: a scope names the noun that is read or changed; a link belongs to the noun above it', () => {
    expect(scopes.sort()).toEqual(
      ['action', 'application', 'department', 'preference', 'role', 'user'].flatMap((noun) => [
        `${noun}:read`,
        `${noun}:write`,
      ]),
    )
    const byId = Object.fromEntries(operations.map((one) => [`${one.method} ${one.path}`, scopeOf(one)]))
    expect(byId).toMatchObject({
      'GET /user/{userId}/preference': 'preference:read',
      'PATCH /user/{userId}/preference/{id}': 'preference:write preference:read',
      'PUT /v1/user/{userRef}/role/{roleRef}': 'user:write role:read',
      'DELETE /v1/role/{roleRef}/action/{actionRef}': 'role:write action:read',
      'GET /v1/user/{userRef}/role': 'role:read',
    })
  })
})

describe('what a token does not allow to read', () => {
  const writes = [
    ['POST', '/user', person('unseen@example.com')],
    ['PUT', '/user/3', person('unseen@example.com')],
    ['PATCH', '/user/3', {}],
    ['PATCH', '/user/3', { lastName: 'Unseen' }],
    ['DELETE', '/user/3', undefined],
    ['PUT', '/v1/user/3/role/2', undefined],
    ['DELETE', '/v1/user/3/role/2', undefined],
  ] as const

  it.each(writes)('decision auth: %s %s is not answered to it, and not done', async (method, url, body) => {
    const all = await allowing('*:read')
    const before = (await ask.get('/user/3', all)).text + (await ask.get('/v1/user/3/role', all)).text
    const answer = await ask.send(method, url, body && JSON.stringify(body), await allowing('user:write'))
    expectProblem(answer, 'insufficient-scope', url.includes('role') ? 'role:read' : 'user:read')
    expect(answer.text).not.toMatch(/firstName|roleRef/)
    expect((await ask.get('/user/3', all)).text + (await ask.get('/v1/user/3/role', all)).text).toBe(before)
  })

  it('decision auth: an answer that was kept under an Idempotency-Key is not given again to it', async () => {
    const key = { 'idempotency-key': 'kept-for-readers' }
    const made = await ask.post('/user', person('kept@example.com'), {
      ...key,
      ...(await allowing('user:write user:read')),
    })
    expect(made.status).toBe(201)
    const again = await ask.post('/user', person('kept@example.com'), { ...key, ...(await allowing('user:write')) })
    expectProblem(again, 'insufficient-scope', 'user:read')
  })

  it.each(['/user-detail?pageSize=20', '/user-detail?department=1&include=2&sort=-id'])(
    'decision auth: %s shows the identity in place of a label without the scope to read its noun',
    async (url) => {
      type Shown = { id: number; department: string; supervisor: string | null }[]
      const list = async (scope: string): Promise<Shown> => {
        const { status, body } = await ask.get<{ results: Shown }>(url, await allowing(scope))
        expect(status, `${url} with ${scope}`).toBe(200)
        return body.results
      }
      const [named, unnamed] = [await list('user:read department:read'), await list('user:read')]
      expect(named.length).toBeGreaterThan(0)
      const all = await allowing('*:read')
      for (const [index, { id, department, ...others }] of unnamed.entries()) {
        const { body: user } = await ask.get<{ department: number }>(`/user/${id}`, all)
        expect(department).toBe(`${user.department}`)
        expect(named[index]).toEqual({ id, ...others, department: expect.stringMatching(/[a-z]/i) })
      }
      // Whichever was asked for first, each is answered to its own callers.
      expect(await list('*:read')).toEqual(named)
    },
  )
})

describe('the user that a token names', () => {
  const reading = '*:read'
  const writing = '*:write *:read'

  it('decision auth: the user stands in the access log, whatever became of the request', async () => {
    const url = (mark: string) => `/user?search=${mark}`
    await ask.get(url('let-in'), await allowing(reading, 'alice blue'))
    await ask.get(url('no-scope'), await allowing('role:read', 'bob'))
    await ask.get(url('nobody'))
    await ask.get(unusual(url('framework')), await allowing(reading, 'alice blue'))
    await ask.get(url('client'), await allowing(reading))
    const entries = await logged((all) => all.some(({ target }) => target.endsWith('=client')))
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

  it('decision created-by: the author is the user whose username the token names', async () => {
    const { body: one } = await ask.get<{ username: string }>('/v1/user/1', await allowing(reading))
    const headers = await allowing(writing, one.username)
    const { body: made } = await ask.post<{ id: number }>('/user', person('made@example.com'), headers)
    expect((await ask.get(`/v1/user/${made.id}`, headers)).body).toMatchObject({ createdBy: 1, updatedBy: 1 })
    // One that has a record since a moment ago only.
    const own = await allowing(writing, 'made@example.com')
    await ask.patch(`/user/${made.id}`, { lastName: 'Self' }, own)
    expect((await ask.get(`/v1/user/${made.id}`, own)).body).toMatchObject({ createdBy: 1, updatedBy: made.id })
    // And has none any more.
    expect((await ask.del(`/user/${made.id}`, own)).status).toBe(200)
    await ask.patch('/user/2', { lastName: 'Later' }, own)
    expect((await ask.get('/v1/user/2', own)).body).toMatchObject({ updatedBy: null })
  })

  it('decision created-by: a user without a record is the author of nothing', async () => {
    const headers = await allowing(writing, 'nobody-of-this-name')
    const { body } = await ask.post<{ id: number }>('/user', person('orphan@example.com'), headers)
    expect((await ask.get(`/v1/user/${body.id}`, headers)).body).toMatchObject({ createdBy: null, updatedBy: null })
  })
})

describe('the typed client', () => {
  it('sends a token, and says what is wrong with another', async () => {
    const baseUrl = await (held.app as App).listen({ port: 0 })
    const { authorization } = await allowing('user:read')
    const good = client<typeof directory>({ baseUrl, headers: async () => ({ authorization }) })
    expect(await good.user.read(1)).toMatchObject({ id: 1 })
    const none = client<typeof directory>({ baseUrl })
    const refused = await none.user.read(1).catch((error) => error)
    expect(refused).toBeInstanceOf(ProblemError)
    expect(refused).toMatchObject({ status: 401, code: 'token-required', message: 'The request has no token.' })
    await expect(good.department.list()).rejects.toMatchObject({ status: 403, code: 'insufficient-scope' })
  })
})

function person(email: string) {
  return { firstName: 'Ada', lastName: 'Moore', email, department: 1 }
}

/** The entries of the log, once they are all there. */
async function logged(isWhole: (entries: readonly AccessEntry[]) => boolean): Promise<readonly AccessEntry[]> {
  let entries: AccessEntry[] = []
  await expect
    .poll(
      () => {
        entries = readFileSync(accessLog, 'utf8')
          .split('\n')
          .flatMap((line) => parseLine(line) ?? [])
        return isWhole(entries)
      },
      { timeout: 5000 },
    )
    .toBe(true)
  return entries
}
