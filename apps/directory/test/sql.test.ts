// SQL in every string: stored and answered unchanged, matched exactly, and never run.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AccessUser,
  type Action,
  newUser,
  type Preference,
  type Role,
  sampleOf,
  type User,
  type UserItem,
} from './record.ts'
import { expectProblem, openedOnce } from './service.ts'
import { changingNothing } from './unchanged.ts'

const service = openedOnce(5)
const { get, post, patch, put, all } = service
const query = (name: string, value: string) => new URLSearchParams({ [name]: value }).toString()
const sample = sampleOf(5)

const attacks = [
  "'",
  "''",
  '"',
  '`',
  "' or '1'='1",
  "' OR 1=1 --",
  '" or ""="',
  "'; drop table user; --",
  "x'); delete from user; --",
  "' union select * from user --",
  '1; update user set status = "SUSPENDED"',
  '\\',
  "\\'",
  '%',
  '_',
  '?',
  '?1',
  ':id',
  '@id',
  '$1',
  '{{7*7}}',
  '/* */',
  '--',
  'null',
  'NULL',
  'true',
  '0x41',
  "x'41'",
  'a\nb\r\n\tc',
]

describe('SQL in strings', () => {
  it.each(attacks)('sql: %j is stored, answered and matched as it is', async (text) => {
    const name = `sql.${attacks.indexOf(text)}`
    const given = newUser(name, { firstName: text, lastName: text, phone: text, extension: text })
    const made = await post<User>('/user', given)
    expect([made.status, made.body]).toEqual([201, { ...made.body, ...given }])
    const { id } = made.body
    expect((await get<User>(`/user/${id}`)).body).toEqual(made.body)
    for (const property of ['firstName', 'lastName', 'phone', 'extension']) {
      expect((await all<UserItem>(`/user?${query(property, text)}`)).map((user) => user.id)).toEqual([id])
    }
    expect((await all<UserItem>(`/user?${query('search', text)}&id=${id}`)).map((user) => user.id)).toEqual([id])
    const args = { username: text, avatarColor: text }
    expect((await patch<AccessUser>(`/v1/user/${id}`, args)).body).toMatchObject(args)
    expect((await get<AccessUser>(`/v1/user/by-username/${encodeURIComponent(text)}`)).body.id).toBe(id)
    expect((await all<UserItem>(`/v1/user?${query('avatarColor', text)}`)).map((user) => user.id)).toEqual([id])
  })

  it.each(attacks)('sql: %j is stored in every other noun as it is', async (text) => {
    const role = await post<Role>('/v1/role', { applicationRef: 1, name: text, description: text })
    expect((await all<Role>(`/v1/role?${query('name', text)}`)).map(({ roleRef }) => roleRef)).toEqual([
      role.body.roleRef,
    ])
    expect((await all<Role>(`/v1/application/1/role?${query('description', text)}`)).length).toBe(1)
    const action = await post<Action>('/v1/action', { applicationRef: 1, name: text, description: text })
    expect((await put<Action>(`/v1/action/${action.body.actionRef}`, action.body)).body).toEqual(action.body)
    const preference = await post<Preference>('/user/3/preference', { type: text, value: text })
    expect((await get<Preference[]>(`/user/3/preference?${query('type', text)}`)).body).toEqual([preference.body])
    expect((await get<Preference[]>(`/user/3/preference?${query('value', text)}`)).body).toEqual([preference.body])
    const department = await post<{ id: number }>('/department', { name: text })
    const named = (await all<{ id: number }>(`/department?${query('name', text)}`)).map(({ id }) => id)
    expect(named).toEqual([department.body.id])
  })

  it('sql: the tables are still there', async () => {
    for (const { id, email } of sample.users) expect((await get<User>(`/user/${id}`)).body.email).toBe(email)
  })

  it.each(attacks)('sql: %j in a path or a parameter finds nothing, and changes nothing', async (text) => {
    await changingNothing(service, async () => {
      const part = encodeURIComponent(text)
      expect((await get(`/user/${part}`)).status).toBe(404)
      expect((await get(`/user/1${part}`)).status).toBe(404)
      expect((await get(`/user/by-email/${part}`)).status).toBe(404)
      expect((await get(`/v1/application/by-guid/${part}`)).status).toBe(404)
      expectProblem(await get(`/user?${query('sort', text)}`), 'invalid-parameter', 'sort')
      expectProblem(await get(`/user?${query('pageSize', text)}`), 'invalid-parameter', 'pageSize')
      expectProblem(await get(`/user?${query('include', text)}`), 'invalid-parameter', 'include')
      expectProblem(await get(`/user?${query('id', text)}`), 'invalid-parameter', 'id')
      expectProblem(await get(`/user?${query(text, '1')}`), 'unknown-parameter')
      expect((await get<{ results: unknown[] }>(`/user?${query('created', text)}`)).body.results).toEqual([])
    })
  })

  it('sql: any text comes back as it was', async () => {
    const quote = fc.constantFrom("'", '"', '`', '\\', '%', '_', ';', '-', '?', ' ', 'or', '\n', 'é')
    await fc.assert(
      fc.asyncProperty(fc.array(quote, { minLength: 1, maxLength: 12 }), async (parts) => {
        const lastName = `~${parts.join('')}`
        await patch('/user/4', { lastName })
        expect((await get<User>('/user/4')).body.lastName).toBe(lastName)
        expect((await all<UserItem>(`/user?${query('lastName', lastName)}`)).map(({ id }) => id)).toEqual([4])
        expect((await all<UserItem>(`/user?${query('search', lastName)}`)).map(({ id }) => id)).toEqual([4])
      }),
      { numRuns: 80 },
    )
  })
})
