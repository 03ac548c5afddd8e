// Filters by property and by declared range, and their values.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filteredSample, idsOf, query } from './filtered-sample.ts'
import { type Department, type Preference, shapes } from './record.ts'
import { expectProblem, expectSuggestion } from './service.ts'

const size = 120
const { get, listAll, sample, users, idsWhere, findIds } = filteredSample(size)

describe('by property', () => {
  it.each(shapes.user)('spec 4.3: every property of the single record filters its list: %s', async (name) => {
    for (const user of users.slice(0, 12)) {
      expect(await findIds(query([[name, user[name]]]))).toEqual(
        idsWhere((candidate) => candidate[name] === user[name]),
      )
    }
  })

  it.each(shapes.accessUser)(
    'spec 4.3: every property of the single record filters its list: /v1/user %s',
    async (name) => {
      const stored = { createdDate: 'created', updatedDate: 'lastUpdated' } as const
      const field = name === 'createdDate' || name === 'updatedDate' ? stored[name] : name
      for (const user of users.slice(0, 12)) {
        const ids = await findIds(query([[name, user[field]]]), '/v1/user')
        expect(ids).toEqual(idsWhere((candidate) => candidate[field] === user[field]))
      }
    },
  )

  it('spec 4.3: a repeated filter matches any of its values', async () => {
    expect(await findIds('status=ACTIVE&status=SUSPENDED')).toEqual(idsOf(users))
    expect(await findIds('department=1&department=3')).toEqual(
      idsWhere(({ department }) => [1, 3].includes(department)),
    )
    expect(await findIds('id=3&id=1&id=3')).toEqual([1, 3])
  })

  it('decision filter: different filters must all match', async () => {
    const ids = await findIds('department=1&status=ACTIVE')
    expect(ids).toEqual(idsWhere(({ department, status }) => department === 1 && status === 'ACTIVE'))
    expect(ids.length).toBeGreaterThan(0)
  })

  it('spec 1: filters are query parameters, alone or together, on any page', async () => {
    const value = fc.tuple(fc.constantFrom(...shapes.user), fc.constantFrom(...users))
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (picked) => {
        const pairs = picked.map(([name, user]) => [name, user[name]] as const)
        const names = new Set(pairs.map(([name]) => name))
        const expected = idsWhere((user) =>
          [...names].every((name) => pairs.some(([parameter, value]) => parameter === name && user[name] === value)),
        )
        expect(await findIds(query(pairs))).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it.each(['/user', '/user-summary', '/user-detail'])(
    'decision list-variant: %s supports the same filters',
    async (path) => {
      const ids = await findIds('department=3&status=ACTIVE&status=SUSPENDED', path)
      expect(ids).toEqual(idsWhere(({ department }) => department === 3))
      expect(await findIds('supervisor=1', path)).toEqual(idsWhere(({ supervisor }) => supervisor === 1))
    },
  )

  it('decision filter: a filter is exact: case, spaces and accents count', async () => {
    const [first] = users
    expect(await findIds(query([['firstName', first?.firstName.toUpperCase()]]))).toEqual([])
    expect(await findIds(query([['firstName', `${first?.firstName} `]]))).toEqual([])
    expect(await findIds(query([['firstName', first?.firstName.slice(0, -1)]]))).toEqual([])
    expect(await findIds(query([['email', first?.email.toUpperCase()]]))).toEqual([])
  })

  it('decision filter: a plus and %20 are both a space', async () => {
    const withSpace = users.find(({ lastName }) => / /.test(lastName))
    expect(withSpace).toBeDefined()
    const name = withSpace?.lastName ?? ''
    const expected = idsWhere(({ lastName }) => lastName === name)
    expect(await findIds(`lastName=${encodeURIComponent(name)}`)).toEqual(expected)
    expect(await findIds(`lastName=${encodeURIComponent(name).replaceAll('%20', '+')}`)).toEqual(expected)
  })

  it('decision empty-filter: an empty value is null for a nullable property', async () => {
    expect(await findIds('supervisor=')).toEqual(idsWhere(({ supervisor }) => supervisor === null))
    expect(await findIds('supervisor=&supervisor=1')).toEqual(
      idsWhere(({ supervisor }) => supervisor === null || supervisor === 1),
    )
    expect(await findIds('avatarColor=', '/v1/user')).toEqual(idsWhere(({ avatarColor }) => avatarColor === null))
    const flags = (await get<Preference[]>('/user/1/preference?value=')).body
    expect(flags.length).toBeGreaterThan(0)
    for (const { enabled, value } of flags) expect([typeof enabled, value]).toEqual(['boolean', null])
  })

  it('decision empty-filter: an empty value is the empty string for a text field that is not nullable', async () => {
    const without = idsWhere(({ phone }) => phone === '')
    expect(without.length).toBeGreaterThan(0)
    expect(await findIds('phone=')).toEqual(without)
    expect(await findIds('phone')).toEqual(without)
    expect(await findIds('firstName=')).toEqual([])
  })

  it('decision filter: the values of a boolean filter are exactly true and false', async () => {
    expect(idsOf(await listAll<Department>('/department?retired=true'))).toEqual([8, 13])
    for (const value of ['TRUE', '1', 'yes', '', 'null']) {
      expectProblem(await get(`/department?retired=${value}`), 'invalid-parameter', 'retired', value)
    }
  })

  it.each([
    ['id', 'one'],
    ['id', '1.0'],
    ['id', '1e3'],
    ['id', ' 1'],
    ['id', '+1'],
    ['id', ''],
    ['id', '9007199254740992'],
    ['id', '-9007199254740992'],
    ['department', 'Sales'],
    ['department', ''],
    ['supervisor', 'null'],
    ['supervisor', '1,2'],
    ['status', 'active'],
    ['status', 'RETIRED'],
    ['status', ''],
    ['created', ''],
    ['created', 'yesterday'],
    ['created', '2026-13-45T99:00:00Z'],
    ['created', '2026-02-30T00:00:00Z'],
    ['lastUpdated', 'foo'],
  ])('decision filter: a value of the wrong type or outside a choice is rejected: %s=%s', async (name, value) => {
    expectProblem(await get(`/user?${query([[name, value]])}`), 'invalid-parameter', name, value)
  })

  it.each(['x', '', '0b2f8c1e', '{0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10}'])(
    'decision filter: a text that is not a guid is rejected: %s',
    async (value) => {
      const url = `/v1/application?${query([['guid', value]])}`
      expectProblem(await get(url), 'invalid-parameter', 'must be a guid such as', value)
    },
  )

  it('decision filter: a date is not a timestamp, and the hint names the range of the whole day', async () => {
    const response = await get<{ hint?: string }>('/user?created=2026-11-15')
    expectProblem(response, 'invalid-parameter', 'must be a timestamp such as 2026-11-15T03:29:00.000Z', '2026-11-15')
    expect(response.body.hint).toBe(
      'For a whole day, use createdOrUpdatedFrom=2026-11-15&createdOrUpdatedTo=2026-11-16.',
    )
  })

  it.each([
    ['email', 'no address at all'],
    ['id', '-1'],
    ['id', '0'],
    ['id', '9007199254740991'],
    ['id', '-9007199254740991'],
    ['department', '999'],
  ])(
    'decision filter: a value of the right type is never checked for limits or existence: %s=%s',
    async (name, value) => {
      const response = await get<{ results: unknown[] }>(`/user?${query([[name, value]])}`)
      expect([response.status, response.body.results]).toEqual([200, []])
    },
  )

  it('decision filter: a timestamp equals itself in any notation', async () => {
    const { id, created } = users[5] as (typeof users)[number]
    const shifted = new Date(Date.parse(created) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    expect(await findIds(query([['created', shifted]]))).toContain(id)
    expect(await findIds(query([['created', created.replace('Z', '0000Z')]]))).toContain(id)
  })

  it('decision filter: a guid is compared without regard to case', async () => {
    const [first] = sample.applications
    const applications = await listAll<{ applicationRef: number }>(`/v1/application?guid=${first?.guid.toUpperCase()}`)
    expect(applications.map(({ applicationRef }) => applicationRef)).toEqual([1])
  })

  it('decision integers: an integer in the query may have leading zeros', async () => {
    expect(await findIds('id=007')).toEqual([7])
  })

  it('spec 2.6 rule 4: a filter has the name of its property; other names are rejected', async () => {
    for (const [misspelt, suggestion] of [
      ['lastname', 'lastName'],
      ['last_name', 'lastName'],
      ['LastName', 'lastName'],
      ['dept', undefined],
      ['departmentId', 'department'],
    ] as const) {
      const problem = expectProblem(await get(`/user?${misspelt}=1`), 'unknown-parameter', `"${misspelt}"`, '/user')
      if (suggestion) expectSuggestion(problem, suggestion)
    }
  })

  it('decision unknown-parameter: a request with unknown parameters is rejected, and the problem lists all of them', async () => {
    expectProblem(await get('/user?status=ACTIVE&limit=3'), 'unknown-parameter', 'limit')
    const response = await get('/user?limit=3&offset=2')
    expectProblem(response, 'unknown-parameter')
    expect(response.text).toContain('limit')
    expect(response.text).toContain('offset')
  })

  it.each([
    '/user?username=x',
    '/user/1?lastName=x',
    '/user/1?pageSize=10',
    '/user/by-email/a@example.com?x=1',
    '/user/1/preference?user=1',
    '/v1/user?phone=1',
    '/v1/user?created=1',
    '/v1/user?search=a',
    '/department?search=a',
  ])('decision unknown-parameter: a field that the list does not show is not a filter: %s', async (url) => {
    expectProblem(await get(url), 'unknown-parameter')
  })
})

describe('by an unknown property', () => {
  const within = (from: string | undefined, to: string | undefined) =>
    idsWhere(({ created, lastUpdated }) =>
      [created, lastUpdated].some((time) => (from === undefined || time >= from) && (to === undefined || time < to)),
    )

  it('spec 2.6 rule 5: createdOrUpdatedFrom and createdOrUpdatedTo filter by either date', async () => {
    const times = users.flatMap(({ created, lastUpdated }) => [created, lastUpdated])
    const bound = fc.option(fc.constantFrom(...times), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(bound, bound, async (from, to) => {
        const pairs = [
          ...(from === undefined ? [] : [['createdOrUpdatedFrom', from] as const]),
          ...(to === undefined ? [] : [['createdOrUpdatedTo', to] as const]),
        ]
        expect(await findIds(query(pairs))).toEqual(within(from, to))
      }),
      { numRuns: 60 },
    )
  })

  it('decision range: the lower bound is inclusive and the upper exclusive', async () => {
    const { id, created } = users[9] as (typeof users)[number]
    const next = new Date(Date.parse(created) + 1).toISOString()
    expect(
      await findIds(
        query([
          ['createdOrUpdatedFrom', created],
          ['createdOrUpdatedTo', next],
        ]),
      ),
    ).toContain(id)
    expect(
      await findIds(
        query([
          ['createdOrUpdatedFrom', created],
          ['createdOrUpdatedTo', created],
        ]),
      ),
    ).toEqual([])
  })

  it('decision range: a bound is allowed at most once', async () => {
    const twice = 'createdOrUpdatedTo=2020-01-01&createdOrUpdatedTo=2021-01-01'
    expectProblem(await get(`/user?${twice}`), 'invalid-parameter', 'createdOrUpdatedTo')
  })

  it('decision range: the same date must lie within both bounds', async () => {
    const changed = users.find(({ created, lastUpdated }) => Date.parse(lastUpdated) - Date.parse(created) > 10)
    const { id, created, lastUpdated } = changed as (typeof users)[number]
    const from = new Date(Date.parse(created) + 1).toISOString()
    expect(
      await findIds(
        query([
          ['createdOrUpdatedFrom', from],
          ['createdOrUpdatedTo', lastUpdated],
        ]),
      ),
    ).not.toContain(id)
  })

  it('decision range: a bound may be a date, which means midnight UTC, or a time with an offset', async () => {
    const day = users[9]?.created.slice(0, 10) ?? ''
    const next = new Date(Date.parse(day) + 86_400_000).toISOString()
    const expected = within(`${day}T00:00:00.000Z`, next)
    expect(expected).toContain(10)
    expect(
      await findIds(
        query([
          ['createdOrUpdatedFrom', day],
          ['createdOrUpdatedTo', next.slice(0, 10)],
        ]),
      ),
    ).toEqual(expected)
    const offset = `${day}T02:00:00+02:00`
    expect(
      await findIds(
        query([
          ['createdOrUpdatedFrom', offset],
          ['createdOrUpdatedTo', next],
        ]),
      ),
    ).toEqual(expected)
  })

  it.each(['soon', '', '2026-02-30', '2026-13-01', '2026-01-01 00:00', '1767225600000', '2026'])(
    'decision range: a bound that is neither timestamp nor date is rejected: "%s"',
    async (value) => {
      for (const name of ['createdOrUpdatedFrom', 'createdOrUpdatedTo']) {
        expectProblem(await get(`/user?${query([[name, value]])}`), 'invalid-parameter', name, value)
      }
    },
  )
})
