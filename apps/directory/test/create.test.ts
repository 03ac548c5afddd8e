// POST: required fields, defaults and responses.
import { describe, expect, it } from 'vitest'
import { type AccessUser, type Department, newUser, shapes, timestampForm, type User } from './record.ts'
import { allowedMethods, expectProblem, expectSuggestion, openEach } from './service.ts'

const { get, post, put, del, listAll } = openEach()
const accessArgs = { firstName: 'A', lastName: 'B', username: 'a.b', email: 'a.b@example.com', avatarColor: null }

describe('POST', () => {
  it('spec 4.2: POST /{noun} creates a record at the root of its collection', async () => {
    const before = await listAll('/v1/role')
    const { status, body } = await post('/v1/role', { applicationRef: 1, name: 'Intern', description: 'Looks on.' })
    expect(status).toBe(201)
    expect(await listAll('/v1/role')).toEqual([...before, body])
  })

  it('decision post: the response is 201 with Location and the complete record', async () => {
    const { status, headers, body } = await post<User>('/user', newUser('whole.record'))
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual([...shapes.user].sort())
    expect(headers.location).toBe(`/user/${body.id}`)
    const stored = await get<User>(headers.location ?? '')
    expect(stored.body).toEqual(body)
    expect(stored.headers.etag).toBe(headers.etag)
  })

  it.each([
    ['/department', { name: 'Archive' }, /^\/department\/\d+$/],
    ['/user/3/preference', { type: 'theme', value: 'dark' }, /^\/user\/3\/preference\/\d+$/],
    [
      '/v1/application',
      { guid: '3f0e0e3e-8f0c-4d3c-9a53-0d5e1a5f6b7c', name: 'Chess', description: '' },
      /^\/v1\/application\/\d+$/,
    ],
    ['/v1/role', { applicationRef: 2, name: 'Guest', description: '' }, /^\/v1\/role\/\d+$/],
    ['/v1/action', { applicationRef: 2, name: 'look', description: '' }, /^\/v1\/action\/\d+$/],
  ])('decision post: every create responds with the URL of the record: %s', async (url, body, location) => {
    const created = await post<object>(url, body)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject(body)
    expect(created.headers.location).toMatch(location)
    expect((await get(created.headers.location ?? '')).body).toEqual(created.body)
  })

  it('decision directory: a missing field gets its default', async () => {
    const { body } = await post<User>('/user', newUser('by.default'))
    expect(body).toMatchObject({ phone: '', extension: '', status: 'ACTIVE', supervisor: null })
    const { body: view } = await get<AccessUser>(`/v1/user/${body.id}`)
    expect(view).toMatchObject({
      username: 'by.default@example.com',
      avatarColor: null,
      createdBy: null,
      updatedBy: null,
    })
    const created = await post<Department>('/department', { name: 'Archive' })
    expect(created.body.retired).toBe(false)
  })

  it('decision directory: the default of username is the unchanged e-mail address', async () => {
    const { body } = await post<User>('/user', newUser('Mixed.Case'))
    expect((await get<AccessUser>(`/v1/user/${body.id}`)).body.username).toBe('Mixed.Case@example.com')
  })

  it('decision post: values of the body are stored', async () => {
    const user = newUser('all.given', {
      firstName: '',
      lastName: 'Ångström 日本 👩‍👩‍👧',
      phone: '+44 20 7946 0000',
      extension: '000',
      status: 'SUSPENDED',
      department: 2,
      supervisor: 1,
    })
    expect((await post<User>('/user', user)).body).toMatchObject(user)
  })

  it('decision post: created and lastUpdated are now, and equal', async () => {
    const before = Date.now()
    const { body } = await post<User>('/user', newUser('just.now'))
    expect(body.created).toMatch(timestampForm)
    expect(body.lastUpdated).toBe(body.created)
    expect(Date.parse(body.created)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.created)).toBeLessThanOrEqual(Date.now())
  })

  it('decision post: identity and server-managed properties in the body are ignored', async () => {
    const { body: existing } = await get<User>('/user/1')
    const { status, body } = await post<User>('/user', { ...existing, email: 'copy@example.com' })
    expect(status).toBe(201)
    expect(body).toEqual({
      ...existing,
      email: 'copy@example.com',
      id: 21,
      created: expect.stringMatching(timestampForm),
      lastUpdated: body.created,
    })
    expect(body.created).not.toBe(existing.created)
    expect((await get('/user/1')).body).toEqual(existing)
  })

  it.each(['firstName', 'lastName', 'email', 'department'])(
    'decision post: a property without default is required: %s',
    async (name) => {
      const { [name]: _left, ...body } = newUser('left.out') as Record<string, unknown>
      expectProblem(await post('/user', body), 'invalid-body', name)
    },
  )

  it('decision post: the problem lists every fault of a body with a JSON pointer', async () => {
    const { errors = [] } = expectProblem(
      await post('/user', { firstName: 1, email: 'nowhere', department: 1, nickname: 'x' }),
      'invalid-body',
    )
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/email', '/firstName', '/lastName', '/nickname'])
  })

  it('decision post: an unknown property is rejected with a suggestion', async () => {
    const problem = expectProblem(await post('/user', { ...newUser(), firstname: 'x' }), 'invalid-body', 'firstname')
    expectSuggestion(problem, 'firstName')
    expectProblem(await post('/user', { ...newUser(), username: 'x' }), 'invalid-body', 'username')
  })

  it('decision identity: an ID is never reused', async () => {
    const first = (await post<User>('/user', newUser('short.lived'))).body
    expect((await del(`/user/${first.id}`)).status).toBe(200)
    const second = (await post<User>('/user', newUser('short.lived'))).body
    expect(second.id).toBe(first.id + 1)
  })

  it('decision post: the v1 api offers no POST of users', async () => {
    const response = await post('/v1/user', {
      firstName: 'a',
      lastName: 'b',
      username: 'c',
      email: 'd@example.com',
      avatarColor: null,
    })
    expectProblem(response, 'method-not-allowed', 'POST', '/v1/user')
    expect(allowedMethods(response)).toEqual(['GET', 'HEAD', 'OPTIONS'])
  })
})

