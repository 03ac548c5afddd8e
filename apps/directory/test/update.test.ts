// PUT and PATCH: which properties they take, what they answer, and the states of a user.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessUser, asAccessUser, newUser, type Preference, sampleOf, shapes, type User } from './record.ts'
import { expectProblem, expectSuggestion, openedEach } from './service.ts'

const { get, post, put, patch, all, send } = openedEach()
const sample = sampleOf()

const mutable = ['firstName', 'lastName', 'email', 'phone', 'extension', 'status', 'department', 'supervisor'] as const
const changes = {
  firstName: 'Changed',
  lastName: 'Entirely',
  email: 'changed.entirely@example.com',
  phone: '+49 30 23125 000',
  extension: '000',
  status: 'SUSPENDED',
  department: 7,
  supervisor: 9,
} as const

describe('PUT', () => {
  it('spec 4.1: PUT takes the complete user and answers it as changed', async () => {
    const { body: before } = await get<User>('/user/2')
    const { status, body } = await put<User>('/user/2', { ...before, ...changes })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...changes, lastUpdated: body.lastUpdated })
    expect((await get('/user/2')).body).toEqual(body)
  })

  it('spec 4.4 rule 2: what was read can be sent back as it is', async () => {
    for (const url of [
      '/user/2',
      '/department/8',
      '/v1/user/2',
      '/v1/application/1',
      '/v1/role/1',
      '/v1/action/1',
      '/user/1/preference/1',
    ]) {
      const { body: before } = await get<Record<string, unknown>>(url)
      const { status, body } = await put<Record<string, unknown>>(url, before)
      expect(status, url).toBe(200)
      for (const name of ['lastUpdated', 'updatedDate', 'updatedBy']) if (name in body) body[name] = before[name]
      expect(body, url).toEqual(before)
    }
  })

  it.each(mutable)('spec 4.4 rule 1: PUT requires every mutable property: %s', async (name) => {
    const { body: before } = await get<User>('/user/2')
    const { [name]: _left, ...rest } = before
    expectProblem(await put('/user/2', rest), 'invalid-body', name)
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('spec 4.4 rule 1: PUT requires no property that cannot be changed', async () => {
    const { status, body } = await put<User>('/user/2', changes)
    expect([status, body.id]).toEqual([200, 2])
    expect(body).toMatchObject(changes)
  })

  it('decision put: server-managed properties in the body are ignored', async () => {
    const { body: before } = await get<User>('/user/2')
    const { body } = await put<User>('/user/2', { ...before, created: 'never', lastUpdated: 7 })
    expect(body.created).toBe(before.created)
    expect(body.lastUpdated > before.lastUpdated).toBe(true)
  })

  it('decision put: an identity in the body that is not the one of the path is 409', async () => {
    const { body: before } = await get<User>('/user/2')
    expectProblem(await put('/user/2', { ...before, id: 3 }), 'identity-mismatch', '2', '3')
    expectProblem(await patch('/user/2', { id: 3, lastName: 'x' }), 'identity-mismatch', '2', '3')
    expectProblem(
      await put('/v1/role/2', { roleRef: 3, applicationRef: 1, name: 'x', description: '' }),
      'identity-mismatch',
    )
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('decision put: an identity in the body that is no identity is not the one of the path', async () => {
    const { body: before } = await get<User>('/user/2')
    for (const id of ['2', null, 2.5, [2], { id: 2 }, true]) {
      expectProblem(await patch('/user/2', { id, lastName: 'x' }), 'identity-mismatch', 'id')
    }
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('decision put: an unknown property is refused', async () => {
    const { body: before } = await get<User>('/user/2')
    const problem = expectProblem(await put('/user/2', { ...before, lastname: 'x' }), 'invalid-body', 'lastname')
    expectSuggestion(problem, 'lastName')
  })

  it('spec 7: PUT of a record that does not exist is 404 and makes none', async () => {
    expectProblem(await put('/user/9999', changes), 'record-not-found', '9999')
    expect((await all('/user')).length).toBe(20)
  })
})

describe('PATCH', () => {
  it.each(Object.entries(changes))(
    'spec 4.1: PATCH takes one property alone and answers the full user: %s',
    async (name, value) => {
      const { body: before } = await get<User>('/user/2')
      const { status, body } = await patch<User>('/user/2', { [name]: value })
      expect(status).toBe(200)
      expect(body).toEqual({ ...before, [name]: value, lastUpdated: body.lastUpdated })
      expect((await get('/user/2')).body).toEqual(body)
    },
  )

  it('spec 4.1: PATCH takes any properties together', async () => {
    const expected: Record<string, unknown> = { ...(await get<User>('/user/2')).body }
    await fc.assert(
      fc.asyncProperty(fc.subarray([...mutable], { minLength: 1 }), fc.nat(999), async (names, number) => {
        const all = {
          ...changes,
          lastName: `Name ${number}`,
          email: `name.${number}@example.com`,
          department: 1 + (number % 15),
        }
        const part = Object.fromEntries(names.map((name) => [name, all[name]]))
        const { status, body } = await patch<User>('/user/2', part)
        Object.assign(expected, part, { lastUpdated: body.lastUpdated })
        expect([status, body]).toEqual([200, expected])
      }),
      { numRuns: 40 },
    )
  })

  it('decision patch: an empty PATCH changes nothing', async () => {
    const before = await get<User>('/user/2')
    const { status, body, headers } = await patch<User>('/user/2', {})
    expect([status, body, headers.etag]).toEqual([200, before.body, before.headers.etag])
  })

  it('decision patch: a PATCH with only what cannot be changed changes nothing', async () => {
    const before = await get<User>('/user/2')
    const { status, body } = await patch<User>('/user/2', { id: 2, created: 'x', lastUpdated: 'x' })
    expect([status, { ...body, lastUpdated: before.body.lastUpdated }]).toEqual([200, before.body])
  })

  it('decision patch: a PATCH with the same value is a change all the same', async () => {
    const before = await get<User>('/user/2')
    const { body, headers } = await patch<User>('/user/2', { lastName: before.body.lastName })
    expect(headers.etag).not.toBe(before.headers.etag)
    expect(body.lastUpdated > before.body.lastUpdated).toBe(true)
  })

  it('decision content: PATCH takes application/merge-patch+json as well', async () => {
    const answer = await send<User>('PATCH', '/user/2', '{"supervisor":null}', {
      'content-type': 'application/merge-patch+json',
    })
    expect([answer.status, answer.body.supervisor]).toEqual([200, null])
  })

  it('decision patch: null clears a property that may be null, and no other', async () => {
    expect((await patch<User>('/user/2', { supervisor: null })).body.supervisor).toBeNull()
    expectProblem(await patch('/user/2', { lastName: null }), 'invalid-body', 'lastName')
  })

  it('decision patch: an unknown property is refused', async () => {
    const problem = expectProblem(await patch('/user/2', { statuss: 'SUSPENDED' }), 'invalid-body', 'statuss')
    expectSuggestion(problem, 'status')
    expectProblem(await patch('/user/2', { avatarColor: '#000000' }), 'invalid-body', 'avatarColor')
  })

  it('spec 7: PATCH of a record that does not exist is 404', async () => {
    expectProblem(await patch('/user/9999', { lastName: 'x' }), 'record-not-found', '9999')
    expectProblem(await patch('/user/1/preference/9999', { type: 'x' }), 'record-not-found', '9999')
  })
})

describe('every update', () => {
  it('spec 4.2: the path of a single record takes PUT and PATCH with the complete shape', async () => {
    const { body } = await get<User>('/user/2')
    expect((await put<User>('/user/2', { ...body, phone: '1' })).body.phone).toBe('1')
    expect((await patch<User>('/user/2', { ...body, phone: '2' })).body.phone).toBe('2')
  })

  it('spec 4.4 rule 4: both verbs answer the complete shape, on every path', async () => {
    for (const [url, part, names] of [
      ['/user/2', { lastName: 'x' }, shapes.user],
      ['/user/1/preference/1', { type: 'x' }, shapes.preference],
      ['/department/1', { name: 'x' }, shapes.department],
      ['/v1/user/2', { lastName: 'y' }, shapes.accessUser],
      ['/v1/application/1', { name: 'x' }, shapes.application],
      ['/v1/role/1', { name: 'x' }, shapes.role],
      ['/v1/action/1', { name: 'x' }, shapes.action],
    ] as const) {
      const patched = await patch<object>(url, part)
      expect(patched.status, url).toBe(200)
      expect(patched.body).toMatchObject(part)
      expect(Object.keys(patched.body).sort(), url).toEqual([...names].sort())
      const replaced = await put<object>(url, patched.body)
      expect(Object.keys(replaced.body).sort(), url).toEqual([...names].sort())
    }
  })

  it('spec 1: every update answers the full record as it then is', async () => {
    const patched = await patch<User>('/user/2', { phone: '1' })
    expect(patched.body).toEqual((await get('/user/2')).body)
    const replaced = await put<User>('/user/2', { ...patched.body, phone: '2' })
    expect(replaced.body).toEqual((await get('/user/2')).body)
  })

  it('spec 2.3: id and created never change, lastUpdated grows', async () => {
    const { body: before } = await get<User>('/user/2')
    const began = Date.now()
    const first = (await patch<User>('/user/2', { lastName: 'One' })).body
    const second = (await patch<User>('/user/2', { lastName: 'Two' })).body
    expect([second.id, second.created]).toEqual([before.id, before.created])
    expect(Date.parse(first.lastUpdated)).toBeGreaterThanOrEqual(began)
    expect(Date.parse(second.lastUpdated)).toBeGreaterThanOrEqual(Date.parse(first.lastUpdated))
  })

  it('spec 2.6 rule 4: what GET shows is what POST, PUT, PATCH and filters are named after', async () => {
    const { body: read } = await get<User>('/user/2')
    for (const name of mutable) {
      const { status, body } = await patch<User>('/user/2', { [name]: read[name] })
      expect([status, body[name]]).toEqual([200, read[name]])
      const query = new URLSearchParams({ [name]: `${read[name] ?? ''}` })
      expect((await all<User>(`/user?${query}`)).map(({ id }) => id)).toContain(2)
    }
    const { id: _id, created: _created, lastUpdated: _updated, ...given } = read
    expect((await post<User>('/user', { ...given, email: 'again@example.com' })).status).toBe(201)
  })

  it('decision created-by: nobody is signed in, so nobody is named', async () => {
    const { body: before } = await get<AccessUser>('/v1/user/5')
    const { body } = await patch<AccessUser>('/v1/user/5', { lastName: 'x' })
    expect([body.createdBy, body.updatedBy]).toEqual([before.createdBy, null])
  })
})

describe('the user of v1', () => {
  const args = { firstName: 'A', lastName: 'B', username: 'a.b', email: 'a.b@example.com', avatarColor: '#123456' }

  it('spec 4.4 rule 3: PUT /v1/user/{userId} takes all five properties', async () => {
    const before = asAccessUser(sample.users[1] as (typeof sample.users)[number])
    const { status, body } = await put<AccessUser>('/v1/user/2', args)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...args, updatedDate: body.updatedDate, updatedBy: null })
  })

  it.each(Object.keys(args))('spec 4.4 rule 3: PUT /v1/user/{userId} without %s is refused', async (name) => {
    const { [name]: _left, ...rest } = args as Record<string, unknown>
    expectProblem(await put('/v1/user/2', rest), 'invalid-body', name)
  })

  it('spec 4.4 rule 3: PATCH /v1/user/{userId} takes any subset', async () => {
    const names = Object.keys(args) as (keyof typeof args)[]
    await fc.assert(
      fc.asyncProperty(fc.subarray(names), async (subset) => {
        const { body: before } = await get<AccessUser>('/v1/user/2')
        const part = Object.fromEntries(subset.map((name) => [name, args[name]]))
        const { status, body } = await patch<AccessUser>('/v1/user/2', part)
        expect(status).toBe(200)
        expect(body).toEqual({ ...before, ...part, updatedDate: body.updatedDate, updatedBy: body.updatedBy })
      }),
      { numRuns: 32 },
    )
  })

  const values = {
    id: 2,
    createdBy: 9,
    createdDate: '2000-01-01T00:00:00.000Z',
    updatedBy: 9,
    updatedDate: '2000-01-01T00:00:00.000Z',
  }
  it.each(Object.entries(values))(
    'spec 2.5: the static property %s is not accepted as a change',
    async (name, value) => {
      const { body: before } = await get<AccessUser>('/v1/user/2')
      await put('/v1/user/2', { ...args, [name]: value })
      await patch('/v1/user/2', { avatarColor: null, [name]: value })
      const { body } = await get<Record<string, unknown>>('/v1/user/2')
      expect([body.id, body.createdBy, body.createdDate]).toEqual([2, before.createdBy, before.createdDate])
      expect(body.updatedBy).not.toBe(9)
      expect(body.updatedDate).not.toBe(values.updatedDate)
      expect(body.avatarColor).toBeNull()
    },
  )

  it('spec 2.5: avatarColor may be null', async () => {
    expect((await put<AccessUser>('/v1/user/2', { ...args, avatarColor: null })).body.avatarColor).toBeNull()
    expect((await patch<AccessUser>('/v1/user/2', { avatarColor: '' })).body.avatarColor).toBe('')
  })

  it('decision hidden-field: a PUT leaves alone what its api does not show', async () => {
    const before = (await get<User>('/user/2')).body
    await put('/v1/user/2', args)
    const { body } = await get<User>('/user/2')
    expect(body).toEqual({
      ...before,
      firstName: args.firstName,
      lastName: args.lastName,
      email: args.email,
      lastUpdated: body.lastUpdated,
    })
    await put('/user/2', { ...body, lastName: 'C' })
    expect((await get<AccessUser>('/v1/user/2')).body).toMatchObject({
      username: 'a.b',
      avatarColor: '#123456',
      lastName: 'C',
    })
  })

  it('decision directory: a change of e-mail leaves the username as it is', async () => {
    const made = await post<User>('/user', newUser('first.address'))
    await patch(`/user/${made.body.id}`, { email: 'second.address@example.com' })
    expect((await get<AccessUser>(`/v1/user/${made.body.id}`)).body.username).toBe('first.address@example.com')
  })
})

describe('the states of a user', () => {
  it('spec 3: PATCH with status SUSPENDED suspends an ACTIVE user and answers the full record', async () => {
    const { body: before } = await get<User>('/user/1')
    expect(before.status).toBe('ACTIVE')
    const { status, body } = await patch<User>('/user/1', { status: 'SUSPENDED' })
    expect([status, body]).toEqual([200, { ...before, status: 'SUSPENDED', lastUpdated: body.lastUpdated }])
  })

  it('spec 3: PUT with status SUSPENDED suspends an ACTIVE user and answers the full record', async () => {
    const { body: before } = await get<User>('/user/1')
    const { status, body } = await put<User>('/user/1', { ...before, status: 'SUSPENDED' })
    expect([status, body]).toEqual([200, { ...before, status: 'SUSPENDED', lastUpdated: body.lastUpdated }])
  })

  it('spec 3: the record must exist', async () => {
    expectProblem(await patch('/user/9999', { status: 'SUSPENDED' }), 'record-not-found', '9999')
  })

  it('decision user-rule: SUSPENDED becomes ACTIVE again, and a state may be repeated', async () => {
    expect((await get<User>('/user/4')).body.status).toBe('SUSPENDED')
    for (const status of ['SUSPENDED', 'ACTIVE', 'ACTIVE', 'SUSPENDED']) {
      const { body } = await patch<User>('/user/4', { status })
      expect(body.status).toBe(status)
    }
  })

  it.each(['active', 'RETIRED', '', 'ACTIVE ', 1, null, true, ['ACTIVE']])(
    'decision status: %j is no state',
    async (status) => {
      expectProblem(await patch('/user/1', { status }), 'invalid-body', 'status')
      expect((await get<User>('/user/1')).body.status).toBe('ACTIVE')
    },
  )
})

describe('rules and conflicts', () => {
  it('decision user-rule: nobody is the own supervisor', async () => {
    const { body: before } = await get<User>('/user/2')
    expectProblem(await patch('/user/2', { supervisor: 2 }), 'rule-broken', 'supervise')
    expectProblem(await put('/user/2', { ...before, supervisor: 2 }), 'rule-broken', 'supervise')
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('decision status: a reference to nothing is 422', async () => {
    expectProblem(await patch('/user/2', { supervisor: 9999 }), 'reference-not-found', 'supervisor', '9999')
    expectProblem(await patch('/user/2', { department: 9999 }), 'reference-not-found', 'department', '9999')
    expectProblem(await patch('/v1/role/1', { applicationRef: 9999 }), 'reference-not-found', 'applicationRef', '9999')
  })

  it('decision status: a unique value of another record is 409, the own is not', async () => {
    const [, second, third] = sample.users
    expectProblem(await patch('/user/2', { email: third?.email }), 'value-taken', 'email', third?.email ?? '')
    expectProblem(await patch('/user/2', { email: third?.email.toUpperCase() }), 'value-taken', 'email')
    expectProblem(
      await patch('/v1/user/2', { username: third?.username }),
      'value-taken',
      'username',
      third?.username ?? '',
    )
    const own = second?.email.toUpperCase() ?? ''
    expect((await patch<User>('/user/2', { email: own })).body.email).toBe(own)
  })

  it('decision user-rule: a change must leave a preference with exactly one of enabled and value', async () => {
    const { body: preferences } = await get<Preference[]>('/user/1/preference')
    const flag = preferences.find(({ enabled }) => enabled !== null)
    const url = `/user/1/preference/${flag?.id}`
    expectProblem(await patch(url, { value: 'x' }), 'rule-broken', 'enabled', 'value')
    expectProblem(await patch(url, { enabled: null }), 'rule-broken', 'enabled', 'value')
    expect((await get('/user/1/preference')).body).toEqual(preferences)
    const { body } = await patch<Preference>(url, { enabled: null, value: 'x' })
    expect(body).toEqual({ ...flag, enabled: null, value: 'x' })
  })

  it('decision user-rule: a preference cannot take the type of another of its user', async () => {
    const { body: preferences } = await get<Preference[]>('/user/1/preference')
    const [first, second] = preferences
    expectProblem(
      await patch(`/user/1/preference/${first?.id}`, { type: second?.type }),
      'value-taken',
      'type',
      second?.type ?? '',
    )
  })

  it('decision nested-body: a parent in the body of an update must equal the path', async () => {
    const { body: preferences } = await get<Preference[]>('/user/1/preference')
    const url = `/user/1/preference/${preferences[0]?.id}`
    expectProblem(await put(url, { ...preferences[0], user: 2 }), 'identity-mismatch', '1', '2')
    expectProblem(await patch(url, { user: 2 }), 'identity-mismatch', '1', '2')
    expect((await put(url, { ...preferences[0], user: 1 })).status).toBe(200)
    expect((await get('/user/1/preference')).body).toEqual(preferences)
  })

  it('decision link: a role with actions cannot move to another application', async () => {
    const { body: before } = await get('/v1/role/1')
    expectProblem(await patch('/v1/role/1', { applicationRef: 2 }), 'rule-broken', 'applicationRef')
    expect((await get('/v1/role/1')).body).toEqual(before)
    const free = sample.roles.find(({ roleRef }) => !sample.roleActions.some(([role]) => role === roleRef))
    const target = free?.applicationRef === 2 ? 3 : 2
    const { status, body } = await patch<{ applicationRef: number }>(`/v1/role/${free?.roleRef}`, {
      applicationRef: target,
    })
    expect([status, body.applicationRef]).toEqual([200, target])
  })

  it('decision link: an action of a role cannot move to another application', async () => {
    const [, linked] = sample.roleActions[0] ?? [0, 0]
    expectProblem(await patch(`/v1/action/${linked}`, { applicationRef: 2 }), 'rule-broken', 'applicationRef')
    const made = await post<{ actionRef: number }>('/v1/action', { applicationRef: 1, name: 'free', description: '' })
    const moved = await patch<{ applicationRef: number }>(`/v1/action/${made.body.actionRef}`, { applicationRef: 2 })
    expect([moved.status, moved.body.applicationRef]).toEqual([200, 2])
  })
})

describe('the order of problems', () => {
  it('decision status: what is wrong with the request comes before what is not there', async () => {
    expectProblem(await patch('/user/9999', { lastName: 1 }), 'invalid-body')
    expectProblem(await patch('/user/9999', { id: 1 }), 'identity-mismatch')
    expectProblem(await send('PATCH', '/user/9999', 'x', { 'content-type': 'text/plain' }), 'unsupported-media-type')
    expectProblem(await send('PATCH', '/user/9999', '{', { 'content-type': 'application/json' }), 'malformed-json')
  })

  it('decision status: what is not there comes before a failed condition, and that before a broken rule', async () => {
    const stale = { 'if-match': '"0-0-0"' }
    expectProblem(await patch('/user/9999', { supervisor: 9999 }, stale), 'record-not-found')
    expectProblem(await patch('/user/2', { supervisor: 2 }, stale), 'precondition-failed')
  })

  it('decision status: a broken rule comes before a value that is taken', async () => {
    const { body: first } = await get<User>('/user/1')
    expectProblem(await patch('/user/2', { supervisor: 2, email: first.email }), 'rule-broken')
    expectProblem(await patch('/user/2', { department: 9999, email: first.email }), 'reference-not-found')
  })
})
