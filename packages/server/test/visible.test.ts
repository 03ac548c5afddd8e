import {
  api,
  boolean,
  choice,
  createdBy,
  decimal,
  email,
  identity,
  link,
  noun,
  problems,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import { type Caller, type LoadPart, open, service, type Visibility, visible, visibleTarget } from '@nomen/server'
import { documentsOf } from '@nomen/server/internal'
import { inject } from '@nomen/testing/inject'
import { type TestDatabase, testDatabase } from '@nomen/testing/test-database'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { callerOf, type Desk, openDesk } from './visible/desk.ts'

const team = noun('team', { id: identity(), name: text(), isOpen: boolean() }, { label: 'name' })
const member = noun(
  'member',
  {
    id: identity(),
    name: text(),
    email: email().unique(),
    grade: choice('JUNIOR', 'SENIOR'),
    hasLeft: boolean().default(false),
    salary: decimal({ precision: 9, scale: 2 }).nullable(),
    joined: timestamp().nullable(),
    tenant: text().default('north'),
    team: reference(() => team),
    mentor: reference(() => member).nullable(),
    createdBy: createdBy(() => member),
  },
  { label: 'name' },
)
const badge = noun('badge', { key: identity('guid'), team: reference(() => team), member: reference(() => member) })
const skill = noun('skill', {
  id: identity(),
  team: reference(() => team),
  name: text(),
  teacher: reference(() => member).nullable(),
})
const note = noun('note', { id: identity(), isOld: boolean().nullable(), kind: choice('A', 'B') })
const skilled = link(badge, skill, { sharing: 'team' })

const staff = api('staff', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [
    resource(team),
    resource(member, {
      complete: ['id', 'name', 'email', 'grade', 'hasLeft', 'salary', 'joined', 'team', 'mentor'],
      detail: true,
      list: ['id', 'name'],
      defaultFilter: { hasLeft: false },
    }),
    resource(badge, { children: [resource(skill, { via: skilled })] }),
    resource(skill),
    resource(note, { defaultFilter: { isOld: null, kind: 'A' } }),
  ],
})

const person = (id: number, more: object = {}) => ({
  id,
  name: `P${id}`,
  email: `p${id}@example.com`,
  grade: id % 2 ? 'JUNIOR' : 'SENIOR',
  hasLeft: false,
  salary: `${id}.50`,
  joined: `2026-01-0${id}T08:00:00.000Z`,
  tenant: 'north',
  team: 1 + (id % 2),
  mentor: id > 2 ? id - 2 : null,
  createdBy: null,
  ...more,
})
const guids = [1, 2].map((one) => `00000000-0000-4000-8000-00000000000${one}`)

const sample: LoadPart[] = [
  { noun: 'team', rows: [1, 2, 3].map((id) => ({ id, name: `T${id}`, isOpen: id === 1 })) },
  { noun: 'member', rows: [1, 2, 3, 4, 5, 6].map((id) => person(id, id === 6 ? { hasLeft: true } : {})) },
  { noun: 'badge', rows: guids.map((key, at) => ({ key, team: at + 1, member: at + 1 })) },
  { noun: 'skill', rows: [1, 2, 3].map((id) => ({ id, team: 1, name: `S${id}`, teacher: [null, 1, 2][id - 1] })) },
  { noun: 'note', rows: [1, 2, 3].map((id) => ({ id, isOld: id === 3 ? true : null, kind: 'A' })) },
  { link: ['badge', 'skill'], rows: [1, 2, 3].map((id) => [guids[0] as string, id] as const) },
]

const template = {
  name: 'staff',
  fill: async (url: string) => (await openDesk(staffWith([]), url)).close(),
}

function staffWith(visibility: readonly Visibility[]) {
  return service({ name: 'staff', apis: [staff], visibility, sample: () => sample })
}

/** One database for all tests that only read. */
let shared: Promise<TestDatabase> | undefined
afterAll(async () => (await shared)?.remove())

async function sharedDatabase(): Promise<string> {
  shared ??= testDatabase(template)
  return (await shared).address
}

async function readingDesk(visibility: readonly Visibility[]): Promise<Desk> {
  const made = await openDesk(staffWith(visibility), await sharedDatabase())
  onTestFinished(() => made.close())
  return made
}

/** On a database of its own. */
async function desk(visibility: readonly Visibility[]): Promise<Desk> {
  const { address, remove } = await testDatabase(template)
  const made = await openDesk(staffWith(visibility), address)
  onTestFinished(async () => {
    await made.close()
    await remove()
  })
  return made
}

