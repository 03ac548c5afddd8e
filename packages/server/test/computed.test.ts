// Computed fields: declared by a noun, computed in the service file, shown like other fields and stored nowhere.
import {
  api,
  boolean,
  choice,
  createdAt,
  custom,
  date,
  decimal,
  identity,
  integer,
  link,
  noun,
  reference,
  resource,
  text,
} from '@nomen/core'
import { client } from '@nomen/core/client'
import { openapi } from '@nomen/core/openapi'
import { after, type Computation, compute, filter, rule, service, visible } from '@nomen/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { keptDatabase } from './kept-database.ts'
import { opened } from './opened.ts'

const team = noun('team', { id: identity(), name: text() }, { label: 'name', computed: { shout: text() } })
const person = noun(
  'person',
  {
    id: identity(),
    firstName: text(),
    lastName: text(),
    email: text().unique(),
    born: date().nullable(),
    salary: decimal({ scale: 2 }).default('0.00'),
    team: reference(() => team),
    boss: reference(() => person)
      .nullable()
      .clearedOnDelete(),
    created: createdAt(),
  },
  {
    computed: {
      fullName: text({ maxLength: 40 }),
      yearOfBirth: integer().nullable(),
      isFirstTeam: boolean(),
      tax: decimal({ scale: 2 }),
      size: choice('SHORT', 'LONG'),
    },
  },
)

const club = noun('club', { id: identity(), name: text() })
const clubPerson = link(club, person)

