// PUT and PATCH: their bodies and responses, and the states of a user.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessUser, asAccessUser, newUser, sampleOf, shapes, type User } from './record.ts'
import { expectProblem, expectSuggestion, openEach } from './service.ts'

const { get, post, put, patch, listAll, send } = openEach()
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
  it('spec 4.1: PUT accepts the complete user and returns the updated user', async () => {
    const { body: before } = await get<User>('/user/2')
    const { status, body } = await put<User>('/user/2', { ...before, ...changes })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...changes, lastUpdated: body.lastUpdated })
    expect((await get('/user/2')).body).toEqual(body)
  })

  it('spec 4.4 rule 2: a record can be sent back unchanged', async () => {
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

  it('decision put: an ID in the body that differs from the path is 409', async () => {
    const { body: before } = await get<User>('/user/2')
    expectProblem(await put('/user/2', { ...before, id: 3 }), 'identity-mismatch', '2', '3')
    expectProblem(await patch('/user/2', { id: 3, lastName: 'x' }), 'identity-mismatch', '2', '3')
    expectProblem(
      await put('/v1/role/2', { roleRef: 3, applicationRef: 1, name: 'x', description: '' }),
      'identity-mismatch',
    )
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('decision put: an invalid ID in the body does not match the path', async () => {
    const { body: before } = await get<User>('/user/2')
    for (const id of ['2', null, 2.5, [2], { id: 2 }, true]) {
      expectProblem(await patch('/user/2', { id, lastName: 'x' }), 'identity-mismatch', 'id')
    }
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('decision put: an unknown property is rejected', async () => {
    const { body: before } = await get<User>('/user/2')
    const problem = expectProblem(await put('/user/2', { ...before, lastname: 'x' }), 'invalid-body', 'lastname')
    expectSuggestion(problem, 'lastName')
  })

  it('spec 7: PUT of a record that does not exist is 404 and creates none', async () => {
    expectProblem(await put('/user/9999', changes), 'record-not-found', '9999')
    expect((await listAll('/user')).length).toBe(20)
  })
})

describe('PATCH', () => {
  it.each(Object.entries(changes))(
    'spec 4.1: PATCH accepts one property and responds with the full user: %s',
    async (name, value) => {
      const { body: before } = await get<User>('/user/2')
      const { status, body } = await patch<User>('/user/2', { [name]: value })
      expect(status).toBe(200)
      expect(body).toEqual({ ...before, [name]: value, lastUpdated: body.lastUpdated })
      expect((await get('/user/2')).body).toEqual(body)
    },
  )

  it('spec 4.1: PATCH accepts any combination of properties', async () => {
    const expected: Record<string, unknown> = { ...(await get<User>('/user/2')).body }
    await fc.assert(
      fc.asyncProperty(fc.subarray([...mutable], { minLength: 1 }), fc.nat(999), async (names, number) => {
        const values = {
          ...changes,
          lastName: `Name ${number}`,
          email: `name.${number}@example.com`,
          department: 1 + (number % 15),
        }
        const part = Object.fromEntries(names.map((name) => [name, values[name]]))
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

  it('decision patch: a PATCH with only read-only fields changes nothing', async () => {
    const before = await get<User>('/user/2')
    const { status, body } = await patch<User>('/user/2', { id: 2, created: 'x', lastUpdated: 'x' })
    expect([status, { ...body, lastUpdated: before.body.lastUpdated }]).toEqual([200, before.body])
  })

  it('decision patch: a PATCH with the same value counts as a change', async () => {
    const before = await get<User>('/user/2')
    const { body, headers } = await patch<User>('/user/2', { lastName: before.body.lastName })
    expect(headers.etag).not.toBe(before.headers.etag)
    expect(body.lastUpdated > before.body.lastUpdated).toBe(true)
  })

  it('decision content: PATCH accepts application/merge-patch+json', async () => {
    const response = await send<User>('PATCH', '/user/2', '{"supervisor":null}', {
      'content-type': 'application/merge-patch+json',
    })
    expect([response.status, response.body.supervisor]).toEqual([200, null])
  })

  it('decision patch: null clears a property only if it is nullable', async () => {
    expect((await patch<User>('/user/2', { supervisor: null })).body.supervisor).toBeNull()
    expectProblem(await patch('/user/2', { lastName: null }), 'invalid-body', 'lastName')
  })

  it('decision patch: an unknown property is rejected', async () => {
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
  it('spec 4.2: the path of a single record accepts PUT and PATCH with the complete shape', async () => {
    const { body } = await get<User>('/user/2')
    expect((await put<User>('/user/2', { ...body, phone: '1' })).body.phone).toBe('1')
    expect((await patch<User>('/user/2', { ...body, phone: '2' })).body.phone).toBe('2')
  })

  it('spec 4.4 rule 4: PUT and PATCH return the complete shape on every path', async () => {
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

  it('spec 1: every update returns the full record after the update', async () => {
    const patched = await patch<User>('/user/2', { phone: '1' })
    expect(patched.body).toEqual((await get('/user/2')).body)
    const replaced = await put<User>('/user/2', { ...patched.body, phone: '2' })
    expect(replaced.body).toEqual((await get('/user/2')).body)
  })

  it('spec 2.3: id and created never change, and lastUpdated increases', async () => {
    const { body: before } = await get<User>('/user/2')
    const began = Date.now()
    const first = (await patch<User>('/user/2', { lastName: 'One' })).body
    const second = (await patch<User>('/user/2', { lastName: 'Two' })).body
    expect([second.id, second.created]).toEqual([before.id, before.created])
    expect(Date.parse(first.lastUpdated)).toBeGreaterThanOrEqual(began)
    expect(Date.parse(second.lastUpdated)).toBeGreaterThanOrEqual(Date.parse(first.lastUpdated))
  })

  it('spec 2.6 rule 4: POST, PUT, PATCH and filters use the property names of GET', async () => {
    const { body: record } = await get<User>('/user/2')
    for (const name of mutable) {
      const { status, body } = await patch<User>('/user/2', { [name]: record[name] })
      expect([status, body[name]]).toEqual([200, record[name]])
      const query = new URLSearchParams({ [name]: `${record[name] ?? ''}` })
      expect((await listAll<User>(`/user?${query}`)).map(({ id }) => id)).toContain(2)
    }
    const { id: _id, created: _created, lastUpdated: _updated, ...writable } = record
    expect((await post<User>('/user', { ...writable, email: 'again@example.com' })).status).toBe(201)
  })

  it('decision created-by: it is null without a signed-in user', async () => {
    const { body: before } = await get<AccessUser>('/v1/user/5')
    const { body } = await patch<AccessUser>('/v1/user/5', { lastName: 'x' })
    expect([body.createdBy, body.updatedBy]).toEqual([before.createdBy, null])
  })
})

describe('the user of v1', () => {
  const args = { firstName: 'A', lastName: 'B', username: 'a.b', email: 'a.b@example.com', avatarColor: '#123456' }

  it('spec 4.4 rule 3: PUT /v1/user/{userId} requires all five properties', async () => {
    const before = asAccessUser(sample.users[1] as (typeof sample.users)[number])
    const { status, body } = await put<AccessUser>('/v1/user/2', args)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...args, updatedDate: body.updatedDate, updatedBy: null })
  })

  it.each(Object.keys(args))('spec 4.4 rule 3: PUT /v1/user/{userId} without %s is rejected', async (name) => {
    const { [name]: _left, ...rest } = args as Record<string, unknown>
    expectProblem(await put('/v1/user/2', rest), 'invalid-body', name)
  })

  it('spec 4.4 rule 3: PATCH /v1/user/{userId} accepts any subset', async () => {
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

  it('decision hidden-field: a PUT keeps fields that its api does not show', async () => {
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

  it('decision directory: a change of the e-mail address does not change the username', async () => {
    const created = await post<User>('/user', newUser('first.address'))
    await patch(`/user/${created.body.id}`, { email: 'second.address@example.com' })
    expect((await get<AccessUser>(`/v1/user/${created.body.id}`)).body.username).toBe('first.address@example.com')
  })
})

describe('the order of problems', () => {
  it('decision status: an invalid request is reported before a missing record', async () => {
    expectProblem(await patch('/user/9999', { lastName: 1 }), 'invalid-body')
    expectProblem(await patch('/user/9999', { id: 1 }), 'identity-mismatch')
    expectProblem(await send('PATCH', '/user/9999', 'x', { 'content-type': 'text/plain' }), 'unsupported-media-type')
    expectProblem(await send('PATCH', '/user/9999', '{', { 'content-type': 'application/json' }), 'malformed-json')
  })

  it('decision status: a missing record is reported before a failed condition, and a failed condition before a broken rule', async () => {
    const stale = { 'if-match': '"0-0-0"' }
    expectProblem(await patch('/user/9999', { supervisor: 9999 }, stale), 'record-not-found')
    expectProblem(await patch('/user/2', { supervisor: 2 }, stale), 'precondition-failed')
  })

  it('decision status: a broken rule is reported before a taken value', async () => {
    const { body: first } = await get<User>('/user/1')
    expectProblem(await patch('/user/2', { supervisor: 2, email: first.email }), 'rule-broken')
    expectProblem(await patch('/user/2', { department: 9999, email: first.email }), 'reference-not-found')
  })
})