const ada = callerOf('ada')
const everyone = callerOf('root', { isRoot: true })
const isRoot = ({ claims }: Caller) => claims.isRoot === true

/** The identities in a list, and its total. */
async function listed(at: Desk, caller: Caller, url: string, key = 'id') {
  const { status, body, text } = await at.ask(caller, { method: 'GET', url })
  expect(status, text).toBe(200)
  const ids = body.results.map((one: Record<string, unknown>) => one[key])
  expect(body.pageInfo.numberOfRecords).toBe(ids.length)
  return ids
}

describe('what a filter may say', () => {
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
    ['what a token says', visible(member, ({ claims }) => ({ team: claims.team })), [2, 4]],
  ])('%s', async (_, visibility, ids) => {
    const at = await readingDesk([visibility])
    const caller = callerOf('ada', { team: 1 })
    expect(await listed(at, caller, '/member')).toEqual(ids)
    for (const id of [1, 2, 3, 4, 5]) {
      const { status } = await at.ask(caller, { method: 'GET', url: `/member/${id}` })
      expect(status, `${id}`).toBe(ids.includes(id) ? 200 : 404)
    }
  })

  it('allows what all filters of a noun allow', async () => {
    const at = await readingDesk([visible(member, () => ({ team: 2 })), visible(member, () => ({ id: [1, 2, 3] }))])
    expect(await listed(at, ada, '/member')).toEqual([1, 3])
  })

  it('follows references to what is seen, and counts null only where that is said', async () => {
    const open = visible(team, () => ({ isOpen: true }))
    const at = await readingDesk([
      open,
      visible(member, () => ({ team: visibleTarget })),
      visible(badge, () => ({ member: visibleTarget })),
    ])
    expect(await listed(at, ada, '/member')).toEqual([2, 4])
    expect(await listed(at, ada, '/badge', 'key')).toEqual([guids[1]])
  })

  it.each<[string, Visibility[], number[]]>([
    ['what is seen', [visible(skill, () => ({ teacher: visibleTarget }))], [2, 3]],
    ['what is seen, or null', [visible(skill, () => ({ teacher: [visibleTarget, null] }))], [1, 2, 3]],
    ['some', [visible(member, () => ({ id: 2 })), visible(skill, () => ({ teacher: visibleTarget }))], [3]],
    [
      'some, or null',
      [visible(member, () => ({ id: 2 })), visible(skill, () => ({ teacher: [visibleTarget, null] }))],
      [1, 3],
    ],
  ])('takes references to %s', async (_, visibility, ids) => {
    const at = await desk(visibility)
    expect(await listed(at, ada, '/skill')).toEqual(ids)
    const taught = { method: 'PATCH', url: '/skill/3', body: { teacher: null } }
    expect((await at.ask(ada, taught)).status).toBe(ids.includes(1) ? 200 : 403)
  })

  it('is counted by the tallies like a filter, and together with one', async () => {
    const at = await readingDesk([visible(member, () => ({ grade: 'SENIOR' }))])
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
    const at = await readingDesk([{ noun: note, filter: () => ({ isOld }) }])
    expect(await listed(at, ada, '/note')).toEqual(ids)
  })

  it('differs from caller to caller of one service', async () => {
    const at = await desk([
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
        const answers = [
          await at.ask(caller, { method: 'GET', url }),
          await at.ask(caller, { method: 'PATCH', url, body: {} }),
          await at.ask(caller, { method: 'GET', url: `/badge/${key}` }),
          await at.ask(caller, { method: 'GET', url: `/badge/${key}/skill` }),
          await at.ask(caller, { method: 'PATCH', url: `/badge/${key}`, body: { member: id } }),
        ]
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => expected(id)))
      }
      // To point at it, a badge must be given to somebody who is seen.
      const pointed = await at.ask(caller, { method: 'POST', url: '/badge', body: { team: 3, member: 5 } })
      expect(pointed.status).toBe(ids.includes(5) ? 201 : 422)
    }
  })

  it('differs from caller to caller in what a list calls others', async () => {
    const at = await readingDesk([visible(team, ({ claims }) => claims.isRoot === true || { isOpen: true })])
    for (const [caller, name] of [
      [everyone, 'T2'],
      [ada, '2'],
      [everyone, 'T2'],
    ] as const) {
      const { body } = await at.ask(caller, { method: 'GET', url: '/member-detail?id=1' })
      expect(body.results).toMatchObject([{ team: name }])
    }
  })

  it('is asked once for a request', async () => {
    let asked = 0
    const counting = visible(member, () => {
      asked++
      return { team: 2 }
    })
    const at = await desk([counting, visible(badge, () => ({ member: visibleTarget }))])
    await at.ask(ada, { method: 'GET', url: '/member-detail' })
    expect(asked).toBe(1)
    await at.ask(ada, { method: 'PATCH', url: '/member/1', body: { mentor: 3 } })
    expect(asked).toBe(2)
    await at.ask(ada, { method: 'GET', url: '/team' })
    expect(asked).toBe(2)
  })
})

