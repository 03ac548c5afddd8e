// Single records: complete shapes, lookups by a unique property, and missing records.
import { describe, expect, it } from 'vitest'
import {
  type AccessUser,
  asAccessUser,
  newUser,
  only,
  type Preference,
  sampleOf,
  shapes,
  timestampForm,
  type User,
} from './record.ts'
import { expectProblem, openOnce } from './service.ts'

const { get, post, head, listAll } = openOnce()
const sample = sampleOf()
const { users } = sample

/** The name of a JSON type in the tables of the conventions. */
const typeOf = (value: unknown) => (value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value)

describe('the user', () => {
  it('spec 2.3: a user has exactly the eleven properties of the detail shape', async () => {
    for (const user of users) {
      const { status, body } = await get<User>(`/user/${user.id}`)
      expect(status).toBe(200)
      expect(body).toEqual(only(user, shapes.user))
      expect(Object.keys(body).length).toBe(11)
    }
  })

  const types = {
    id: ['integer'],
    firstName: ['string'],
    lastName: ['string'],
    email: ['string'],
    phone: ['string'],
    extension: ['string'],
    status: ['string'],
    department: ['integer'],
    supervisor: ['integer', 'null'],
    created: ['string'],
    lastUpdated: ['string'],
  }
  it.each(Object.entries(types))('spec 2.3: %s of a user has the type %s', async (name, allowedTypes) => {
    for (const { id } of users) {
      const { body } = await get<Record<string, unknown>>(`/user/${id}`)
      expect(allowedTypes).toContain(typeOf(body[name]))
    }
  })

  it('spec 2.3: status is ACTIVE or SUSPENDED', async () => {
    const statuses = await Promise.all(users.map(async ({ id }) => (await get<User>(`/user/${id}`)).body.status))
    expect([...new Set(statuses)].sort()).toEqual(['ACTIVE', 'SUSPENDED'])
  })

  it('spec 2.3: department refers to a department, supervisor to another user', async () => {
    for (const { id } of users) {
      const { body } = await get<User>(`/user/${id}`)
      expect((await get(`/department/${body.department}`)).status).toBe(200)
      if (body.supervisor === null) continue
      expect(body.supervisor).not.toBe(id)
      expect((await get(`/user/${body.supervisor}`)).status).toBe(200)
    }
  })

  it('spec 2.3: created and lastUpdated are UTC with milliseconds', async () => {
    for (const { id } of users) {
      const { created, lastUpdated } = (await get<User>(`/user/${id}`)).body
      for (const time of [created, lastUpdated]) {
        expect(time).toMatch(timestampForm)
        expect(new Date(time).toISOString()).toBe(time)
      }
    }
  })

  it('spec 2.3: a user does not contain its preferences', async () => {
    expect((await get('/user/1')).body).not.toHaveProperty('preference')
    expect((await get('/user/1')).body).not.toHaveProperty('preferences')
    expect((await get<unknown[]>('/user/1/preference')).body.length).toBeGreaterThan(0)
  })
})

describe('the single record', () => {
  it('spec 4.1: GET /user/{id} is the user detail, or 404', async () => {
    expect((await get('/user/1')).body).toEqual(only(users[0] as (typeof users)[number], shapes.user))
    expectProblem(await get('/user/21'), 'record-not-found', '21')
  })

  it('spec 4.2: /{noun}/{identity} is the complete shape, which contains the properties of every list', async () => {
    for (const [list, single] of [
      ['/user', '/user/1'],
      ['/user-summary', '/user/1'],
      ['/department', '/department/1'],
      ['/v1/user', '/v1/user/1'],
      ['/v1/application', '/v1/application/1'],
      ['/v1/role', '/v1/role/1'],
      ['/v1/action', '/v1/action/1'],
    ] as const) {
      const [first] = await listAll<object>(list)
      expect((await get<object>(single)).body).toMatchObject(first ?? {})
    }
  })
})

