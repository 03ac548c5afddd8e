// The lists of one noun: default, detail and summary.
import { describe, expect, it } from 'vitest'
import { only, sampleOf, shapes, type User, type UserDetail, type UserItem } from './record.ts'
import { type Envelope, expectProblem, openOnce } from './service.ts'

const size = 30
const { get, listAll } = openOnce(size)
const { users, departments } = sampleOf(size)

describe('the variants of a list', () => {
  it('spec 4.2 rule 2: the list without a suffix has the minimal shape', async () => {
    expect(await listAll('/user')).toEqual(users.map((user) => only(user, shapes.userItem)))
  })

  it('spec 4.2: /user-summary has a smaller shape than /user', async () => {
    expect(await listAll('/user-summary')).toEqual(users.map((user) => only(user, shapes.userSummary)))
  })

  it('spec 4.2: /user-detail extends the default shape', async () => {
    const details = await listAll<UserDetail>('/user-detail')
    expect(details.length).toBe(size)
    for (const [index, detail] of details.entries()) {
      expect(Object.keys(detail).sort()).toEqual([...shapes.user].sort())
      expect(detail).toMatchObject(only(users[index] as User, shapes.userItem))
    }
  })

  it('spec 2.6 rule 6: a list for display shows the label of a reference', async () => {
    const fullName = (id: number | null) =>
      id === null ? null : `${users[id - 1]?.firstName} ${users[id - 1]?.lastName}`
    expect(await listAll('/user-detail')).toEqual(
      users.map((user) => ({
        ...only(user, shapes.user),
        department: departments[user.department - 1]?.name,
        supervisor: fullName(user.supervisor),
      })),
    )
  })

  it('spec 2.6 rule 6: a form shows the ID of a reference, and loads the options with a separate request', async () => {
    const { body } = await get<User>('/user/14')
    expect(body.department).toBe(8)
    const options = await listAll<{ id: number }>(`/department?include=${body.department}`)
    expect(options.map(({ id }) => id)).toContain(8)
  })

  it('spec 2.6 rule 6: no property of any record is an object or an array', async () => {
    const urls = [
      '/user',
      '/user-summary',
      '/user-detail',
      '/department',
      '/v1/user',
      '/v1/application',
      '/v1/role',
      '/v1/action',
    ]
    for (const url of urls) for (const record of await listAll<object>(url)) expectFlat(record)
    for (const url of ['/user/1', '/v1/user/1', '/department/1', '/v1/application/1', '/v1/role/1', '/v1/action/1']) {
      expectFlat((await get<object>(url)).body)
    }
    for (const preference of (await get<object[]>('/user/1/preference')).body) expectFlat(preference)
  })

  it.each(['/user-summary', '/user-detail'])(
    'decision list-variant: %s has the same pages and order as the list',
    async (path) => {
      const query = 'sort=-email&pageSize=4&pageNumber=2&status=ACTIVE&search=a&include=4'
      const plain = (await get<Envelope<UserItem>>(`/user?${query}`)).body
      const variant = (await get<Envelope<UserItem>>(`${path}?${query}`)).body
      expect(variant.pageInfo).toEqual(plain.pageInfo)
      expect(variant.results.map(({ id }) => id)).toEqual(plain.results.map(({ id }) => id))
    },
  )

  it('decision list-variant: /user-detail filters and sorts references by ID, not by label', async () => {
    expectProblem(await get(`/user-detail?department=${departments[0]?.name}`), 'invalid-parameter', 'department')
    const ids = (await listAll<UserDetail>('/user-detail?sort=department')).map(
      ({ id }) => users[id - 1]?.department ?? 0,
    )
    expect(ids).toEqual([...ids].sort((left, right) => left - right))
  })

  it.each(['/user-summary/1', '/user-detail/1', '/department-summary', '/v1/user-detail', '/v1/user-summary'])(
    'decision list-variant: only declared variants exist, and only as lists: %s',
    async (url) => {
      expectProblem(await get(url), 'path-not-found', url)
    },
  )
})

function expectFlat(record: object): void {
  for (const [name, value] of Object.entries(record))
    expect(value === null || typeof value !== 'object', name).toBe(true)
}
