import {
  atLeast,
  before,
  between,
  type Caller,
  linked,
  open,
  referencedBy,
  type Visibility,
  visible,
  visibleTarget,
} from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callerOf } from './visible/caller-client.ts'
import {
  ada,
  badge,
  everyone,
  guids,
  listed,
  member,
  note,
  openClient,
  openReadClient,
  removeSharedDatabase,
  sharedDatabase,
  skill,
  skilled,
  staffWith,
  team,
} from './visible/staff.ts'

removeSharedDatabase()

describe('a visibility filter', () => {
  it.each<[string, Visibility, number[]]>([
    ['all', visible(member, () => true), [1, 2, 3, 4, 5]],
    ['none', visible(member, () => false), []],
    ['one value', visible(member, () => ({ team: 1 })), [2, 4]],
    ['any of several', visible(member, () => ({ id: [1, 4, 99] })), [1, 4]],
    ['none of several', visible(member, () => ({ id: [] })), []],
    ['null', visible(member, () => ({ mentor: null })), [1, 2]],
    ['null among others', visible(member, () => ({ mentor: [null, 3] })), [1, 2, 5]],
    ['several fields', visible(member, () => ({ team: 2, grade: 'JUNIOR', id: [3, 4, 5] })), [3, 5]],
    ['a field that nobody is shown', visible(member, () => ({ tenant: 'south' })), []],
    ['a decimal in another form', visible(member, () => ({ salary: ['1.5', '3.50'] })), [1, 3]],
    ['a moment with an offset', visible(member, () => ({ joined: '2026-01-04T09:00:00+01:00' })), [4]],
    ['a bound', visible(member, () => ({ salary: atLeast('3.5') })), [3, 4, 5]],
    [
      'two bounds',
      visible(member, () => ({ joined: between('2026-01-02T08:00:00Z', '2026-01-04T00:00:00Z') })),
      [2, 3],
    ],
    ['any of two', visible(member, () => [{ team: 1, id: 2 }, { id: [1, 5] }]), [1, 2, 5]],
    ['one alternative', visible(member, () => [{ team: 1 }]), [2, 4]],
    ['no alternative', visible(member, () => []), []],
    ['the team of a record', visible(member, () => ({ team: { isOpen: true } })), [2, 4]],
    ['the mentor of the mentor', visible(member, () => ({ mentor: { mentor: { id: 1 } } })), [5]],
    ['a target, a value or null', visible(member, () => ({ mentor: [{ grade: 'SENIOR' }, 1, null] })), [1, 2, 3, 4]],
    ['a target of several', visible(member, () => ({ mentor: [{ id: 1 }, { id: 3 }] })), [3, 5]],
    ['who teaches', visible(member, () => ({ id: referencedBy(skill, 'teacher', true) })), [1, 2]],
    [
      'members of teams that have a skill of a badge',
      visible(member, () => ({
        team: referencedBy(skill, 'team', { id: linked(skilled, badge, { member: { grade: 'JUNIOR' } }) }),
      })),
      [2, 4],
    ],
    [
      'who has a badge with a skill, or leads to one',
      visible(member, () => [
        { id: referencedBy(badge, 'member', { key: linked(skilled, skill, { name: 'S1' }) }) },
        { mentor: { id: 3 } },
      ]),
      [1, 5],
    ],
    ['a claim of the token', visible(member, ({ claims }) => ({ team: claims.team })), [2, 4]],
  ])('%s', async (_, visibility, ids) => {
    const at = await openReadClient([visibility])
    const caller = callerOf('ada', { team: 1 })
    expect(await listed(at, caller, '/member')).toEqual(ids)
    for (const id of [1, 2, 3, 4, 5]) {
      const { status } = await at.send(caller, { method: 'GET', url: `/member/${id}` })
      expect(status, `${id}`).toBe(ids.includes(id) ? 200 : 404)
    }
  })

  it('allows the records that all filters of a noun allow', async () => {
    const at = await openReadClient([visible(member, () => ({ team: 2 })), visible(member, () => ({ id: [1, 2, 3] }))])
    expect(await listed(at, ada, '/member')).toEqual([1, 3])
  })

  it('follows references to visible records, and allows null only if declared', async () => {
    const open = visible(team, () => ({ isOpen: true }))
    const at = await openReadClient([
      open,
      visible(member, () => ({ team: visibleTarget })),
      visible(badge, () => ({ member: visibleTarget })),
    ])
    expect(await listed(at, ada, '/member')).toEqual([2, 4])
    expect(await listed(at, ada, '/badge', 'key')).toEqual([guids[1]])
  })

  it.each<[string, Visibility[], number[]]>([
    ['visible records', [visible(skill, () => ({ teacher: visibleTarget }))], [2, 3]],
    ['visible records, or null', [visible(skill, () => ({ teacher: [visibleTarget, null] }))], [1, 2, 3]],
    ['some', [visible(member, () => ({ id: 2 })), visible(skill, () => ({ teacher: visibleTarget }))], [3]],
    [
      'some, or null',
      [visible(member, () => ({ id: 2 })), visible(skill, () => ({ teacher: [visibleTarget, null] }))],
      [1, 3],
    ],
  ])('allows references to %s', async (_, visibility, ids) => {
    const at = await openClient(visibility)
    expect(await listed(at, ada, '/skill')).toEqual(ids)
    const taught = { method: 'PATCH', url: '/skill/3', body: { teacher: null } }
    expect((await at.send(ada, taught)).status).toBe(ids.includes(1) ? 200 : 403)
  })

  it('is counted by the tallies like a filter, also together with one', async () => {
    const at = await openReadClient([visible(member, () => ({ grade: 'SENIOR' }))])
    expect(await listed(at, ada, '/member')).toEqual([2, 4])
    expect(await listed(at, ada, '/member?grade=JUNIOR')).toEqual([])
    expect(await listed(at, ada, '/member?grade=JUNIOR&grade=SENIOR&hasLeft=true')).toEqual([6])
    expect(await listed(at, ada, '/member?grade=JUNIOR&include=1&include=2')).toEqual([2])
  })

  it.each<[unknown, number[]]>([
    [[], []],
    [null, [1, 2]],
    [
      [true, null],
      [1, 2],
    ],
    [true, []],
  ])('is counted by the tallies with a default filter: %j', async (isOld, ids) => {
    const at = await openReadClient([{ noun: note, filter: () => ({ isOld }) }])
    expect(await listed(at, ada, '/note')).toEqual(ids)
  })

  it('differs from caller to caller of one service', async () => {
    const at = await openClient([
      { noun: member, filter: ({ claims }) => claims.sees },
      visible(badge, () => ({ member: visibleTarget })),
    ])
    const forms: [unknown, number[]][] = [
      [true, [1, 2, 3, 4, 5]],
      [{ team: 1 }, [2, 4]],
      [{ team: 2 }, [1, 3, 5]],
      [{ team: [1, 2] }, [1, 2, 3, 4, 5]],
      [false, []],
      [{ mentor: null }, [1, 2]],
      [{ mentor: [null, 3] }, [1, 2, 5]],
      [{ team: 2, grade: 'JUNIOR', id: [1, 3] }, [1, 3]],
    ]
    for (const [sees, ids] of [...forms, ...forms]) {
      const caller = callerOf('ada', { sees })
      const expected = (id: number) => (ids.includes(id) ? 200 : 404)
      expect(await listed(at, caller, '/member'), JSON.stringify(sees)).toEqual(ids)
      for (const id of [1, 2]) {
        const url = `/member/${id}`
        const key = guids[id - 1]
        const responses = [
          await at.send(caller, { method: 'GET', url }),
          await at.send(caller, { method: 'PATCH', url, body: {} }),
          await at.send(caller, { method: 'GET', url: `/badge/${key}` }),
          await at.send(caller, { method: 'GET', url: `/badge/${key}/skill` }),
          await at.send(caller, { method: 'PATCH', url: `/badge/${key}`, body: { member: id } }),
        ]
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => expected(id)))
      }
      // A badge that references the team must belong to a visible member.
      const pointed = await at.send(caller, { method: 'POST', url: '/badge', body: { team: 3, member: 5 } })
      expect(pointed.status).toBe(ids.includes(5) ? 201 : 422)
    }
  })

  it('differs from caller to caller in the labels of a list', async () => {
    const at = await openReadClient([visible(team, ({ claims }) => claims.isRoot === true || { isOpen: true })])
    for (const [caller, name] of [
      [everyone, 'T2'],
      [ada, '2'],
      [everyone, 'T2'],
    ] as const) {
      const { body } = await at.send(caller, { method: 'GET', url: '/member-detail?id=1' })
      expect(body.results).toMatchObject([{ team: name }])
    }
  })

  it('runs once per request', async () => {
    let calls = 0
    const counting = visible(member, () => {
      calls++
      return { team: 2 }
    })
    const at = await openClient([counting, visible(badge, () => ({ member: visibleTarget }))])
    await at.send(ada, { method: 'GET', url: '/member-detail' })
    expect(calls).toBe(1)
    await at.send(ada, { method: 'PATCH', url: '/member/1', body: { mentor: 3 } })
    expect(calls).toBe(2)
    await at.send(ada, { method: 'GET', url: '/team' })
    expect(calls).toBe(2)
  })
})