describe('a filter that cannot be told', () => {
  const wrong: [string, (caller: Caller) => unknown, string][] = [
    ['is nothing', () => undefined, 'the filter is nothing'],
    ['is a text', () => 'all', 'the filter is "all"'],
    ['is a list', () => [1], 'the filter is an array'],
    ['comes later', async () => true, 'the filter is a promise'],
    ['names no field', () => ({}), 'the filter names no field'],
    ['names a field that is not there', () => ({ company: 1 }), 'the filter names "company"'],
    ['names a field of every object', () => ({ constructor: 1 }), 'the filter names "constructor"'],
    ['wants what the token does not say', ({ claims }) => ({ team: claims.team }), 'team to be nothing, which must be'],
    ['wants the wrong type', () => ({ team: '1' }), 'team to be "1", which must be an integer'],
    ['wants no choice', () => ({ grade: ['SENIOR', 'BOSS'] }), 'grade to be "BOSS", which must be'],
    ['wants null where there is none', () => ({ team: null }), 'team to be null, which must not be null'],
    ['wants a text to be seen', () => ({ name: visibleTarget }), 'name to be what is seen'],
    ['wants a value or what is seen', () => ({ mentor: [visibleTarget, 3] }), 'mentor to be what is seen'],
    [
      'wants what only the service sets to be seen',
      () => ({ createdBy: visibleTarget }),
      'createdBy to be what is seen',
    ],
    ['leads back to itself', () => ({ mentor: visibleTarget }), 'the filter leads back to itself'],
    ['throws', () => JSON.parse('{'), 'JSON'],
  ]

  it.each(wrong)('shows nothing and is told to whoever runs the service, where it %s', async (_, filter, message) => {
    const told: unknown[] = []
    const onFault = (_: string, error: unknown) => told.push(error)
    const given = staffWith([{ noun: member, filter }])
    const app = await open(given, { database: await sharedDatabase(), onFault })
    onTestFinished(() => app.close())
    const ask = (method: 'GET' | 'PATCH' | 'POST', url: string, payload?: object) =>
      inject(app, { method, url, ...(payload && { payload }) })
    for (const answer of [
      await ask('GET', '/member'),
      await ask('GET', '/member/1'),
      await ask('PATCH', '/member/1', { name: 'X' }),
      await ask('POST', '/badge', { team: 1, member: 1 }),
    ]) {
      expect(answer.json()).toMatchObject({ status: 500, code: 'internal' })
      expect(answer.body).not.toContain('P1')
    }
    expect(told).toHaveLength(4)
    for (const error of told) expect(`${error}`).toContain(message)
    expect((await ask('GET', '/team')).statusCode).toBe(200)
  })
})