describe('conflicts and rules', () => {
  it('decision status: a unique value that is taken is 409', async () => {
    const { body: first } = await get<User>('/user/1')
    expectProblem(await post('/user', { ...newUser(), email: first.email }), 'value-taken', 'email', first.email)
    const [application] = await listAll<{ guid: string }>('/v1/application')
    expectProblem(
      await post('/v1/application', { guid: application?.guid, name: 'x', description: '' }),
      'value-taken',
      'guid',
      application?.guid ?? '',
    )
    expect((await listAll('/user')).length).toBe(20)
  })

  it('decision status: one of several concurrent creates with the same unique value succeeds', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post<User>('/user', newUser('same.time'))))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect((await listAll('/user')).length).toBe(21)
  })

  it('decision text: an e-mail is unique regardless of ASCII case', async () => {
    const { body: first } = await get<User>('/user/1')
    expectProblem(await post('/user', { ...newUser(), email: first.email.toUpperCase() }), 'value-taken', 'email')
  })

  it('decision directory: a create is rejected if the default of username is taken', async () => {
    await put('/v1/user/1', { ...accessArgs, username: 'later@example.com' })
    expectProblem(await post('/user', newUser('later')), 'value-taken', 'email', 'later@example.com')
  })

  it.each([
    ['/user', { ...newUser(), department: 999 }, 'department', '999'],
    ['/user', { ...newUser(), supervisor: 999 }, 'supervisor', '999'],
    ['/v1/role', { applicationRef: 999, name: 'x', description: '' }, 'applicationRef', '999'],
    ['/v1/action', { applicationRef: 999, name: 'x', description: '' }, 'applicationRef', '999'],
  ])('decision status: a reference to a missing record is 422: %s %j', async (url, body, name, value) => {
    const before = await listAll(url)
    expectProblem(await post(url, body), 'reference-not-found', name, value)
    expect(await listAll(url)).toEqual(before)
  })

  it('decision user-rule: a new user cannot be their own supervisor', async () => {
    expectProblem(
      await post('/user', newUser('self.made', { supervisor: 21 })),
      'reference-not-found',
      'supervisor',
      '21',
    )
    expect((await listAll('/user')).length).toBe(20)
  })

  it('decision user-rule: a preference has exactly one of enabled and value', async () => {
    const preference = { type: 'sound' }
    for (const values of [
      { ...preference, enabled: true, value: 'loud' },
      { ...preference, enabled: null, value: null },
      { ...preference, enabled: false, value: '' },
      preference,
    ]) {
      expectProblem(await post('/user/3/preference', values), 'rule-broken', 'enabled', 'value')
    }
    expect((await get('/user/3/preference')).body).toEqual([])
    expect((await post('/user/3/preference', { ...preference, enabled: false })).status).toBe(201)
    expect((await post('/user/3/preference', { type: 'tune', value: '' })).status).toBe(201)
  })

  it('decision user-rule: a preference type is unique within its user', async () => {
    expect((await post('/user/3/preference', { type: 'sound', enabled: true })).status).toBe(201)
    expectProblem(await post('/user/3/preference', { type: 'sound', value: 'loud' }), 'value-taken', 'type', 'sound')
    expect((await post('/user/8/preference', { type: 'sound', enabled: true })).status).toBe(201)
  })

  it('decision user-rule: a preference type is never empty', async () => {
    expectProblem(await post('/user/3/preference', { type: '', enabled: true }), 'invalid-body', 'type')
  })

  it('decision status: a preference of a user who does not exist is 404', async () => {
    expectProblem(await post('/user/9999/preference', { type: 'sound', enabled: true }), 'record-not-found', '9999')
  })

  it('decision nested-body: a parent repeated in the body must equal the path', async () => {
    const preference = { type: 'sound', enabled: true }
    expectProblem(await post('/user/3/preference', { ...preference, user: 4 }), 'identity-mismatch', '3', '4')
    expect((await post('/user/3/preference', { ...preference, user: 3 })).status).toBe(201)
  })
})