describe('the preference', () => {
  it('spec 2.4: a preference has exactly id, type, enabled and value', async () => {
    const stored = sample.preferences.filter(({ user }) => user === 1)
    const { body } = await get<Preference[]>('/user/1/preference')
    expect(body).toEqual(stored.map((preference) => only(preference, shapes.preference)))
  })

  it('spec 2.4: id is an integer, type a string, enabled a boolean or null, value a string or null', async () => {
    for (const preference of (await get<Preference[]>('/user/1/preference')).body) {
      expect([typeOf(preference.id), typeOf(preference.type)]).toEqual(['integer', 'string'])
      expect(['boolean', 'null']).toContain(typeOf(preference.enabled))
      expect(['string', 'null']).toContain(typeOf(preference.value))
    }
  })

  it('spec 2.4: exactly one of enabled and value is null', async () => {
    const { body } = await get<Preference[]>('/user/1/preference')
    const kinds = body.map(({ enabled, value }) => `${typeOf(enabled)} ${typeOf(value)}`)
    expect(new Set(kinds)).toEqual(new Set(['boolean null', 'null string']))
  })

  it('decision nesting: a single preference can be read below its user', async () => {
    const [first] = (await get<Preference[]>('/user/1/preference')).body
    const { status, body } = await get(`/user/1/preference/${first?.id}`)
    expect([status, body]).toEqual([200, first])
  })
})

describe('the user of v1', () => {
  it('spec 2.5: a user of v1 has exactly the ten properties of User', async () => {
    for (const user of users) {
      const { body } = await get<AccessUser>(`/v1/user/${user.id}`)
      expect(body).toEqual(asAccessUser(user))
      expect(Object.keys(body).length).toBe(10)
    }
  })

  const types = {
    id: ['integer'],
    firstName: ['string'],
    lastName: ['string'],
    username: ['string'],
    email: ['string'],
    avatarColor: ['string', 'null'],
    createdDate: ['string', 'null'],
    createdBy: ['integer', 'null'],
    updatedDate: ['string', 'null'],
    updatedBy: ['integer', 'null'],
  }
  it.each(Object.entries(types))('spec 2.5: %s of a user of v1 has the type %s', async (name, allowedTypes) => {
    for (const { id } of users) {
      const { body } = await get<Record<string, unknown>>(`/v1/user/${id}`)
      expect(allowedTypes).toContain(typeOf(body[name]))
    }
  })

  it('spec 2.5: both apis show the same stored user', async () => {
    const created = await post<User>('/user', newUser('both.views'))
    const { body } = await get<AccessUser>(`/v1/user/${created.body.id}`)
    expect(body).toEqual({
      ...only(created.body, shapes.userItem),
      username: 'both.views@example.com',
      avatarColor: null,
      createdDate: created.body.created,
      createdBy: null,
      updatedDate: created.body.lastUpdated,
      updatedBy: null,
    })
  })

  it('decision directory: a list item of /v1/user has exactly id, firstName, lastName, username and email', async () => {
    const [first] = await listAll('/v1/user?id=1')
    expect(first).toEqual(only(users[0] as (typeof users)[number], shapes.accessUserItem))
  })
})

describe('the other nouns', () => {
  it.each([
    ['/department/8', sample.departments[7], shapes.department],
    ['/v1/application/1', sample.applications[0], shapes.application],
    ['/v1/role/3', sample.roles[2], shapes.role],
    ['/v1/action/5', sample.actions[4], shapes.action],
  ])('decision directory: %s has exactly its declared properties', async (url, expected, names) => {
    const { status, body } = await get<object>(url)
    expect([status, body]).toEqual([200, expected])
    expect(Object.keys(body).sort()).toEqual([...names].sort())
  })
})

