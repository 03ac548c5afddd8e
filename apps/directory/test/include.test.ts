// include: records that are there whatever the filters say, where they belong.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Department, sampleOf, type UserItem } from './record.ts'
import { type Envelope, expectProblem, openedOnce } from './service.ts'

const size = 60
const { get, all } = openedOnce(size)
const { users } = sampleOf(size)
const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id)
const suspended = idsOf(users.filter(({ status }) => status === 'SUSPENDED'))

it('spec 4.3 include rule 1: an included record is there regardless of every filter', async () => {
  expect(suspended).not.toContain(1)
  const found = idsOf(await all<UserItem>('/user?status=SUSPENDED&department=3&search=nobody&include=1&include=2'))
  expect(found).toEqual([1, 2])
})

it('spec 4.3 include rule 1: an included record is there regardless of the default filter', async () => {
  const without = idsOf(await all<Department>('/department'))
  const found = idsOf(await all<Department>('/department?include=8'))
  expect(without).not.toContain(8)
  expect(found).toEqual([...without, 8].sort((a, b) => a - b))
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

it('spec 4.3 include rule 2: an included record keeps its place in another order', async () => {
  const found = idsOf(await all<UserItem>('/user?department=1&include=4&sort=-id'))
  const expected = idsOf(users.filter(({ id, department }) => department === 1 || id === 4)).reverse()
  expect(found).toEqual(expected)
})

it('spec 4.3: include is a parameter of lists, which all can be filtered, and of nothing else', async () => {
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

it('decision include: an id that does not exist is ignored, and one given twice counts once', async () => {
  expect(
    idsOf(await all<UserItem>('/user?firstName=nobody&include=9999&include=0&include=-3&include=7&include=7')),
  ).toEqual([7])
})

it('decision include: without any filter it changes nothing', async () => {
  expect(await all('/user?include=3')).toEqual(await all('/user'))
})

it('decision include: the list is all filters, or identity in the included, in the same order', async () => {
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
        ...include.map((one) => `include=${one}`),
      ]
      const expected = users.filter(
        (user) =>
          include.includes(user.id) ||
          ((status === undefined || user.status === status) &&
            (department === undefined || user.department === department)),
      )
      expect(idsOf(await all<UserItem>(`/user?${parts.join('&')}`))).toEqual(idsOf(expected))
    }),
    { numRuns: 60 },
  )
})

it('decision include: below a parent it reaches no record of another parent', async () => {
  const own = (await get<{ id: number; type: string }[]>('/user/1/preference')).body
  const other = (await get<{ id: number }[]>('/user/2/preference')).body
  const foreign = other[0]?.id ?? 9999
  const found = (await get<{ id: number }[]>(`/user/1/preference?type=none&include=${own[1]?.id}&include=${foreign}`))
    .body
  expect(idsOf(found)).toEqual([own[1]?.id])
  const roles = await all<{ roleRef: number; applicationRef: number }>('/v1/role')
  const outside = roles.find(({ applicationRef }) => applicationRef !== 1)
  expect(await all(`/v1/application/1/role?name=none&include=${outside?.roleRef}`)).toEqual([])
})

it.each(['', 'one', '1.0', '1,2', ' 1', '__proto__', '9007199254740992'])(
  'decision include: what is no identity is refused: "%s"',
  async (value) => {
    expectProblem(await get(`/user?include=${encodeURIComponent(value)}`), 'invalid-parameter', 'include', value)
  },
)