describe('what is not seen', () => {
  const team2 = visible(member, (caller) => isRoot(caller) || { team: 2 })

  it('is shown by its identity where a list shows what it is called', async () => {
    const at = await desk([team2, visible(team, () => ({ isOpen: true }))])
    await at.ask(everyone, { method: 'PATCH', url: '/member/3', body: { mentor: 2 } })
    const { body } = await at.ask(ada, { method: 'GET', url: '/member-detail?id=3&id=5&id=1' })
    expect(body.results).toMatchObject([
      { id: 1, team: '2', mentor: null },
      { id: 3, team: '2', mentor: '2' },
      { id: 5, team: '2', mentor: 'P3' },
    ])
  })

  it('is pointed at like what is not there', async () => {
    const at = await desk([team2])
    const point = (mentor: number) => at.ask(ada, { method: 'PATCH', url: '/member/5', body: { mentor } })
    const [hidden, missing] = [await point(2), await point(77)]
    expect(hidden.status).toBe(422)
    expect(hidden.text.replaceAll('2 ', '77 ')).toBe(missing.text.replaceAll('2 ', '77 '))
    const more = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 2 }
    const created = await at.ask(ada, { method: 'POST', url: '/member', body: { ...more, mentor: 2 } })
    expect(created.body).toMatchObject({ status: 422, code: 'reference-not-found' })
  })

  it('is not there for a link with a condition either', async () => {
    const at = await desk([visible(skill, (caller) => isRoot(caller) || { name: ['S1', 'S2'] })])
    const linked = async (caller: Caller, method: string, id: number, headers: Record<string, string>) => {
      const { status, body } = await at.ask(caller, { method, url: `/badge/${guids[0]}/skill/${id}`, headers })
      return status === 200 ? body.id : body.code
    }
    const tag = `"${(await at.ask(ada, { method: 'GET', url: `/badge/${guids[0]}/skill/1` })).tag}"`
    expect(await linked(ada, 'PUT', 1, { 'if-match': tag })).toBe(1)
    expect(await linked(ada, 'DELETE', 1, { 'if-match': tag })).toBe(1)
    expect(await linked(ada, 'PUT', 1, { 'if-match': tag })).toBe('precondition-failed')
    expect(await linked(ada, 'PUT', 1, { 'if-none-match': '*' })).toBe(1)
    for (const method of ['PUT', 'DELETE'])
      for (const header of ['if-match', 'if-none-match'])
        expect(await linked(ada, method, 3, { [header]: '*' }), `${method} ${header}`).toBe('record-not-found')
    expect(await linked(everyone, 'DELETE', 3, { 'if-match': '*' })).toBe(3)
  })

  it('may stay what a record points at, and is cleared', async () => {
    const at = await desk([team2])
    await at.ask(everyone, { method: 'PATCH', url: '/member/3', body: { mentor: 2 } })
    const { body } = await at.ask(ada, { method: 'GET', url: '/member/3' })
    expect(body.mentor).toBe(2)
    const again = await at.ask(ada, { method: 'PUT', url: '/member/3', body: { ...body, name: 'New' } })
    expect(again.body).toMatchObject({ name: 'New', mentor: 2 })
    const taken = await at.ask(ada, { method: 'PUT', url: '/member/3', body: { ...body, email: 'p5@example.com' } })
    expect(taken.body).toMatchObject({ status: 409, code: 'value-taken' })
    const cleared = await at.ask(ada, { method: 'PATCH', url: '/member/3', body: { mentor: null } })
    expect(cleared.body.mentor).toBeNull()
  })

  it('is in conflict without being told of', async () => {
    const at = await desk([team2])
    const more = { name: 'N', grade: 'JUNIOR', team: 2 }
    const conflict = async (taken: string) =>
      (await at.ask(ada, { method: 'POST', url: '/member', body: { ...more, email: taken } })).text
    expect(await conflict('p2@example.com')).toBe((await conflict('p3@example.com')).replaceAll('p3@', 'p2@'))
  })

  it('cannot be made, nor can anything become it', async () => {
    const at = await desk([team2])
    const body = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 1 }
    const created = await at.ask(ada, { method: 'POST', url: '/member', body })
    expect(created.body).toMatchObject({
      status: 403,
      code: 'out-of-sight',
      detail: 'You would not see the member that you create because of team.',
      errors: [{ pointer: '/team' }],
    })
    const moved = await at.ask(ada, { method: 'PATCH', url: '/member/3', body: { team: 1 } })
    expect(moved.body).toMatchObject({
      status: 403,
      code: 'out-of-sight',
      detail: 'You would not see the member any more because of team.',
    })
    expect((await at.ask(everyone, { method: 'GET', url: '/member/3' })).body.team).toBe(2)
    expect((await listed(at, everyone, '/member')).length).toBe(5)
  })

  it('cannot be what a record becomes that links hold on to', async () => {
    const at = await desk([visible(badge, (caller) => isRoot(caller) || { team: 2 })])
    const moved = await at.ask(ada, { method: 'PATCH', url: `/badge/${guids[1]}`, body: { team: 1 } })
    expect(moved.body).toMatchObject({ status: 403, code: 'out-of-sight' })
    expect((await at.ask(everyone, { method: 'GET', url: `/badge/${guids[1]}` })).body.team).toBe(2)
  })

  it('hides what belongs to it, also below another parent', async () => {
    const entry = noun('entry', { id: identity(), member: reference(() => member), team: reference(() => team) })
    const diary = api('diary', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [
        resource(member, { children: [resource(entry)] }),
        resource(team, { children: [resource(entry, { offers: ['list', 'read'] })] }),
      ],
    })
    const parts = [...sample.slice(0, 2), { noun: 'entry', rows: [1, 2, 3].map((id) => ({ id, member: id, team: 1 })) }]
    const { address, remove } = await testDatabase()
    const at = await openDesk(
      service({ name: 'diary', apis: [diary], visibility: [team2], sample: () => parts }),
      address,
    )
    onTestFinished(async () => {
      await at.close()
      await remove()
    })
    expect(await listed(at, everyone, '/team/1/entry')).toEqual([1, 2, 3])
    expect(await listed(at, ada, '/team/1/entry')).toEqual([1, 3])
    expect((await at.ask(ada, { method: 'GET', url: '/team/1/entry/2' })).status).toBe(404)
    expect((await at.ask(ada, { method: 'GET', url: '/team/1/entry/3' })).status).toBe(200)
  })

  it('is not named by what the api does not show', async () => {
    const at = await desk([visible(member, () => ({ tenant: 'south' }))])
    const body = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 1 }
    const { text, status } = await at.ask(ada, { method: 'POST', url: '/member', body })
    expect(status).toBe(403)
    expect(text).not.toContain('tenant')
  })

  it('is every new record to those who see records by their identity', async () => {
    const at = await desk([visible(team, ({ record }) => typeof record === 'number' && { id: record })])
    const body = { name: 'T', isOpen: true }
    expect((await at.ask(callerOf('x', {}, 4), { method: 'POST', url: '/team', body })).status).toBe(403)
    expect(await listed(at, callerOf('x', {}, 2), '/team')).toEqual([2])
  })

  it('keeps nobody from being noted as the one who wrote', async () => {
    const at = await desk([team2])
    const body = { name: 'N', email: 'n@example.com', grade: 'JUNIOR', team: 2 }
    const created = await at.ask(callerOf('p4', {}, 4), { method: 'POST', url: '/member', body })
    expect(created.status, created.text).toBe(201)
  })

  it('stands in the way of a delete without being counted', async () => {
    const at = await desk([team2, visible(badge, () => false), visible(skill, () => false)])
    const remove = async (id: number) => (await at.ask(ada, { method: 'DELETE', url: `/team/${id}` })).body
    expect(await remove(2)).toMatchObject({ status: 409, detail: '3 member records point at this team by team.' })
    expect(await remove(1)).toMatchObject({ status: 409, detail: 'Records that you do not see point at this team.' })
    expect(await remove(3)).toMatchObject({ id: 3 })
  })

  it('is linked without being counted', async () => {
    const move = { method: 'PATCH', url: `/badge/${guids[0]}`, body: { team: 2 } }
    const some = await desk([visible(skill, () => ({ id: [1, 2] }))])
    expect((await some.ask(ada, move)).body.detail).toMatch(/is linked with 2 skill records/)
    const none = await desk([visible(skill, () => false)])
    const { body } = await none.ask(ada, move)
    expect(body).toMatchObject({ status: 422, code: 'rule-broken' })
    expect(body.detail).toBe('The badge is linked with records that you do not see, and that have its present team.')
  })
})

