// Filters: by property, by declared range, by search, by default; and what a value must look like.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AccessUserItem,
  type Department,
  newUser,
  type Preference,
  sampleOf,
  shapes,
  type User,
  type UserItem,
} from './record.ts'
import { expectProblem, expectSuggestion, openedOnce } from './service.ts'

const size = 120
const { get, post, all } = openedOnce(size)
const sample = sampleOf(size)
const { users } = sample

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id)
const idsWhere = (fits: (user: (typeof users)[number]) => boolean) => idsOf(users.filter(fits))
/** Of the sample; what other tests of this file make has higher ids. */
const found = async (query: string, path = '/user') =>
  idsOf(await all<UserItem>(`${path}?${query}`)).filter((id) => id <= size)

const query = (pairs: readonly (readonly [string, unknown])[]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, `${value ?? ''}`])).toString()

describe('by property', () => {
  it.each(shapes.user)('spec 4.3: every property of the single record filters its list: %s', async (name) => {
    for (const user of users.slice(0, 12)) {
      expect(await found(query([[name, user[name]]]))).toEqual(idsWhere((other) => other[name] === user[name]))
    }
  })

  it.each(shapes.accessUser)(
    'spec 4.3: every property of the single record filters its list: /v1/user %s',
    async (name) => {
      const stored = { createdDate: 'created', updatedDate: 'lastUpdated' } as const
      const field = name === 'createdDate' || name === 'updatedDate' ? stored[name] : name
      for (const user of users.slice(0, 12)) {
        const given = await found(query([[name, user[field]]]), '/v1/user')
        expect(given).toEqual(idsWhere((other) => other[field] === user[field]))
      }
    },
  )

  it('spec 4.3: a repeated filter matches any of its values', async () => {
    expect(await found('status=ACTIVE&status=SUSPENDED')).toEqual(idsOf(users))
    expect(await found('department=1&department=3')).toEqual(idsWhere(({ department }) => [1, 3].includes(department)))
    expect(await found('id=3&id=1&id=3')).toEqual([1, 3])
  })

  it('decision filter: different filters must all match', async () => {
    const given = await found('department=1&status=ACTIVE')
    expect(given).toEqual(idsWhere(({ department, status }) => department === 1 && status === 'ACTIVE'))
    expect(given.length).toBeGreaterThan(0)
  })

  it('spec 1: filters are query parameters, alone or together, on any page', async () => {
    const value = fc.tuple(fc.constantFrom(...shapes.user), fc.constantFrom(...users))
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (picked) => {
        const pairs = picked.map(([name, user]) => [name, user[name]] as const)
        const names = new Set(pairs.map(([name]) => name))
        const expected = idsWhere((user) =>
          [...names].every((name) => pairs.some(([other, wanted]) => other === name && user[name] === wanted)),
        )
        expect(await found(query(pairs))).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it.each(['/user', '/user-summary', '/user-detail'])(
    'decision list-variant: %s takes the same filters',
    async (path) => {
      const given = await found('department=3&status=ACTIVE&status=SUSPENDED', path)
      expect(given).toEqual(idsWhere(({ department }) => department === 3))
      expect(await found('supervisor=1', path)).toEqual(idsWhere(({ supervisor }) => supervisor === 1))
    },
  )

  it('decision filter: a filter is exact: case, spaces and accents count', async () => {
    const [first] = users
    expect(await found(query([['firstName', first?.firstName.toUpperCase()]]))).toEqual([])
    expect(await found(query([['firstName', `${first?.firstName} `]]))).toEqual([])
    expect(await found(query([['firstName', first?.firstName.slice(0, -1)]]))).toEqual([])
    expect(await found(query([['email', first?.email.toUpperCase()]]))).toEqual([])
  })

  it('decision filter: a plus and %20 are both a space', async () => {
    const withSpace = users.find(({ lastName }) => / /.test(lastName))
    expect(withSpace).toBeDefined()
    const name = withSpace?.lastName ?? ''
    const expected = idsWhere(({ lastName }) => lastName === name)
    expect(await found(`lastName=${encodeURIComponent(name)}`)).toEqual(expected)
    expect(await found(`lastName=${encodeURIComponent(name).replaceAll('%20', '+')}`)).toEqual(expected)
  })

  it('decision empty-filter: an empty value is null where the property may be null', async () => {
    expect(await found('supervisor=')).toEqual(idsWhere(({ supervisor }) => supervisor === null))
    expect(await found('supervisor=&supervisor=1')).toEqual(
      idsWhere(({ supervisor }) => supervisor === null || supervisor === 1),
    )
    expect(await found('avatarColor=', '/v1/user')).toEqual(idsWhere(({ avatarColor }) => avatarColor === null))
    const flags = (await get<Preference[]>('/user/1/preference?value=')).body
    expect(flags.length).toBeGreaterThan(0)
    for (const { enabled, value } of flags) expect([typeof enabled, value]).toEqual(['boolean', null])
  })

  it('decision empty-filter: an empty value is the empty string where the property is a text that is never null', async () => {
    const without = idsWhere(({ phone }) => phone === '')
    expect(without.length).toBeGreaterThan(0)
    expect(await found('phone=')).toEqual(without)
    expect(await found('phone')).toEqual(without)
    expect(await found('firstName=')).toEqual([])
  })

  it('decision filter: flags are exactly true or false', async () => {
    expect(idsOf(await all<Department>('/department?retired=true'))).toEqual([8, 13])
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
  ])('decision filter: a value of the wrong type or outside a choice is refused: %s=%s', async (name, value) => {
    expectProblem(await get(`/user?${query([[name, value]])}`), 'invalid-parameter', name, value)
  })

  it.each([
    ['created', 'garbage'],
    ['created', '2026-01-01'],
    ['email', 'no address at all'],
    ['id', '-1'],
    ['id', '0'],
    ['id', '9007199254740991'],
    ['id', '-9007199254740991'],
    ['department', '999'],
  ])('decision filter: a value is never checked for format or existence: %s=%s', async (name, value) => {
    const answer = await get<{ results: unknown[] }>(`/user?${query([[name, value]])}`)
    expect([answer.status, answer.body.results]).toEqual([200, []])
  })

  it('decision filter: a timestamp equals itself in any notation', async () => {
    const { id, created } = users[5] as (typeof users)[number]
    const shifted = new Date(Date.parse(created) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    expect(await found(query([['created', shifted]]))).toContain(id)
    expect(await found(query([['created', created.replace('Z', '0000Z')]]))).toContain(id)
  })

  it('decision filter: a guid is compared without regard to case', async () => {
    const [first] = sample.applications
    const given = await all<{ applicationRef: number }>(`/v1/application?guid=${first?.guid.toUpperCase()}`)
    expect(given.map(({ applicationRef }) => applicationRef)).toEqual([1])
  })

  it('decision integers: an integer in the query may have leading zeros', async () => {
    expect(await found('id=007')).toEqual([7])
  })

  it('spec 2.6 rule 4: a filter bears the name of its property, and nothing else will do', async () => {
    for (const [wrong, right] of [
      ['lastname', 'lastName'],
      ['last_name', 'lastName'],
      ['LastName', 'lastName'],
      ['dept', undefined],
      ['departmentId', 'department'],
    ] as const) {
      const problem = expectProblem(await get(`/user?${wrong}=1`), 'unknown-parameter', `"${wrong}"`, '/user')
      if (right) expectSuggestion(problem, right)
    }
  })

  it('decision unknown-parameter: one unknown parameter among known ones is refused, and all unknown ones are named', async () => {
    expectProblem(await get('/user?status=ACTIVE&limit=3'), 'unknown-parameter', 'limit')
    const answer = await get('/user?limit=3&offset=2')
    expectProblem(answer, 'unknown-parameter')
    expect(answer.text).toContain('limit')
    expect(answer.text).toContain('offset')
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
  ])('decision unknown-parameter: what the path does not show is no filter of it: %s', async (url) => {
    expectProblem(await get(url), 'unknown-parameter')
  })
})

describe('by what is no property', () => {
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
        expect(await found(query(pairs))).toEqual(within(from, to))
      }),
      { numRuns: 60 },
    )
  })

  it('decision range: the lower bound is inclusive and the upper exclusive', async () => {
    const { id, created } = users[9] as (typeof users)[number]
    const next = new Date(Date.parse(created) + 1).toISOString()
    expect(
      await found(
        query([
          ['createdOrUpdatedFrom', created],
          ['createdOrUpdatedTo', next],
        ]),
      ),
    ).toContain(id)
    expect(
      await found(
        query([
          ['createdOrUpdatedFrom', created],
          ['createdOrUpdatedTo', created],
        ]),
      ),
    ).toEqual([])
  })

  it('decision range: a bound is given at most once', async () => {
    const twice = 'createdOrUpdatedTo=2020-01-01&createdOrUpdatedTo=2021-01-01'
    expectProblem(await get(`/user?${twice}`), 'invalid-parameter', 'createdOrUpdatedTo')
  })

  it('decision range: one date lies within both bounds, not one date within each', async () => {
    const changed = users.find(({ created, lastUpdated }) => Date.parse(lastUpdated) - Date.parse(created) > 10)
    const { id, created, lastUpdated } = changed as (typeof users)[number]
    const from = new Date(Date.parse(created) + 1).toISOString()
    expect(
      await found(
        query([
          ['createdOrUpdatedFrom', from],
          ['createdOrUpdatedTo', lastUpdated],
        ]),
      ),
    ).not.toContain(id)
  })

  it('decision range: a bound may be a date, at midnight UTC, or a time with an offset', async () => {
    const day = users[9]?.created.slice(0, 10) ?? ''
    const next = new Date(Date.parse(day) + 86_400_000).toISOString()
    const expected = within(`${day}T00:00:00.000Z`, next)
    expect(expected).toContain(10)
    expect(
      await found(
        query([
          ['createdOrUpdatedFrom', day],
          ['createdOrUpdatedTo', next.slice(0, 10)],
        ]),
      ),
    ).toEqual(expected)
    const offset = `${day}T02:00:00+02:00`
    expect(
      await found(
        query([
          ['createdOrUpdatedFrom', offset],
          ['createdOrUpdatedTo', next],
        ]),
      ),
    ).toEqual(expected)
  })

  it.each(['soon', '', '2026-02-30', '2026-13-01', '2026-01-01 00:00', '1767225600000', '2026'])(
    'decision range: a bound that is neither timestamp nor date is refused: "%s"',
    async (value) => {
      for (const name of ['createdOrUpdatedFrom', 'createdOrUpdatedTo']) {
        expectProblem(await get(`/user?${query([[name, value]])}`), 'invalid-parameter', name, value)
      }
    },
  )
})

