// Lists: the envelope, the minimal shape, pages and their order.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { only, sampleOf, shapes, type UserItem } from './record.ts'
import { type Envelope, expectProblem, expectSuggestion, openOnce } from './service.ts'

const size = 64
const { get, listAll } = openOnce(size)
const { users, departments } = sampleOf(size)
const items = users.map((user) => only(user, shapes.userItem))

type Users = Envelope<UserItem>

const paginated = [
  '/user',
  '/user-summary',
  '/user-detail',
  '/department',
  '/v1/user',
  '/v1/application',
  '/v1/role',
  '/v1/action',
  '/v1/user/1/role',
  '/v1/role/1/action',
  '/v1/application/1/role',
  '/v1/application/1/user',
  '/v1/application/1/user/1/role',
  '/v1/application/1/user/1/action',
  '/v1/application/1/role/1/action',
]

describe('the envelope', () => {
  it.each(paginated)('spec 2.1: every paginated list has exactly pageInfo and results: %s', async (path) => {
    const { status, body } = await get<Envelope<unknown>>(path)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['pageInfo', 'results'])
    expect(body.results).toBeInstanceOf(Array)
    expect(body.results.length).toBeGreaterThan(0)
  })

  it.each(paginated)('spec 2.1: the four numbers of pageInfo are integers: %s', async (path) => {
    const { body } = await get<Envelope<unknown>>(path)
    for (const name of ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'] as const) {
      expect(Number.isInteger(body.pageInfo[name]), name).toBe(true)
    }
  })

  it.each(paginated)(
    'spec 4.3 pagination rule 1: numberOfPages and numberOfRecords count all pages: %s',
    async (path) => {
      const records = await listAll(path)
      const { body } = await get<Envelope<unknown>>(`${path}?pageSize=2&pageNumber=1`)
      expect(body.pageInfo).toMatchObject({
        numberOfRecords: records.length,
        numberOfPages: Math.ceil(records.length / 2),
      })
      expect(body.results).toEqual(records.slice(0, 2))
    },
  )

  it('spec 2.1: pageInfo is present if no record matches a filter', async () => {
    const { body } = await get<Users>('/user?firstName=nobody')
    expect(body).toEqual({
      pageInfo: { pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 },
      results: [],
    })
  })

  it('spec 2.1: results have the list shape of the last collection of the path', async () => {
    const atRoot = await listAll('/v1/user')
    const below = await listAll<UserItem>('/v1/application/1/user')
    expect(below.length).toBeGreaterThan(0)
    expect(atRoot).toEqual(expect.arrayContaining(below))
    const roles = await listAll('/v1/role')
    expect(roles).toEqual(expect.arrayContaining(await listAll('/v1/application/1/user/1/role')))
  })
})

describe('the list of users', () => {
  it('spec 4.1: GET /user accepts pages, include and repeated filters together', async () => {
    const expectedUsers = users.filter(
      ({ id, department, status }) => id === 4 || ([1, 2].includes(department) && status === 'ACTIVE'),
    )
    const { status, body } = await get<Users>(
      '/user?department=1&department=2&status=ACTIVE&include=4&pageSize=5&pageNumber=2',
    )
    expect(status).toBe(200)
    expect(body.pageInfo).toEqual({
      pageSize: 5,
      pageNumber: 2,
      numberOfPages: Math.ceil(expectedUsers.length / 5),
      numberOfRecords: expectedUsers.length,
    })
    expect(body.results).toEqual(expectedUsers.slice(5, 10).map((user) => only(user, shapes.userItem)))
    expect(body.results.length).toBeGreaterThan(0)
  })
})

describe('the list item', () => {
  it('spec 2.2: a user list item has exactly id, firstName, lastName and email', async () => {
    const results = await listAll<UserItem>('/user')
    expect(results).toEqual(items)
    for (const item of results) {
      expect(Object.keys(item).sort()).toEqual([...shapes.userItem].sort())
      expect(Number.isInteger(item.id)).toBe(true)
      expect([typeof item.firstName, typeof item.lastName]).toEqual(['string', 'string'])
      expect(item.email).toMatch(/^[^@\s]+@[^@\s]+\.[^@\s]+$/)
    }
  })

  it('spec 1: a list item has fewer properties than the single record', async () => {
    const { body } = await get<Users>('/user?pageSize=1')
    const single = await get<object>(`/user/${body.results[0]?.id}`)
    expect(single.body).toMatchObject(body.results[0] as UserItem)
    expect(Object.keys(single.body).length).toBeGreaterThan(shapes.userItem.length)
  })
})

