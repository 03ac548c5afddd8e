// include: records that a list contains regardless of its filters, in their usual position.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Department, sampleOf, type UserItem } from './record.ts'
import { type Envelope, expectProblem, openOnce } from './service.ts'

const size = 60
const { get, listAll } = openOnce(size)
const { users } = sampleOf(size)
const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id)
const suspended = idsOf(users.filter(({ status }) => status === 'SUSPENDED'))

it('spec 4.3 include rule 1: the list contains an included record regardless of every filter', async () => {
  expect(suspended).not.toContain(1)
  const ids = idsOf(await listAll<UserItem>('/user?status=SUSPENDED&department=3&search=nobody&include=1&include=2'))
  expect(ids).toEqual([1, 2])
})

it('spec 4.3 include rule 1: the list contains an included record regardless of the default filter', async () => {
  const without = idsOf(await listAll<Department>('/department'))
  const ids = idsOf(await listAll<Department>('/department?include=8'))
  expect(without).not.toContain(8)
  expect(ids).toEqual([...without, 8].sort((a, b) => a - b))
})

it('spec 4.3 include rule 2: an included record keeps its natural page', async () => {
  const natural = [...suspended, 60].sort((a, b) => a - b)
  expect(suspended.length).toBeGreaterThan(2)
  const pages = Math.ceil(natural.length / 2)
  for (let pageNumber = 1; pageNumber <= pages; pageNumber++) {
    const { body } = await get<Envelope<UserItem>>(
      `/user?status=SUSPENDED&include=60&pageSize=2&pageNumber=${pageNumber}`,
    )
    expect(idsOf(body.results)).toEqual(natural.slice((pageNumber - 1) * 2, pageNumber * 2))
  }
  const first = await get<Envelope<UserItem>>('/user?status=SUSPENDED&include=60&pageSize=2')
  expect(idsOf(first.body.results)).not.toContain(60)
})

it('spec 4.3 include rule 2: an included record keeps its position with sort', async () => {
  const ids = idsOf(await listAll<UserItem>('/user?department=1&include=4&sort=-id'))
  const expected = idsOf(users.filter(({ id, department }) => department === 1 || id === 4)).reverse()
  expect(ids).toEqual(expected)
})

it('spec 4.3: include is a parameter of every list, and only of lists', async () => {
  for (const url of [
    '/user',
    '/user-summary',
    '/user-detail',
    '/user/1/preference',
    '/v1/role',
    '/v1/application/1/user',
  ]) {
    expect((await get(`${url}?include=1`)).status).toBe(200)
  }
  for (const url of ['/user/1', '/user/by-email/a@example.com', '/v1/application/1/role/1']) {
    expectProblem(await get(`${url}?include=1`), 'unknown-parameter', 'include')
  }
})

it('decision include: an included record counts in the totals', async () => {
  const { body } = await get<Envelope<UserItem>>('/user?firstName=nobody&include=5&include=9&pageSize=1')
  expect(body.pageInfo).toMatchObject({ numberOfRecords: 2, numberOfPages: 2 })
})

it('decision include: an ID that does not exist is ignored, and a repeated ID counts once', async () => {
  expect(
    idsOf(await listAll<UserItem>('/user?firstName=nobody&include=9999&include=0&include=-3&include=7&include=7')),
  ).toEqual([7])
})

it('decision include: it has no effect without a filter', async () => {
  expect(await listAll('/user?include=3')).toEqual(await listAll('/user'))
})

it('decision include: the list has all records that match the filters or are included, in the same order', async () => {
  const id = fc.integer({ min: 1, max: size + 10 })
  const filters = fc.record({
    status: fc.option(fc.constantFrom('ACTIVE', 'SUSPENDED'), { nil: undefined }),
    department: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(id, { maxLength: 6 }), filters, async (include, { status, department }) => {
      const parts = [
        ...(status === undefined ? [] : [`status=${status}`]),
        ...(department === undefined ? [] : [`department=${department}`]),
        ...include.map((id) => `include=${id}`),
      ]
      const expected = users.filter(
        (user) =>
          include.includes(user.id) ||
          ((status === undefined || user.status === status) &&
            (department === undefined || user.department === department)),
      )
      expect(idsOf(await listAll<UserItem>(`/user?${parts.join('&')}`))).toEqual(idsOf(expected))
    }),
    { numRuns: 60 },
  )
})

it('decision include: below a parent, it does not include records of another parent', async () => {
  const ownPreferences = (await get<{ id: number; type: string }[]>('/user/1/preference')).body
  const otherPreferences = (await get<{ id: number }[]>('/user/2/preference')).body
  const foreign = otherPreferences[0]?.id ?? 9999
  const ids = (
    await get<{ id: number }[]>(`/user/1/preference?type=none&include=${ownPreferences[1]?.id}&include=${foreign}`)
  ).body
  expect(idsOf(ids)).toEqual([ownPreferences[1]?.id])
  const roles = await listAll<{ roleRef: number; applicationRef: number }>('/v1/role')
  const outside = roles.find(({ applicationRef }) => applicationRef !== 1)
  expect(await listAll(`/v1/application/1/role?name=none&include=${outside?.roleRef}`)).toEqual([])
})

it.each(['', 'one', '1.0', '1,2', ' 1', '__proto__', '9007199254740992'])(
  'decision include: an invalid ID is rejected: "%s"',
  async (value) => {
    expectProblem(await get(`/user?include=${encodeURIComponent(value)}`), 'invalid-parameter', 'include', value)
  },
)
