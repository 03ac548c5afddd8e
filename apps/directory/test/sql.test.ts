// SQL in every string: stored and returned unchanged, matched exactly, and never run.
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
import { expectProblem, openOnce } from './service.ts'
import { expectUnchanged } from './unchanged.ts'

const service = openOnce(5)
const { get, post, patch, put, listAll } = service
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
  it.each(attacks)('sql: %j is stored, returned and matched unchanged', async (text) => {
    const name = `sql.${attacks.indexOf(text)}`
    const newRecord = newUser(name, { firstName: text, lastName: text, phone: text, extension: text })
    const created = await post<User>('/user', newRecord)
    expect([created.status, created.body]).toEqual([201, { ...created.body, ...newRecord }])
    const { id } = created.body
    expect((await get<User>(`/user/${id}`)).body).toEqual(created.body)
    for (const property of ['firstName', 'lastName', 'phone', 'extension']) {
      expect((await listAll<UserItem>(`/user?${query(property, text)}`)).map((user) => user.id)).toEqual([id])
    }
    expect((await listAll<UserItem>(`/user?${query('search', text)}&id=${id}`)).map((user) => user.id)).toEqual([id])
    const args = { username: text, avatarColor: text }
    expect((await patch<AccessUser>(`/v1/user/${id}`, args)).body).toMatchObject(args)
    expect((await get<AccessUser>(`/v1/user/by-username/${encodeURIComponent(text)}`)).body.id).toBe(id)
    expect((await listAll<UserItem>(`/v1/user?${query('avatarColor', text)}`)).map((user) => user.id)).toEqual([id])
  })

  it.each(attacks)('sql: %j is stored unchanged in every other noun', async (text) => {
    const role = await post<Role>('/v1/role', { applicationRef: 1, name: text, description: text })
    expect((await listAll<Role>(`/v1/role?${query('name', text)}`)).map(({ roleRef }) => roleRef)).toEqual([
      role.body.roleRef,
    ])
    expect((await listAll<Role>(`/v1/application/1/role?${query('description', text)}`)).length).toBe(1)
    const action = await post<Action>('/v1/action', { applicationRef: 1, name: text, description: text })
    expect((await put<Action>(`/v1/action/${action.body.actionRef}`, action.body)).body).toEqual(action.body)
    const preference = await post<Preference>('/user/3/preference', { type: text, value: text })
    expect((await get<Preference[]>(`/user/3/preference?${query('type', text)}`)).body).toEqual([preference.body])
    expect((await get<Preference[]>(`/user/3/preference?${query('value', text)}`)).body).toEqual([preference.body])
    const department = await post<{ id: number }>('/department', { name: text })
    const departmentIds = (await listAll<{ id: number }>(`/department?${query('name', text)}`)).map(({ id }) => id)
    expect(departmentIds).toEqual([department.body.id])
  })

  it('sql: the tables still exist', async () => {
    for (const { id, email } of sample.users) expect((await get<User>(`/user/${id}`)).body.email).toBe(email)
  })

  it.each(attacks)('sql: %j in a path or a parameter matches no record, and changes nothing', async (text) => {
    await expectUnchanged(service, async () => {
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
      expectProblem(await get(`/user?${query('created', text)}`), 'invalid-parameter', 'created')
      expect((await get<{ results: unknown[] }>(`/user?${query('email', text)}`)).body.results).toEqual([])
    })
  })

  it('sql: any string is returned unchanged', async () => {
    const quote = fc.constantFrom("'", '"', '`', '\\', '%', '_', ';', '-', '?', ' ', 'or', '\n', 'é')
    await fc.assert(
      fc.asyncProperty(fc.array(quote, { minLength: 1, maxLength: 12 }), async (parts) => {
        const lastName = `~${parts.join('')}`
        await patch('/user/4', { lastName })
        expect((await get<User>('/user/4')).body.lastName).toBe(lastName)
        expect((await listAll<UserItem>(`/user?${query('lastName', lastName)}`)).map(({ id }) => id)).toEqual([4])
        expect((await listAll<UserItem>(`/user?${query('search', lastName)}`)).map(({ id }) => id)).toEqual([4])
      }),
      { numRuns: 80 },
    )
  })
})