describe('search', () => {
  const fold = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  const matching = (text: string) =>
    idsWhere(({ firstName, lastName, email }) =>
      [firstName, lastName, email].some((value) => fold(value).includes(fold(text))),
    )

  it('decision search: search finds a part of firstName, lastName or email, whatever the case', async () => {
    const part = fc
      .tuple(
        fc.constantFrom(...users),
        fc.constantFrom('firstName', 'lastName', 'email'),
        fc.nat(20),
        fc.integer({ min: 1, max: 5 }),
      )
      .map(([user, name, start, length]) =>
        [...user[name]]
          .slice(start % user[name].length)
          .slice(0, length)
          .join(''),
      )
    const recased = fc
      .tuple(part, fc.constantFrom('as it is', 'upper', 'lower'))
      .map(([text, recasing]) =>
        recasing === 'upper' ? text.toUpperCase() : recasing === 'lower' ? text.toLowerCase() : text,
      )
    await fc.assert(
      fc.asyncProperty(recased, async (text) => {
        expect(await found(query([['search', text]]))).toEqual(matching(text))
      }),
      { numRuns: 60 },
    )
  })

  it('decision search: case is folded beyond ASCII', async () => {
    for (const text of ['ZOË', 'łUKASZ', 'GONÇALVES', 'öZTÜRK']) {
      expect(await found(query([['search', text]])), text).toEqual(matching(text))
    }
    expect(matching('ZOË').length).toBeGreaterThan(0)
    const { body } = await post<User>('/user', newUser('sharp.s', { lastName: 'Großweiß' }))
    for (const text of ['GROSSW', 'großw', 'WEISS', 'weiss', 'Weiß']) {
      expect(idsOf(await all<UserItem>(`/user?${query([['search', text]])}`)), text).toContain(body.id)
    }
  })

  it('decision search: final sigma is a sigma', async () => {
    const { body } = await post<User>('/user', newUser('odysseus', { lastName: 'ὈΔΥΣΣΕΎΣ' }))
    for (const text of ['ὀδυσσεύς', 'ὀδυσσεύσ', 'ΣΣΕΎΣ', 'ΔΥΣ', 'δυς', 'ύσ']) {
      expect(idsOf(await all<UserItem>(`/user?${query([['search', text]])}`))).toContain(body.id)
    }
  })

  it('decision search: the empty text finds all, a repeated search any of its texts', async () => {
    expect(await found('search=')).toEqual(idsOf(users))
    const [first, second] = users
    const texts = [first?.email ?? '', second?.email ?? '']
    expect(await found(query(texts.map((text) => ['search', text])))).toEqual([1, 2])
  })

  it('decision search: no character of a search is a wildcard', async () => {
    const made = await post<User>('/user', newUser('wild.card', { lastName: String.raw`50%_off\*?[a]` }))
    for (const text of ['%', '_off', String.raw`off\*`, '*?', '[a]', '%_']) {
      expect(idsOf(await all<UserItem>(`/user?${query([['search', text]])}`)), text).toEqual([made.body.id])
    }
    expect(await found(query([['search', '%a%']]))).toEqual([])
  })

  it('decision search: search and filters must both match', async () => {
    expect(await found('search=a&department=1')).toEqual(matching('a').filter((id) => users[id - 1]?.department === 1))
  })
})