describe('pages', () => {
  it('spec 8: the default of pageNumber is 1, and of pageSize 10', async () => {
    const { body } = await get<Users>('/user')
    expect(body.pageInfo).toMatchObject({ pageNumber: 1, pageSize: 10 })
    expect(body.results).toEqual(items.slice(0, 10))
  })

  it('spec 4.3 pagination rule 2: pageSize may be missing', async () => {
    const { body } = await get<Users>('/user?pageNumber=2')
    expect(body.pageInfo).toMatchObject({ pageNumber: 2, pageSize: 10 })
    expect(body.results).toEqual(items.slice(10, 20))
  })

  it('spec 4.3 pagination rule 2: pageNumber may be missing', async () => {
    const { body } = await get<Users>('/user?pageSize=3')
    expect(body.pageInfo).toMatchObject({ pageNumber: 1, pageSize: 3 })
    expect(body.results).toEqual(items.slice(0, 3))
  })

  it('spec 4.3 pagination rule 3: pageInfo echoes the page that was used', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: size + 5 }),
        fc.integer({ min: 1, max: 1000 }),
        async (number, per) => {
          const { body } = await get<Users>(`/user?pageNumber=${number}&pageSize=${per}`)
          expect(body.pageInfo).toEqual({
            pageNumber: number,
            pageSize: per,
            numberOfPages: Math.ceil(size / per),
            numberOfRecords: size,
          })
          expect(body.results).toEqual(items.slice((number - 1) * per, number * per))
        },
      ),
    )
  })

  it('decision page: all pages together are the list, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: size + 1 }), async (per) => {
        const items: UserItem[] = []
        for (let number = 1; number <= Math.ceil(size / per); number++) {
          items.push(...(await get<Users>(`/user?sort=-lastName&pageNumber=${number}&pageSize=${per}`)).body.results)
        }
        expect(items).toEqual(await listAll('/user?sort=-lastName'))
      }),
      { numRuns: 20 },
    )
  })

  it('decision page: a page past the end is empty and keeps the true totals', async () => {
    const { status, body } = await get<Users>('/user?pageNumber=1000000')
    expect(status).toBe(200)
    expect(body).toEqual({
      pageInfo: { pageNumber: 1_000_000, pageSize: 10, numberOfPages: Math.ceil(size / 10), numberOfRecords: size },
      results: [],
    })
  })

  it('decision page: the last page may be the largest safe integer', async () => {
    const { status, body } = await get<Users>(`/user?pageNumber=${Number.MAX_SAFE_INTEGER}&pageSize=1000`)
    expect([status, body.pageInfo?.pageNumber, body.results]).toEqual([200, Number.MAX_SAFE_INTEGER, []])
  })

  it('decision page: an empty list has 0 pages', async () => {
    const { body } = await get<Users>('/v1/role/5/action')
    expect(body.pageInfo).toEqual({ pageSize: 10, pageNumber: 1, numberOfPages: 0, numberOfRecords: 0 })
  })

  it('decision page: a pageSize over the maximum is rejected, and the problem has the maximum', async () => {
    expect((await get<Users>('/user?pageSize=1000')).body.pageInfo.pageSize).toBe(1000)
    const { detail, hint } = expectProblem(await get('/user?pageSize=1001'), 'invalid-parameter', 'pageSize', '1001')
    expect(`${detail} ${hint}`).toMatch(/1,?000/)
  })

  const unfit = [
    '0',
    '-1',
    '00',
    '-0',
    '1.5',
    '1.0',
    '1e3',
    '1e0',
    '0x10',
    '%2B1',
    '%201',
    '1%20',
    '',
    'one',
    'NaN',
    '٣',
  ]
  it.each(['pageNumber', 'pageSize'].flatMap((name) => unfit.map((value) => [name, value] as const)))(
    'decision integers: a page parameter must be an integer from 1, in digits: %s=%s',
    async (name, value) => {
      expectProblem(await get(`/user?${name}=${value}`), 'invalid-parameter', name, decodeURIComponent(value))
    },
  )

  it.each([
    ['pageNumber', '9007199254740992'],
    ['pageSize', '9007199254740992'],
    ['pageNumber', '9'.repeat(400)],
    ['pageSize', '9'.repeat(400)],
  ])('decision integers: a page parameter beyond safe integers is rejected: %s', async (name, value) => {
    expectProblem(await get(`/user?${name}=${value}`), 'invalid-parameter', name)
  })

  it.each(['pageNumber', 'pageSize'])('decision integers: %s is allowed at most once', async (name) => {
    expectProblem(await get(`/user?${name}=1&${name}=1`), 'invalid-parameter', name)
    expectProblem(await get(`/user?${name}=1&${name}=2`), 'invalid-parameter', name)
  })

  it('decision integers: leading zeros do not count', async () => {
    expect((await get<Users>('/user?pageNumber=007&pageSize=05')).body.pageInfo).toMatchObject({
      pageNumber: 7,
      pageSize: 5,
    })
  })
})

