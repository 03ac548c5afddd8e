// Computed fields: declared by a noun, computed in the service file, shown like other fields and not stored.
import { api, custom, identity, noun, resource, text } from '@nomen/core'
import { client } from '@nomen/core/client'
import { openapi } from '@nomen/core/openapi'
import { after, type Computation, compute, filter, rule, service, visible } from '@nomen/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  ada,
  bob,
  computed,
  definition,
  inMemory,
  office,
  openOffice,
  person,
  sample,
  stored,
  team,
  unal,
} from './computed-office.ts'
import { persistentDatabase } from './persistent-database.ts'
import { openService } from './test-service.ts'

describe('a computed field', () => {
  it('is shown in single records, lookups and the lists that name it, and nowhere else', async () => {
    const { get } = await openOffice()
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

  it('is in responses to writes, computed from the written record', async () => {
    const { send, get } = await openOffice()
    const { id: _, created: __, tax: ___, ...sent } = { ...bob, firstName: 'Eve', email: 'eve@x.y', fullName: 'x' }
    const created = await send('POST', '/person', sent)
    expect([created.status, created.body]).toMatchObject([201, { id: 4, fullName: 'Eve O"Hara\\', tax: '0.00' }])
    const patched = await send('PATCH', '/person/4', { lastName: 'May' })
    expect([patched.status, patched.body.fullName]).toEqual([200, 'Eve May'])
    expect((await send('PATCH', '/v1/person/4', { wage: '5.00' })).body).toEqual({
      id: 4,
      name: 'Eve May',
      wage: '5.00',
    })
    expect((await send('PATCH', '/person/4', {})).body).toEqual((await get('/person/4')).body)
    expect((await send('DELETE', '/person/4')).body).toMatchObject({ id: 4, fullName: 'Eve May', tax: '0.50' })
    const linked = { id: 1, fullName: 'Ada Li' }
    expect((await send('PUT', '/club/1/partner/1')).body).toEqual(linked)
    expect((await get('/club/1/partner')).body.results).toEqual([linked])
    expect((await send('DELETE', '/club/1/partner/1')).body).toEqual(linked)
  })

  it('is ignored in bodies like managed fields, so that clients can send back what they read', async () => {
    const { send, get } = await openOffice()
    const { body, headers } = await get('/person/1')
    const back = { ...body, lastName: 'Wu', fullName: 'Somebody Else', created: 'never' }
    const put = await send('PUT', '/person/1', back, { 'if-match': `${headers.etag}` })
    expect([put.status, put.body]).toEqual([200, { ...ada, lastName: 'Wu', fullName: 'Ada Wu' }])
    expect((await send('PATCH', '/person/1', { fullName: 7 })).body.fullName).toBe('Ada Wu')
  })

  it('can be neither filtered nor sorted by', async () => {
    const { get } = await openOffice({}, inMemory)
    const sorted = await get('/person?sort=fullName')
    expect([sorted.status, sorted.body.code]).toEqual([400, 'invalid-parameter'])
    expect(JSON.stringify(sorted.body)).not.toMatch(/yearOfBirth|isFirstTeam/)
    const filtered = await get('/person?fullName=Ada%20Li')
    expect([filtered.status, filtered.body.code]).toEqual([400, 'unknown-parameter'])
  })

  it('can be filtered by a custom filter', async () => {
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
    const { get } = await openService(
      service({ ...definition, apis: [named], sample: () => sample().slice(0, 2), computed, filters }),
    )
    expect((await get('/person?fullName=Ada%20Li')).body.results).toEqual([{ id: 1, fullName: 'Ada Li' }])
    const { person: people } = client<typeof named>({ baseUrl: 'http://localhost' })
    type Query = NonNullable<Parameters<typeof people.list>[0]>
    expectTypeOf<Query['fullName']>().toEqualTypeOf<string | undefined>()
  })

  it('is part of the ETag: fields, functions and revisions', async () => {
    const { get, send } = await openOffice({}, inMemory)
    const { etag = '' } = (await get('/v1/person/1')).headers
    expect((await get('/v1/person/1', { 'if-none-match': etag })).status).toBe(304)
    expect((await send('PATCH', '/v1/person/1', { wage: '1.00' }, { 'if-match': etag })).status).toBe(200)
    const tagWith = async (computation: Computation) => {
      const other = await openOffice({ computed: computed.with(1, computation) }, inMemory)
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

  it.each<[string, (fields: { firstName: string }) => unknown, string]>([
    ['throws', () => (undefined as unknown as string).length, 'cannot be computed: its function throws'],
    ['gives another kind', () => 7, 'is 7, but must be a string'],
    ['gives nothing', () => undefined, 'is nothing, but must be a string'],
    ['gives null', () => null, 'is null, but must not be null'],
    ['gives too much', () => 'x'.repeat(41), `is "${'x'.repeat(41)}", but must have at most 40 characters`],
    ['gives a promise', () => Promise.reject(new Error('late')), 'is a promise'],
  ])('whose function %s is a fault, reported with noun, field and identity', async (_, value, expectedMessage) => {
    const faults: Error[] = []
    const broken = compute(person, 'fullName', ['firstName'], (fields) =>
      fields.firstName === 'Bob' ? (value(fields) as string) : 'fine',
    )
    const { get, send } = await openService(service({ ...definition, computed: computed.with(1, broken) }), {
      ...inMemory,
      onFault: (_message, error) => faults.push(error as Error),
    })
    expect((await get('/person/1')).body.fullName).toBe('fine')
    const responses = [await get('/person/2'), await get('/team/2/member'), await send('PATCH', '/v1/person/2', {})]
    for (const { status, text: shown } of responses) {
      expect(status).toBe(500)
      expect(shown).not.toContain('Bob')
    }
    expect(faults.map(({ message }) => message)).toEqual(
      Array(3).fill(expect.stringContaining(`The computed field "fullName" of person 2 ${expectedMessage}`)),
    )
    // Operations that do not show the field still work.
    expect((await get('/person-summary?boss=1')).body.results).toEqual([{ id: 2 }])
  })

  it('is hidden from rules, hooks and filters, which see stored fields', async () => {
    const records: object[] = []
    const { send } = await openOffice({
      rules: [
        rule(person, (next) => {
          records.push(next)
          return undefined
        }),
      ],
      after: [after(person, ({ record }) => records.push(record))],
      visibility: [visible(person, () => ({ team: [1, 2] }))],
    })
    expect((await send('PATCH', '/person/1', { lastName: 'Wu' })).body.fullName).toBe('Ada Wu')
    await expect.poll(() => records).toEqual(Array(2).fill({ ...stored.ada, lastName: 'Wu' }))
    const wrong = visible(person, (() => ({ fullName: 'x' })) as () => never)
    const narrowed = await openOffice({ visibility: [wrong] }, inMemory)
    expect((await narrowed.get('/person/1')).status).toBe(500)
  })

  it('is readable and not writable in the document and in the client', async () => {
    const document = JSON.parse(JSON.stringify(openapi(office)))
    const { Person, PersonReplace, PersonCreate, PersonListItem, PersonSize } = document.components.schemas
    const fullName = { type: 'string', maxLength: 40, readOnly: true }
    const size = { $ref: '#/components/schemas/PersonSize', readOnly: true }
    expect(Person.properties).toMatchObject({ fullName, size })
    expect(PersonSize.enum).toEqual(['SHORT', 'LONG'])
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

  it('is returned again for a repeated create, without its source fields', async () => {
    const settings = { database: await persistentDatabase() }
    const note = noun(
      'note',
      { id: identity(), secret: text().default('s3'), title: text() },
      { computed: { mark: text() } },
    )
    const plain = noun('note', { id: identity(), secret: text().default('s3'), title: text() })
    const notes = (noun: typeof note | typeof plain, more: readonly string[]) =>
      api('notes', {
        versioning: 'per-noun',
        writes: 'nested',
        resources: [resource(noun, { complete: ['id', 'title', ...more] as ['id', 'title'] })],
      })
    const marked = service({
      name: 'notes',
      apis: [notes(note, ['mark'])],
      computed: [compute(note, 'mark', ['secret'], ({ secret }) => secret.slice(0, 1))],
    })
    const unmarked = service({ name: 'notes', apis: [notes(plain, [])] })
    const post = async (running: Awaited<ReturnType<typeof openService>>, key: string) => {
      const { status, body } = await running.send('POST', '/note', { title: 'T' }, { 'idempotency-key': key })
      return [status, body]
    }
    const first = await openService(marked, settings)
    expect([await post(first, 'a'), await post(first, 'a')]).toEqual(
      Array(2).fill([201, { id: 1, title: 'T', mark: 's' }]),
    )
    await first.app.close()
    // A service that computes nothing any more, and then one that does so again.
    const second = await openService(unmarked, settings)
    expect(await post(second, 'a')).toEqual([201, { id: 1, title: 'T' }])
    expect(await post(second, 'b')).toEqual([201, { id: 2, title: 'T' }])
    await second.app.close()
    const third = await openService(marked, settings)
    expect(await post(third, 'a')).toEqual([201, { id: 1, title: 'T', mark: 's' }])
    expect(await post(third, 'b')).toEqual([201, { id: 2, title: 'T' }])
  })
})

describe('a service', () => {
  it.each<[string, readonly Computation[], string]>([
    ['a computed field without a function', computed.slice(1), 'the computed field "shout" of "team" has no function'],
    ['two functions of one field', [...computed, ...computed.slice(0, 1)], '"shout" of "team" has 2 functions'],
    [
      'a function for a noun that no api shows',
      [...computed, { ...(computed[0] as Computation), noun: noun('crew', { id: identity() }) }],
      'computes "shout" of "crew", but no API of the service exposes',
    ],
  ])('is rejected with %s', (_, wrong, message) => {
    expect(() => service({ ...definition, computed: wrong })).toThrow(message)
  })

  it('is rejected with a function of a field that is not declared, or of sources that are not stored', () => {
    // @ts-expect-error: it is stored.
    expect(() => compute(person, 'lastName', [], () => '')).toThrow(
      'noun "person": compute() refers to "lastName", which is not a computed field of the noun.\n  Fix: use one of fullName, ',
    )
    // @ts-expect-error: it is computed itself.
    expect(() => compute(person, 'fullName', ['tax'], () => '')).toThrow('"tax" is not a stored field')
    expect(() => compute(person, 'fullName', [], () => '', { revision: 0 })).toThrow(
      'revision must be a positive integer, not 0',
    )
  })
})
