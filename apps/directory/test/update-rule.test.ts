// The states of a user, and updates that are rejected because of rules or other records.
import { describe, expect, it } from 'vitest'
import { type Preference, sampleOf, type User } from './record.ts'
import { expectProblem, openEach } from './service.ts'

const { get, post, put, patch } = openEach()
const sample = sampleOf()

describe('the states of a user', () => {
  it('spec 3: PATCH with status SUSPENDED suspends an ACTIVE user and returns the full record', async () => {
    const { body: before } = await get<User>('/user/1')
    expect(before.status).toBe('ACTIVE')
    const { status, body } = await patch<User>('/user/1', { status: 'SUSPENDED' })
    expect([status, body]).toEqual([200, { ...before, status: 'SUSPENDED', lastUpdated: body.lastUpdated }])
  })

  it('spec 3: PUT with status SUSPENDED suspends an ACTIVE user and returns the full record', async () => {
    const { body: before } = await get<User>('/user/1')
    const { status, body } = await put<User>('/user/1', { ...before, status: 'SUSPENDED' })
    expect([status, body]).toEqual([200, { ...before, status: 'SUSPENDED', lastUpdated: body.lastUpdated }])
  })

  it('spec 3: the record must exist', async () => {
    expectProblem(await patch('/user/9999', { status: 'SUSPENDED' }), 'record-not-found', '9999')
  })

  it('decision user-rule: a SUSPENDED user can become ACTIVE, and the same state can be set again', async () => {
    expect((await get<User>('/user/4')).body.status).toBe('SUSPENDED')
    for (const status of ['SUSPENDED', 'ACTIVE', 'ACTIVE', 'SUSPENDED']) {
      const { body } = await patch<User>('/user/4', { status })
      expect(body.status).toBe(status)
    }
  })

  it.each(['active', 'RETIRED', '', 'ACTIVE ', 1, null, true, ['ACTIVE']])(
    'decision status: %j is not a state',
    async (status) => {
      expectProblem(await patch('/user/1', { status }), 'invalid-body', 'status')
      expect((await get<User>('/user/1')).body.status).toBe('ACTIVE')
    },
  )
})

describe('rules and conflicts', () => {
  it('decision user-rule: a user cannot be their own supervisor', async () => {
    const { body: before } = await get<User>('/user/2')
    expectProblem(await patch('/user/2', { supervisor: 2 }), 'rule-broken', 'User 2 cannot be their own supervisor.')
    expectProblem(
      await put('/user/2', { ...before, supervisor: 2 }),
      'rule-broken',
      'User 2 cannot be their own supervisor.',
    )
    expect((await get('/user/2')).body).toEqual(before)
  })

  it('decision status: a reference to a missing record is 422', async () => {
    expectProblem(await patch('/user/2', { supervisor: 9999 }), 'reference-not-found', 'supervisor', '9999')
    expectProblem(await patch('/user/2', { department: 9999 }), 'reference-not-found', 'department', '9999')
    expectProblem(await patch('/v1/role/1', { applicationRef: 9999 }), 'reference-not-found', 'applicationRef', '9999')
  })

  it('decision status: the unique value of another record is 409; the current value of the record is accepted', async () => {
    const [, second, third] = sample.users
    expectProblem(await patch('/user/2', { email: third?.email }), 'value-taken', 'email', third?.email ?? '')
    expectProblem(await patch('/user/2', { email: third?.email.toUpperCase() }), 'value-taken', 'email')
    expectProblem(
      await patch('/v1/user/2', { username: third?.username }),
      'value-taken',
      'username',
      third?.username ?? '',
    )
    const ownEmail = second?.email.toUpperCase() ?? ''
    expect((await patch<User>('/user/2', { email: ownEmail })).body.email).toBe(ownEmail)
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

  it('decision user-rule: two preferences of a user cannot have the same type', async () => {
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
    const created = await post<{ actionRef: number }>('/v1/action', {
      applicationRef: 1,
      name: 'free',
      description: '',
    })
    const moved = await patch<{ applicationRef: number }>(`/v1/action/${created.body.actionRef}`, { applicationRef: 2 })
    expect([moved.status, moved.body.applicationRef]).toEqual([200, 2])
  })
})