describe('order', () => {
  it('decision order: the default order is by ascending ID', async () => {
    expect((await listAll<UserItem>('/user')).map(({ id }) => id)).toEqual(users.map(({ id }) => id))
    const roles = await listAll<{ roleRef: number }>('/v1/role')
    expect(roles.map(({ roleRef }) => roleRef)).toEqual(roles.map((_, index) => index + 1))
  })

  type StoredUser = (typeof users)[number]
  const properties = shapes.user
  /** Compares values: null first, texts by code point. */
  const compare = (left: StoredUser[keyof StoredUser], right: StoredUser[keyof StoredUser]): number => {
    if (left === right) return 0
    if (left === null || right === null) return left === null ? -1 : 1
    if (typeof left === 'number') return left - (right as number)
    return Buffer.compare(Buffer.from(`${left}`), Buffer.from(`${right}`))
  }
  const sorted = (keys: readonly string[]) =>
    [...users].sort((left, right) => {
      for (const key of [...keys, 'id']) {
        const name = key.replace(/^-/, '') as keyof StoredUser
        const order = compare(left[name], right[name])
        if (order !== 0) return key.startsWith('-') ? -order : order
      }
      return 0
    })

  it.each(properties)(
    'decision order: sort by %s, ascending and descending, uses the ID for equal values',
    async (name) => {
      for (const key of [name, `-${name}`]) {
        const items = await listAll<UserItem>(`/user?sort=${key}`)
        expect(items.map(({ id }) => id)).toEqual(sorted([key]).map(({ id }) => id))
      }
    },
  )

  it('decision order: a repeated sort uses the first key first', async () => {
    const key = fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...properties)).map(([sign, name]) => sign + name)
    await fc.assert(
      fc.asyncProperty(fc.array(key, { minLength: 1, maxLength: 4 }), async (keys) => {
        const items = await listAll<UserItem>(`/user?${keys.map((key) => `sort=${key}`).join('&')}`)
        expect(items.map(({ id }) => id)).toEqual(sorted(keys).map(({ id }) => id))
      }),
      { numRuns: 40 },
    )
  })

  it('decision order: sort uses the property name of the api', async () => {
    const items = await listAll<UserItem>('/v1/user?sort=-createdDate&sort=username')
    expect(items.map(({ id }) => id)).toEqual(sorted(['-created', 'username']).map(({ id }) => id))
    expectProblem(await get('/v1/user?sort=created'), 'invalid-parameter', 'created')
  })

  it('decision order: null comes first ascending and last descending', async () => {
    const supervisors = async (key: string) => {
      const items = await listAll<UserItem>(`/user?sort=${key}`)
      return items.map(({ id }) => users[id - 1]?.supervisor)
    }
    expect((await supervisors('supervisor'))[0]).toBeNull()
    expect((await supervisors('-supervisor')).at(-1)).toBeNull()
  })

  it.each([
    'lastname',
    'password',
    '',
    '-',
    '--lastName',
    'lastName,firstName',
    '+lastName',
    '__proto__',
    'constructor',
  ])('decision order: a sort by an unknown property is rejected: %s', async (key) => {
    expectProblem(await get(`/user?sort=${encodeURIComponent(key)}`), 'invalid-parameter', 'sort')
  })

  it('decision order: a misspelled sort key gets a suggestion', async () => {
    const problem = expectProblem(await get('/user?sort=lastname'), 'invalid-parameter', 'lastname')
    expectSuggestion(problem, 'lastName')
  })

  it('decision text: text is ordered by code point', async () => {
    const names = departments.filter(({ retired }) => !retired).map(({ name }) => name)
    const items = await listAll<{ name: string }>('/department?sort=name')
    expect(items.map(({ name }) => name)).toEqual(names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })
})

describe('plain arrays', () => {
  it('spec 4.1: the preferences of a user are a plain array', async () => {
    const { status, body } = await get<unknown[]>('/user/1/preference')
    expect(status).toBe(200)
    expect(body).toBeInstanceOf(Array)
    expect(body.length).toBeGreaterThan(1)
  })

  it('spec 4.1: a user without preferences has an empty array', async () => {
    expect((await get('/user/3/preference')).body).toEqual([])
  })

  it.each(['pageNumber', 'pageSize'])('decision plain-array: %s is rejected on a plain array', async (name) => {
    const { detail } = expectProblem(await get(`/user/1/preference?${name}=1`), 'unknown-parameter', name)
    expect(detail).toContain('preference')
  })

  it('decision plain-array: a plain array supports filters, sort and include', async () => {
    const preferences = (await get<{ id: number; type: string }[]>('/user/1/preference')).body
    const types = (await get<{ type: string }[]>('/user/1/preference?type=theme&type=language&sort=-type')).body
    expect(types.map(({ type }) => type)).toEqual(['theme', 'language'])
    const [first] = preferences
    const included = (await get<{ id: number }[]>(`/user/1/preference?type=theme&include=${first?.id}`)).body
    expect(included.map(({ id }) => id)).toEqual([first?.id, preferences.find(({ type }) => type === 'theme')?.id])
  })
})