describe('a request that is sent again', () => {
  const create = {
    method: 'POST',
    url: '/team',
    body: { name: 'T', isOpen: true },
    headers: { 'idempotency-key': 'k' },
  }

  it('is answered as before only to the same user', async () => {
    const at = await desk([])
    const [first, other, again] = [
      await at.ask(callerOf('ada'), create),
      await at.ask(callerOf('bob'), create),
      await at.ask(callerOf('ada'), create),
    ]
    expect([first.status, other.status, again.status]).toEqual([201, 201, 201])
    expect(other.body.id).not.toBe(first.body.id)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(other.headers['idempotency-replayed']).toBeUndefined()
  })

  it('is known before anything is judged', async () => {
    const isOpen = { isOpen: true }
    const at = await desk([visible(team, ({ claims }) => (claims.isShut ? { isOpen: false } : isOpen))])
    const first = await at.ask(callerOf('ada'), create)
    const again = await at.ask(callerOf('ada', { isShut: true }), create)
    expect(again.text).toBe(first.text)
  })
})

it('is promised by the document of the service, where a write may be refused for it', () => {
  const refusals = (visibility: readonly Visibility[]) => {
    const { paths = {}, components } = documentsOf(staffWith(visibility))[0]?.build() ?? {}
    // Without authentication, every write may also be refused as a cross-site request.
    const isOutOfSight = (response: { readonly $ref?: string } | undefined) => {
      const shared = Object.entries(components?.responses ?? {}).find(([name]) => response?.$ref?.endsWith(`/${name}`))
      return JSON.stringify(shared?.[1] ?? response ?? '').includes(problems['out-of-sight'][1])
    }
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { responses }]) =>
        isOutOfSight((responses as Record<string, object>)['403']) ? `${method} ${path}` : [],
      ),
    )
  }
  expect(refusals([])).toEqual([])
  expect(refusals([visible(team, () => true)])).toEqual(['post /team', 'put /team/{id}', 'patch /team/{id}'])
})