describe('an invalid visibility filter', () => {
  const wrong: [string, (caller: Caller) => unknown, string][] = [
    ['is nothing', () => undefined, 'returned nothing for "member"'],
    ['is a text', () => 'all', 'returned "all" for "member"'],
    ['is a list of numbers', () => [1], 'returned 1 for "member"'],
    ['comes later', () => Promise.reject(new Error('late')), 'returned a promise'],
    ['has no fields', () => ({}), 'an object without fields'],
    ['names an unknown field', () => ({ company: 1 }), 'refers to the unknown field "company"'],
    ['names a property of Object', () => ({ constructor: 1 }), 'refers to the unknown field "constructor"'],
    ['uses a missing claim', ({ claims }) => ({ team: claims.team }), 'compares team with nothing, which must be'],
    ['has a value of the wrong type', () => ({ team: '1' }), 'compares team with "1", which must be an integer'],
    ['has an unknown choice', () => ({ grade: ['SENIOR', 'BOSS'] }), 'compares grade with "BOSS", which must be'],
    ['has null for a field that is not nullable', () => ({ team: null }), 'team with null, which must not be null'],
    ['uses visibleTarget for a text', () => ({ name: visibleTarget }), 'compares name with visibleTarget'],
    ['has visibleTarget and a value', () => ({ mentor: [visibleTarget, 3] }), 'compares mentor with visibleTarget'],
    [
      'uses visibleTarget for a managed reference',
      () => ({ createdBy: visibleTarget }),
      'compares createdBy with visibleTarget',
    ],
    ['leads back to itself', () => ({ mentor: visibleTarget }), 'leads back to itself'],
    ['has a range of a text', () => ({ name: before('P') }), 'has a range of "name"'],
    [
      'has a condition on a record for a text',
      () => ({ name: { id: 1 } }),
      'compares name with an object. Use conditions on other records for references and identities',
    ],
    [
      'has a condition on a record for the identity',
      () => ({ id: { team: 1 } }),
      'compares id with an object. Put the fields',
    ],
    [
      'names an unknown field of the referenced noun',
      () => ({ team: { mentor: 1 } }),
      'refers to the unknown field "mentor". Use id, name, isOpen',
    ],
    ['has no fields for the referenced record', () => ({ team: {} }), 'an object without fields'],
    ['has an alternative without fields', () => [{ team: 1 }, {}], 'an object without fields'],
    [
      'uses a link of other nouns',
      () => ({ team: linked(skilled, skill, { id: 1 }) }),
      'uses the link "badge-skill", which does not link "team" and "skill"',
    ],
    [
      'uses a reference to another noun',
      () => ({ id: referencedBy(skill, 'team', { id: 1 }) }),
      'uses "team" of "skill", which does not reference "member"',
    ],
    ['returns a promise of a target', () => ({ team: { id: Promise.reject(new Error('late')) } }), 'a promise'],
    ['throws', () => JSON.parse('{'), 'JSON'],
  ]

  it('is rejected at start if it is async', () => {
    expect(() => visible(member, (async () => true) as unknown as () => boolean)).toThrow(
      'noun "member": the function of visible() must not be async.',
    )
  })

  it.each(wrong)('shows no records and is reported to the operator if it %s', async (_, filter, message) => {
    const faults: unknown[] = []
    const onFault = (_: string, error: unknown) => faults.push(error)
    const definition = staffWith([{ noun: member, filter }])
    const app = await open(definition, { database: await sharedDatabase(), onFault })
    onTestFinished(() => app.close())
    const send = (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
      inject(app, { method, url, ...(payload && { payload }) })
    for (const response of [
      await send('GET', '/member'),
      await send('GET', '/member/1'),
      await send('PATCH', '/member/1', { name: 'X' }),
      await send('POST', '/badge', { team: 1, member: 1 }),
    ]) {
      expect(response.json()).toMatchObject({ status: 500, code: 'internal' })
      expect(response.body).not.toContain('P1')
    }
    expect(faults).toHaveLength(4)
    for (const error of faults) expect(`${error}`).toContain(message)
    expect((await send('GET', '/team')).statusCode).toBe(200)
  })
})