const computed: readonly Computation[] = [
  compute(team, 'shout', ['name'], ({ name }) => `${name.toUpperCase()}!`),
  compute(person, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`),
  compute(person, 'yearOfBirth', ['born'], ({ born }) => (born === null ? null : Number(born.slice(0, 4)))),
  compute(person, 'isFirstTeam', ['team'], (seen) => {
    expect(seen).toEqual({ team: expect.any(Number) })
    return seen.team === 1
  }),
  compute(person, 'tax', ['salary'], ({ salary }) => (Number(salary) / 10).toFixed(2)),
  compute(person, 'size', ['id', 'lastName'], ({ id, lastName }) => (lastName.length + id < 5 ? 'SHORT' : 'LONG')),
]

const office = api('office', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(team, {
      children: [resource(person, { path: 'member', list: ['id', 'fullName'], offers: ['list', 'read'], via: 'team' })],
    }),
    resource(club, {
      children: [resource(person, { path: 'partner', via: clubPerson, complete: ['id', 'fullName'] })],
    }),
    resource(person, {
      list: ['id', 'fullName', 'team', 'isFirstTeam'],
      summary: ['id'],
      detail: true,
      by: ['email'],
      search: ['firstName'],
      defaultFilter: { boss: null },
    }),
  ],
})
/** Another face of the same noun, which hides what its names are computed of. */
const registry = api('registry', {
  version: 1,
  versioning: 'whole',
  writes: 'flat',
  resources: [
    resource(person, {
      rename: { name: 'fullName', wage: 'salary' },
      complete: ['id', 'name', 'wage'],
      offers: ['list', 'read', 'update'],
    }),
  ],
})

const since = { created: '2026-01-01T00:00:00.000Z' }
const stored = {
  ada: {
    id: 1,
    firstName: 'Ada',
    lastName: 'Li',
    email: 'ada@x.y',
    born: '1985-02-03',
    salary: '12.50',
    team: 1,
    boss: null,
    ...since,
  },
  bob: {
    id: 2,
    firstName: 'Bob',
    lastName: 'O"Hara\\',
    email: 'bob@x.y',
    born: null,
    salary: '0.00',
    team: 2,
    boss: 1,
    ...since,
  },
  unal: {
    id: 3,
    firstName: 'Ünal',
    lastName: '😀',
    email: 'u@x.y',
    born: '2001-12-31',
    salary: '99.99',
    team: 2,
    boss: null,
    ...since,
  },
}
const rows = Object.values(stored)
const sample = () => [
  { noun: 'team', rows: ['Red', 'Blue'].map((name, at) => ({ id: at + 1, name })) },
  { noun: 'person', rows },
  { noun: 'club', rows: [{ id: 1, name: 'Chess' }] },
]
const given = { name: 'office', apis: [office, registry], sample }
/** What no database has a part in is asked of one in memory. */
const inMemory = { database: 'sqlite::memory:' }
const served = (more: object = {}, settings: object = {}) =>
  opened(service({ ...given, computed, ...more }), { onFault: () => {}, ...settings })

const ada = { ...stored.ada, fullName: 'Ada Li', yearOfBirth: 1985, isFirstTeam: true, tax: '1.25', size: 'SHORT' }
const bob = {
  ...stored.bob,
  fullName: 'Bob O"Hara\\',
  yearOfBirth: null,
  isFirstTeam: false,
  tax: '0.00',
  size: 'LONG',
}
const unal = { ...stored.unal, fullName: 'Ünal 😀', yearOfBirth: 2001, isFirstTeam: false, tax: '10.00', size: 'LONG' }

describe('a computed field', () => {
  it('is shown in single records, lookups and the lists that name it, and no more than that is shown', async () => {
    const { get } = await served()
    const shown: Record<string, unknown> = {}
    for (const path of [
      '/person/1',
      '/person/by-email/bob@x.y',
      '/team/2/member/3',
      '/team/2/member',
      '/person',
      '/person?include=2&sort=-id',
      '/person?search=nal',
      '/person-summary',
      '/person-detail?boss=1',
      '/team?id=1',
      '/v1/person/1',
      '/v1/person?wage=0.00',
    ]) {
      const { body } = await get(path)
      shown[path] = body.results ?? body
    }
    const item = ({ id, fullName, isFirstTeam }: typeof ada | typeof bob, name: string) => ({
      id,
      fullName,
      team: name,
      isFirstTeam,
    })
    expect(shown).toEqual({
      '/person/1': ada,
      '/person/by-email/bob@x.y': bob,
      '/team/2/member/3': unal,
      '/team/2/member': [bob, unal].map(({ id, fullName }) => ({ id, fullName })),
      '/person': [item(ada, 'Red'), item(unal, 'Blue')],
      '/person?include=2&sort=-id': [item(unal, 'Blue'), item(bob, 'Blue'), item(ada, 'Red')],
      '/person?search=nal': [item(unal, 'Blue')],
      '/person-summary': [{ id: 1 }, { id: 3 }],
      // A label stands for the value that is computed of.
      '/person-detail?boss=1': [{ ...bob, team: 'Blue' }],
      '/team?id=1': [{ id: 1, name: 'Red', shout: 'RED!' }],
      '/v1/person/1': { id: 1, name: 'Ada Li', wage: '12.50' },
      '/v1/person?wage=0.00': [{ id: 2, name: bob.fullName, wage: '0.00' }],
    })
    // In the order of the declaration, as all properties are.
    expect(Object.keys((await get('/v1/person/1')).body)).toEqual(['id', 'name', 'wage'])
    expect(Object.keys((await get('/person')).body.results[0])).toEqual(['id', 'fullName', 'team', 'isFirstTeam'])
  })

  it('stands in the answers to writes, of which the record is as it has become', async () => {
    const { ask, get } = await served()
    const { id: _, created: __, tax: ___, ...sent } = { ...bob, firstName: 'Eve', email: 'eve@x.y', fullName: 'x' }
    const made = await ask('POST', '/person', sent)
    expect([made.status, made.body]).toMatchObject([201, { id: 4, fullName: 'Eve O"Hara\\', tax: '0.00' }])
    const patched = await ask('PATCH', '/person/4', { lastName: 'May' })
    expect([patched.status, patched.body.fullName]).toEqual([200, 'Eve May'])
    expect((await ask('PATCH', '/v1/person/4', { wage: '5.00' })).body).toEqual({
      id: 4,
      name: 'Eve May',
      wage: '5.00',
    })
    expect((await ask('PATCH', '/person/4', {})).body).toEqual((await get('/person/4')).body)
    expect((await ask('DELETE', '/person/4')).body).toMatchObject({ id: 4, fullName: 'Eve May', tax: '0.50' })
    const linked = { id: 1, fullName: 'Ada Li' }
    expect((await ask('PUT', '/club/1/partner/1')).body).toEqual(linked)
    expect((await get('/club/1/partner')).body.results).toEqual([linked])
    expect((await ask('DELETE', '/club/1/partner/1')).body).toEqual(linked)
  })

  it('is ignored in bodies as what the server manages is, so that what was read can be sent back', async () => {
    const { ask, get } = await served()
    const { body, headers } = await get('/person/1')
    const back = { ...body, lastName: 'Wu', fullName: 'Somebody Else', created: 'never' }
    const put = await ask('PUT', '/person/1', back, { 'if-match': `${headers.etag}` })
    expect([put.status, put.body]).toEqual([200, { ...ada, lastName: 'Wu', fullName: 'Ada Wu' }])
    expect((await ask('PATCH', '/person/1', { fullName: 7 })).body.fullName).toBe('Ada Wu')
  })

  it('is neither a filter nor sorted by', async () => {
    const { get } = await served({}, inMemory)
    const sorted = await get('/person?sort=fullName')
    expect([sorted.status, sorted.body.code]).toEqual([400, 'invalid-parameter'])
    expect(JSON.stringify(sorted.body)).not.toMatch(/yearOfBirth|isFirstTeam/)
    const filtered = await get('/person?fullName=Ada%20Li')
    expect([filtered.status, filtered.body.code]).toEqual([400, 'unknown-parameter'])
  })

  it('can be filtered by where a custom filter says what that means', async () => {
    const fullName = custom(text())
    const named = api('named', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [resource(team), resource(person, { list: ['id', 'fullName'], filters: { fullName } })],
    })
    const filters = [
      filter(person, fullName, (value) => {
        const [firstName = '', ...lastName] = value.split(' ')
        return { firstName, lastName: lastName.join(' ') }
      }),
    ]
    const { get } = await opened(
      service({ ...given, apis: [named], sample: () => sample().slice(0, 2), computed, filters }),
    )
    expect((await get('/person?fullName=Ada%20Li')).body.results).toEqual([{ id: 1, fullName: 'Ada Li' }])
    const { person: people } = client<typeof named>({ baseUrl: 'http://localhost' })
    type Query = NonNullable<Parameters<typeof people.list>[0]>
    expectTypeOf<Query['fullName']>().toEqualTypeOf<string | undefined>()
  })

  it('is part of what a tag names: the fields, their functions and their revisions', async () => {
    const { get, ask } = await served({}, inMemory)
    const { etag = '' } = (await get('/v1/person/1')).headers
    expect((await get('/v1/person/1', { 'if-none-match': etag })).status).toBe(304)
    expect((await ask('PATCH', '/v1/person/1', { wage: '1.00' }, { 'if-match': etag })).status).toBe(200)
    const tagWith = async (one: Computation) => {
      const other = await served({ computed: computed.with(1, one) }, inMemory)
      return (await other.get('/v1/person/1')).headers.etag
    }
    const nameOf = ({ lastName }: { lastName: string }) => lastName
    const tags = [
      etag,
      await tagWith(computed[1] as Computation),
      await tagWith(compute(person, 'fullName', ['lastName'], nameOf)),
      await tagWith(compute(person, 'fullName', ['lastName', 'id'], nameOf)),
      await tagWith(compute(person, 'fullName', ['lastName'], nameOf, { revision: 2 })),
      await tagWith(compute(person, 'fullName', ['lastName'], ({ lastName }) => `${lastName}.`)),
    ]
    expect(tags[1]).toBe(tags[0])
    expect(new Set(tags).size).toBe(tags.length - 1)
  })

  it.each<[string, (seen: { firstName: string }) => unknown, string]>([
    ['throws', () => (undefined as unknown as string).length, 'cannot be computed: its function throws'],
    ['gives another kind', () => 7, 'comes to 7, and must be a string'],
    ['gives nothing', () => undefined, 'comes to nothing, and must be a string'],
    ['gives null', () => null, 'comes to null, and must not be null'],
    ['gives too much', () => 'x'.repeat(41), `comes to "${'x'.repeat(41)}", and must have at most 40 characters`],
    ['gives a promise', async () => Promise.reject(new Error('late')), 'comes to a promise'],
  ])('whose function %s is a fault of the service, told with noun, field and identity', async (_, value, told) => {
    const faults: Error[] = []
    const broken = compute(person, 'fullName', ['firstName'], (seen) =>
      seen.firstName === 'Bob' ? (value(seen) as string) : 'fine',
    )
    const { get, ask } = await opened(service({ ...given, computed: computed.with(1, broken) }), {
      ...inMemory,
      onFault: (_message, error) => faults.push(error as Error),
    })
    expect((await get('/person/1')).body.fullName).toBe('fine')
    const answers = [await get('/person/2'), await get('/team/2/member'), await ask('PATCH', '/v1/person/2', {})]
    for (const { status, text: shown } of answers) {
      expect(status).toBe(500)
      expect(shown).not.toContain('Bob')
    }
    expect(faults.map(({ message }) => message)).toEqual(
      Array(3).fill(expect.stringContaining(`The computed field "fullName" of person 2 ${told}`)),
    )
    // What does not show it goes on.
    expect((await get('/person-summary?boss=1')).body.results).toEqual([{ id: 2 }])
  })

  it('is hidden from rules, hooks and filters, which see what is stored', async () => {
    const seen: object[] = []
    const { ask } = await served({
      rules: [
        rule(person, (next) => {
          seen.push(next)
          return undefined
        }),
      ],
      after: [after(person, ({ record }) => seen.push(record))],
      visibility: [visible(person, () => ({ team: [1, 2] }))],
    })
    expect((await ask('PATCH', '/person/1', { lastName: 'Wu' })).body.fullName).toBe('Ada Wu')
    await expect.poll(() => seen).toEqual(Array(2).fill({ ...stored.ada, lastName: 'Wu' }))
    const wrong = visible(person, (() => ({ fullName: 'x' })) as () => never)
    const narrowed = await served({ visibility: [wrong] }, inMemory)
    expect((await narrowed.get('/person/1')).status).toBe(500)
  })

  it('is readable and not writable in the document and in the client', async () => {
    const document = JSON.parse(JSON.stringify(openapi(office)))
    const { Person, PersonReplace, PersonCreate, PersonListItem } = document.components.schemas
    const fullName = { type: 'string', maxLength: 40, readOnly: true }
    expect(Person.properties).toMatchObject({ fullName, size: { enum: ['SHORT', 'LONG'], readOnly: true } })
    expect(Person.required).toContain('fullName')
    expect(PersonListItem.properties.fullName).toEqual(fullName)
    for (const body of [PersonReplace, PersonCreate]) {
      expect(body.properties.fullName).toEqual(fullName)
      expect(body.required).not.toContain('fullName')
    }
    const names = document.paths['/person'].get.parameters.map(({ name }: { name?: string }) => name)
    expect(names).toContain('firstName')
    for (const name of Object.keys(person.options.computed)) expect(names).not.toContain(name)

    const { person: people } = client<typeof office>({ baseUrl: 'http://localhost' })
    type Query = NonNullable<Parameters<typeof people.list>[0]>
    type Read = Awaited<ReturnType<typeof people.read>>
    expectTypeOf<Read['fullName']>().toEqualTypeOf<string>()
    expectTypeOf<Read['yearOfBirth']>().toEqualTypeOf<number | null>()
    expectTypeOf<keyof Parameters<typeof people.replace>[1]>().toEqualTypeOf<
      'firstName' | 'lastName' | 'email' | 'born' | 'salary' | 'team' | 'boss'
    >()
    expectTypeOf<'fullName' & keyof Parameters<typeof people.create>[0]>().toEqualTypeOf<never>()
    expectTypeOf<'fullName' & keyof Query>().toEqualTypeOf<never>()
    expectTypeOf<Extract<Query['sort'], 'fullName'>>().toEqualTypeOf<never>()
    expectTypeOf<Extract<Query['sort'], '-lastName'>>().toEqualTypeOf<'-lastName'>()
  })

  it('is given again with a repeated create, and never with what it was computed of', async () => {
    const settings = { database: await keptDatabase() }
    const note = noun(
      'note',
      { id: identity(), secret: text().default('s3'), title: text() },
      { computed: { mark: text() } },
    )
    const plain = noun('note', { id: identity(), secret: text().default('s3'), title: text() })
    const notes = (one: typeof note | typeof plain, more: readonly string[]) =>
      api('notes', {
        versioning: 'per-noun',
        writes: 'nested',
        resources: [resource(one, { complete: ['id', 'title', ...more] as ['id', 'title'] })],
      })
    const marked = service({
      name: 'notes',
      apis: [notes(note, ['mark'])],
      computed: [compute(note, 'mark', ['secret'], ({ secret }) => secret.slice(0, 1))],
    })
    const unmarked = service({ name: 'notes', apis: [notes(plain, [])] })
    const post = async (running: Awaited<ReturnType<typeof opened>>, key: string) => {
      const { status, body } = await running.ask('POST', '/note', { title: 'T' }, { 'idempotency-key': key })
      return [status, body]
    }
    const first = await opened(marked, settings)
    expect([await post(first, 'a'), await post(first, 'a')]).toEqual(
      Array(2).fill([201, { id: 1, title: 'T', mark: 's' }]),
    )
    await first.app.close()
    // A service that computes nothing any more, and then one that does so again.
    const second = await opened(unmarked, settings)
    expect(await post(second, 'a')).toEqual([201, { id: 1, title: 'T' }])
    expect(await post(second, 'b')).toEqual([201, { id: 2, title: 'T' }])
    await second.app.close()
    const third = await opened(marked, settings)
    expect(await post(third, 'a')).toEqual([201, { id: 1, title: 'T', mark: 's' }])
    expect(await post(third, 'b')).toEqual([201, { id: 2, title: 'T' }])
  })
})

describe('a service', () => {
  it.each<[string, readonly Computation[], string]>([
    ['nobody to compute a field', computed.slice(1), 'the computed field "shout" of "team" is computed by nobody'],
    ['two to compute one', [...computed, ...computed.slice(0, 1)], '"shout" of "team" is computed by 2'],
    [
      'one to compute what is not shown',
      [...computed, { ...(computed[0] as Computation), noun: noun('crew', { id: identity() }) }],
      'computes "shout" of "crew", which none of its apis shows',
    ],
  ])('is refused with %s', (_, wrong, told) => {
    expect(() => service({ ...given, computed: wrong })).toThrow(told)
  })

  it('is refused with a function of what is not declared, or not stored', () => {
    // @ts-expect-error: it is stored.
    expect(() => compute(person, 'lastName', [], () => '')).toThrow(
      'noun "person": "lastName" is to be computed, and is declared as no computed field.\n  Fix: use fullName, ',
    )
    // @ts-expect-error: it is computed itself.
    expect(() => compute(person, 'fullName', ['tax'], () => '')).toThrow('"tax", which is no stored field')
    expect(() => compute(person, 'fullName', [], () => '', { revision: 0 })).toThrow('has the revision 0')
  })
})