describe('by another unique property', () => {
  it('spec 4.2: /{noun}/by-{field}/{value} returns the complete record', async () => {
    for (const user of users) {
      const byEmail = await get(`/user/by-email/${encodeURIComponent(user.email)}`)
      expect([byEmail.status, byEmail.body]).toEqual([200, only(user, shapes.user)])
      const byUsername = await get(`/v1/user/by-username/${encodeURIComponent(user.username)}`)
      expect([byUsername.status, byUsername.body]).toEqual([200, asAccessUser(user)])
    }
    for (const application of sample.applications) {
      expect((await get(`/v1/application/by-guid/${application.guid}`)).body).toEqual(application)
    }
  })

  it('decision by-field: an e-mail address and a GUID are found in any case', async () => {
    const user = users[0] as (typeof users)[number]
    expect((await get<User>(`/user/by-email/${user.email.toUpperCase()}`)).body.id).toBe(1)
    const [application] = sample.applications
    expect((await get(`/v1/application/by-guid/${application?.guid.toUpperCase()}`)).body).toEqual(application)
  })

  it('decision by-field: a username is found only in its exact letter case', async () => {
    const { username } = users[0] as (typeof users)[number]
    expect(username.toUpperCase()).not.toBe(username)
    expectProblem(await get(`/v1/user/by-username/${username.toUpperCase()}`), 'record-not-found')
  })

  it('spec 7: a by-{field} path without a match is 404', async () => {
    expectProblem(await get('/user/by-email/nobody@example.com'), 'record-not-found', 'nobody@example.com')
    expectProblem(await get('/v1/user/by-username/nobody'), 'record-not-found', 'nobody')
    const guid = '00000000-0000-4000-8000-000000000000'
    expectProblem(await get(`/v1/application/by-guid/${guid}`), 'record-not-found', guid)
    expectProblem(await get('/v1/application/by-guid/no-guid'), 'record-not-found', 'no-guid')
    expectProblem(await get('/user/by-email/no%20address'), 'record-not-found', 'no address')
  })

  it('decision by-field: a value may contain any character, percent-encoded', async () => {
    const created = await post<User>('/user', newUser("o'brien+news/5%"))
    expect(created.status).toBe(201)
    const { body } = await get<User>(`/user/by-email/${encodeURIComponent("o'brien+news/5%@example.com")}`)
    expect(body.id).toBe(created.body.id)
  })
})

describe('a missing record', () => {
  it.each([
    '/user/9999',
    '/user/0',
    '/user/-1',
    '/department/9999',
    '/v1/user/9999',
    '/v1/application/9999',
    '/v1/role/9999',
    '/v1/action/9999',
    '/user/1/preference/9999',
    '/user/9999/preference',
    '/user/9999/preference/1',
  ])('spec 7: a record that does not exist is 404: %s', async (url) => {
    const id = /-?\d+/.exec(url.replace('/v1', '').replace('/1/', '/'))?.[0] ?? ''
    expectProblem(await get(url), 'record-not-found', id)
  })

  it.each([
    'one',
    '1.0',
    '1e0',
    '%201',
    '1%20',
    '+1',
    '0x1',
    'null',
    '9007199254740992',
    '-9007199254740992',
    '9'.repeat(90),
  ])('decision path-identity: an ID that is not a safe integer is 404: %s', async (id) => {
    for (const url of [`/user/${id}`, `/v1/role/${id}`, `/user/${id}/preference`, `/v1/application/1/role/${id}`]) {
      expect((await get(url)).status).toBe(404)
    }
  })

  it('decision path-identity: leading zeros are ignored', async () => {
    expect((await get<User>('/user/007')).body.id).toBe(7)
  })

  it.each([
    '/',
    '/nothing',
    '/user/1/nothing',
    '/user/1/preference/1/nothing',
    '/v1',
    '/v1/department',
    '/v2/user',
    '/USER',
    '/v1/User',
    '/user-',
    '/preference',
  ])('decision path: an unknown path is 404: %s', async (url) => {
    expectProblem(await get(url), 'path-not-found', url)
  })

  it.each([
    '/user/',
    '/user/1/',
    '/v1/role/',
    '/user/1/preference/',
    '/user/by-email/',
    '/user//1',
    '/user//preference',
  ])('decision http: a trailing or doubled slash is 404: %s', async (url) => {
    expectProblem(await get(url), 'path-not-found', url)
  })
})

describe('HEAD', () => {
  it.each([
    '/user',
    '/user/1',
    '/user/1/preference',
    '/user/by-email/nobody@example.com',
    '/user/9999',
    '/user?x=1',
    '/nothing',
  ])('decision http: HEAD responds like GET, without the body: %s', async (url) => {
    const getResponse = await get(url)
    const headResponse = await head(url)
    expect(headResponse.text).toBe('')
    expect(headResponse.status).toBe(getResponse.status)
    for (const name of ['content-type', 'content-length', 'etag'])
      expect(headResponse.headers[name], name).toBe(getResponse.headers[name])
  })
})