describe('the default filter', () => {
  it('decision default-filter: retired departments are hidden unless asked for', async () => {
    const open = sample.departments.filter(({ retired }) => !retired)
    expect(await all('/department')).toEqual(open)
    expect(open.length).toBeLessThan(sample.departments.length)
  })

  it('decision default-filter: a value of the client replaces it', async () => {
    expect(await all('/department?retired=true')).toEqual(sample.departments.filter(({ retired }) => retired))
    expect(await all('/department?retired=true&retired=false')).toEqual(sample.departments)
  })

  it('decision default-filter: another filter does not replace it', async () => {
    expect(await all('/department?id=7&id=8')).toEqual(sample.departments.filter(({ id }) => id === 7))
  })

  it('decision default-filter: it never hides a single read', async () => {
    expect((await get<Department>('/department/8')).body).toEqual({
      id: 8,
      name: 'Mainframe Operations',
      retired: true,
    })
  })

  it('decision default-filter: it never refuses a reference', async () => {
    const { status, body } = await post<User>('/user', newUser('left.behind', { department: 8 }))
    expect([status, body.department]).toEqual([201, 8])
    const named = await all<{ department: string }>(`/user-detail?id=${body.id}`)
    expect(named.map(({ department }) => department)).toEqual(['Mainframe Operations'])
  })
})

describe('text', () => {
  it('decision text: a filter on text is by code point, without normalisation', async () => {
    const composed = await post<User>('/user', newUser('composed', { firstName: 'Ame\u0301lie' }))
    expect(idsOf(await all<UserItem>(`/user?${query([['firstName', 'Ame\u0301lie']])}`))).toEqual([composed.body.id])
    expect(await all(`/user?${query([['firstName', 'Am\u00e9lie']])}`)).toEqual([])
  })

  it('decision text: every text that can be stored is found by itself', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => !value.includes('\0'))
    let number = 0
    await fc.assert(
      fc.asyncProperty(text, async (firstName) => {
        const made = await post<User>('/user', newUser(`any.text.${++number}`, { firstName }))
        expect([made.status, made.body.firstName]).toEqual([201, firstName])
        const same = await all<AccessUserItem>(
          `/v1/user?${query([
            ['firstName', firstName],
            ['id', made.body.id],
          ])}`,
        )
        expect(same.map((user) => user.firstName)).toEqual([firstName])
      }),
      { numRuns: 50 },
    )
  })
})
