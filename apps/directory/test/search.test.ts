// Search, the default filter, and texts as filter values.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filteredSample, idsOf, query } from './filtered-sample.ts'
import { type AccessUserItem, type Department, newUser, type User, type UserItem } from './record.ts'

const size = 120
const { get, post, listAll, sample, users, idsWhere, findIds } = filteredSample(size)

describe('search', () => {
  const fold = (text: string) => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  const matching = (text: string) =>
    idsWhere(({ firstName, lastName, email }) =>
      [firstName, lastName, email].some((value) => fold(value).includes(fold(text))),
    )

  it('decision search: search finds a part of firstName, lastName or email in any letter case', async () => {
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
        expect(await findIds(query([['search', text]]))).toEqual(matching(text))
      }),
      { numRuns: 60 },
    )
  })

  it('decision search: search ignores the letter case of non-ASCII letters', async () => {
    for (const text of ['ZOË', 'łUKASZ', 'GONÇALVES', 'öZTÜRK']) {
      expect(await findIds(query([['search', text]])), text).toEqual(matching(text))
    }
    expect(matching('ZOË').length).toBeGreaterThan(0)
    const { body } = await post<User>('/user', newUser('sharp.s', { lastName: 'Großweiß' }))
    for (const text of ['GROSSW', 'großw', 'WEISS', 'weiss', 'Weiß']) {
      expect(idsOf(await listAll<UserItem>(`/user?${query([['search', text]])}`)), text).toContain(body.id)
    }
  })

  it('decision search: search treats a final sigma as a sigma', async () => {
    const { body } = await post<User>('/user', newUser('odysseus', { lastName: 'ὈΔΥΣΣΕΎΣ' }))
    for (const text of ['ὀδυσσεύς', 'ὀδυσσεύσ', 'ΣΣΕΎΣ', 'ΔΥΣ', 'δυς', 'ύσ']) {
      expect(idsOf(await listAll<UserItem>(`/user?${query([['search', text]])}`))).toContain(body.id)
    }
  })

  it('decision search: an empty string matches all records, and a repeated search matches any of its strings', async () => {
    expect(await findIds('search=')).toEqual(idsOf(users))
    const [first, second] = users
    const texts = [first?.email ?? '', second?.email ?? '']
    expect(await findIds(query(texts.map((text) => ['search', text])))).toEqual([1, 2])
  })

  it('decision search: a search has no wildcards', async () => {
    const created = await post<User>('/user', newUser('wild.card', { lastName: String.raw`50%_off\*?[a]` }))
    for (const text of ['%', '_off', String.raw`off\*`, '*?', '[a]', '%_']) {
      expect(idsOf(await listAll<UserItem>(`/user?${query([['search', text]])}`)), text).toEqual([created.body.id])
    }
    expect(await findIds(query([['search', '%a%']]))).toEqual([])
  })

  it('decision search: search and filters must both match', async () => {
    expect(await findIds('search=a&department=1')).toEqual(
      matching('a').filter((id) => users[id - 1]?.department === 1),
    )
  })
})

describe('the default filter', () => {
  it('decision default-filter: retired departments are hidden by default', async () => {
    const open = sample.departments.filter(({ retired }) => !retired)
    expect(await listAll('/department')).toEqual(open)
    expect(open.length).toBeLessThan(sample.departments.length)
  })

  it('decision default-filter: a value of the client replaces it', async () => {
    expect(await listAll('/department?retired=true')).toEqual(sample.departments.filter(({ retired }) => retired))
    expect(await listAll('/department?retired=true&retired=false')).toEqual(sample.departments)
  })

  it('decision default-filter: another filter does not replace it', async () => {
    expect(await listAll('/department?id=7&id=8')).toEqual(sample.departments.filter(({ id }) => id === 7))
  })

  it('decision default-filter: it does not affect the read of a single record', async () => {
    expect((await get<Department>('/department/8')).body).toEqual({
      id: 8,
      name: 'Mainframe Operations',
      retired: true,
    })
  })

  it('decision default-filter: a reference to a hidden record is accepted', async () => {
    const { status, body } = await post<User>('/user', newUser('left.behind', { department: 8 }))
    expect([status, body.department]).toEqual([201, 8])
    const usersWithLabels = await listAll<{ department: string }>(`/user-detail?id=${body.id}`)
    expect(usersWithLabels.map(({ department }) => department)).toEqual(['Mainframe Operations'])
  })
})

describe('text', () => {
  it('decision text: a filter compares strings by code point, without normalization', async () => {
    const composed = await post<User>('/user', newUser('composed', { firstName: 'Ame\u0301lie' }))
    expect(idsOf(await listAll<UserItem>(`/user?${query([['firstName', 'Ame\u0301lie']])}`))).toEqual([
      composed.body.id,
    ])
    expect(await listAll(`/user?${query([['firstName', 'Am\u00e9lie']])}`)).toEqual([])
  })

  it('decision text: a filter finds every string that can be stored', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => !value.includes('\0'))
    let number = 0
    await fc.assert(
      fc.asyncProperty(text, async (firstName) => {
        const created = await post<User>('/user', newUser(`any.text.${++number}`, { firstName }))
        expect([created.status, created.body.firstName]).toEqual([201, firstName])
        const matches = await listAll<AccessUserItem>(
          `/v1/user?${query([
            ['firstName', firstName],
            ['id', created.body.id],
          ])}`,
        )
        expect(matches.map((user) => user.firstName)).toEqual([firstName])
      }),
      { numRuns: 50 },
    )
  })
})
