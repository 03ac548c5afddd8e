// Lists that are sorted by a collation: the same order on both databases, for every way to write a record.
import { identity, integer, noun, resource, text } from '@nomen/core'
import { rule, service } from '@nomen/server'
import { loadRecords } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const person = noun('person', {
  id: identity(),
  lastName: text({ sort: 'de' }).column('surname'),
  town: text({ sort: 'sv' }).nullable(),
  age: integer().default(0),
})
const people = resource(person, { list: ['id', 'lastName', 'town'], search: ['lastName'] })
const phoneBook = serviceOf([plainApi(people)])
const names = ['Zoe', 'Ångström', 'adam', 'Öst', 'Oz', 'Müller', 'Muller', 'Mueller', 'o’Hara', "O'Hara", '2nd', 'Ähre']
const sortedNames = [
  ...['2nd', 'adam', 'Ähre', 'Ångström', 'Mueller', 'Muller', 'Müller', "O'Hara", 'o’Hara', 'Öst', 'Oz', 'Zoe'],
]

async function phoneBookOf(records: readonly object[]) {
  const app = await openService(phoneBook)
  for (const record of records) expect((await app.send('POST', '/person', record)).status).toBe(201)
  return app
}

describe('a list sorted by a collation', () => {
  it('has the order of the language', async () => {
    const { column } = await phoneBookOf(names.map((lastName) => ({ lastName })))
    expect(await column('lastName', '/person?sort=lastName')).toEqual(sortedNames)
    expect(await column('lastName', '/person?sort=-lastName')).toEqual(sortedNames.toReversed())
  })

  it('has a null first, in descending order last, and the identity for ties', async () => {
    const towns = ['Åre', null, 'Zug', 'Ähtäri', null, 'Åre']
    const { column } = await phoneBookOf(towns.map((town) => ({ lastName: 'x', town })))
    expect(await column('id', '/person?sort=town')).toEqual([2, 5, 3, 1, 6, 4])
    expect(await column('id', '/person?sort=-town')).toEqual([4, 1, 6, 3, 2, 5])
    expect(await column('id', '/person?sort=lastName&sort=-town')).toEqual([4, 1, 6, 3, 2, 5])
    expect(await column('id', '/person?sort=town&sort=-id')).toEqual([5, 2, 3, 6, 1, 4])
  })

  it('has every record on one of its pages, with filters, a search and included records', async () => {
    const { column, get } = await phoneBookOf(names.map((lastName, index) => ({ lastName, age: index % 2 })))
    const page = async (number: number) =>
      (await get(`/person?sort=lastName&pageSize=3&pageNumber=${number}`)).body.results
    const pages = await Promise.all([1, 2, 3, 4, 5].map(page))
    expect(pages.flat().map(({ lastName }) => lastName)).toEqual(sortedNames)
    const old = sortedNames.filter((name) => names.indexOf(name) % 2 === 1)
    expect(await column('lastName', '/person?age=1&sort=lastName')).toEqual(old)
    expect(await column('lastName', '/person?search=LLER&sort=-lastName')).toEqual(['Müller', 'Muller', 'Mueller'])
    const zoe = names.indexOf('Zoe') + 1
    expect(await column('lastName', `/person?age=1&include=${zoe}&sort=lastName`)).toEqual([...old, 'Zoe'])
    expect(await column('lastName', '/person?lastName=Müller&lastName=Öst&sort=-lastName')).toEqual(['Öst', 'Müller'])
    expect(Object.keys((await get('/person?sort=lastName')).body.results[0])).toEqual(['id', 'lastName', 'town'])
  })

  it('follows changes of a record', async () => {
    const { send, column } = await phoneBookOf(['Adam', 'Bär', 'Zoe'].map((lastName) => ({ lastName, town: 'Öd' })))
    await send('PATCH', '/person/1', { lastName: 'Österreicher' })
    await send('PUT', '/person/3', { lastName: 'ärmel', town: null, age: 1 })
    expect(await column('lastName', '/person?sort=lastName')).toEqual(['ärmel', 'Bär', 'Österreicher'])
    expect(await column('lastName', '/person?sort=town')).toEqual(['ärmel', 'Österreicher', 'Bär'])
  })

  it('sorts strings by code point without a collation', async () => {
    const plain = noun('word', { id: identity(), name: text() })
    const { send, column } = await openService(serviceOf([plainApi(resource(plain))]))
    for (const name of names) await send('POST', '/word', { name })
    expect(await column('name', '/word?sort=name')).toEqual([...names].sort())
  })
})

describe('sort keys', () => {
  it('are written by samples', async () => {
    const sample = () => [{ noun: 'person', rows: names.map((lastName) => ({ lastName })) }]
    const app = await openService(service({ name: 'test', apis: [plainApi(people)], sample }))
    expect(await app.column('lastName', '/person?sort=lastName')).toEqual(sortedNames)
  })

  it('are written by loads and by updates of loads', async () => {
    const database = await persistentDatabase()
    const load = (csv: string, more = {}) =>
      loadRecords(phoneBook, { database, noun: 'person', source: sourceOf(csv), ...more })
    expect((await load(`lastName\n${names.join('\n')}\n`)).loaded).toBe(names.length)
    await load('id,lastName\n1,aachen\n', { isUpdating: true })
    const app = await openService(phoneBook, { database })
    const expected = ['2nd', 'aachen', ...sortedNames.slice(1, -1)]
    expect(await app.column('lastName', '/person?sort=lastName')).toEqual(expected)
  })

  it('order the records that a rule reads', async () => {
    const isLast = rule(person, ['lastName'], async ({ lastName }, _, { read }) => {
      const [last] = await read(person).list(true, { sort: '-lastName', limit: 1 })
      return lastName === 'x' ? { field: 'lastName', detail: `The last one is ${last?.lastName}.` } : undefined
    })
    const { send } = await openService(serviceOf([plainApi(people)], [isLast]))
    for (const lastName of ['Oz', 'Öst', 'Ångström'])
      expect((await send('POST', '/person', { lastName })).status).toBe(201)
    const rejected = await send('POST', '/person', { lastName: 'x' })
    expect(rejected).toMatchObject({ status: 422, body: { errors: [{ detail: 'The last one is Oz.' }] } })
  })
})
