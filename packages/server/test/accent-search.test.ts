// A search that ignores accents: the same on both databases, for every way to write a record.
import { identity, noun, resource, text } from '@nomen/core'
import { service } from '@nomen/server'
import { loadRecords, migrateDatabase } from '@nomen/server/admin'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

const people = (lastName: ReturnType<typeof text>) => {
  const person = noun('person', { id: identity(), lastName, town: text().nullable() })
  return plainApi(resource(person, { search: ['lastName', 'town'] }))
}
const insensitive = text({ search: 'accent-insensitive' })
const names = ['Müller', 'MULLER', 'Mueller', 'Łódź', 'Straße', 'Ελλάς', 'Zoe\u0308']

const searchNames = ({ column }: TestService, search: string) =>
  column('lastName', `/person?${new URLSearchParams({ search, sort: 'id' })}`)

async function expectInsensitive(app: TestService): Promise<void> {
  for (const search of ['müller', 'Muller', 'ULL', 'u\u0308l'])
    expect(await searchNames(app, search)).toEqual(names.slice(0, 2))
  expect(await searchNames(app, 'lodz')).toEqual(['Łódź'])
  expect(await searchNames(app, 'STRASSE')).toEqual(['Straße'])
  expect(await searchNames(app, 'ελλασ')).toEqual(['Ελλάς'])
  expect(await searchNames(app, 'zoé')).toEqual(['Zoe\u0308'])
  expect(await searchNames(app, 'mueller')).toEqual(['Mueller'])
}

describe('a search that ignores accents', () => {
  it('finds what requests write and change', async () => {
    const app = await openService(serviceOf([people(insensitive)]))
    for (const lastName of names) expect((await app.send('POST', '/person', { lastName })).status).toBe(201)
    await expectInsensitive(app)
    await app.send('PATCH', '/person/1', { lastName: 'Ångström' })
    expect(await searchNames(app, 'muller')).toEqual(['MULLER'])
    expect(await searchNames(app, 'angstrom')).toEqual(['Ångström'])
  })

  it('applies to its field only', async () => {
    const app = await openService(serviceOf([people(insensitive)]))
    await app.send('POST', '/person', { lastName: 'Öst', town: 'Köln' })
    expect(await searchNames(app, 'ost')).toEqual(['Öst'])
    expect(await searchNames(app, 'KÖLN')).toEqual(['Öst'])
    expect(await searchNames(app, 'koln')).toEqual([])
    expect(await app.column('lastName', '/person?lastName=Ost')).toEqual([])
  })

  it('finds the records of samples and loads', async () => {
    const rows = names.map((lastName) => ({ lastName }))
    const sample = () => [{ noun: 'person', rows }]
    await expectInsensitive(await openService(service({ name: 'test', apis: [people(insensitive)], sample })))
    const database = await persistentDatabase()
    const loaded = serviceOf([people(insensitive)])
    await loadRecords(loaded, { database, noun: 'person', source: sourceOf(`lastName\n${names.join('\n')}\n`) })
    await expectInsensitive(await openService(loaded, { database }))
  })

  it('is added and removed by a migration', async () => {
    const database = await persistentDatabase()
    const [sensitive, other] = [serviceOf([people(text())]), serviceOf([people(insensitive)])]
    const source = sourceOf(`lastName\n${names.join('\n')}\n`)
    await loadRecords(sensitive, { database, noun: 'person', source })
    const sentences = async (to: typeof sensitive) =>
      (await migrateDatabase(database, to, 'plan')).steps.map(({ sentence, isSafe }) => [sentence, isSafe])
    expect((await sentences(other))[0]).toEqual(['make the search of "lastName" of "person" accent-insensitive', false])
    await migrateDatabase(database, other, 'apply')
    const changed = await openService(other, { database })
    await expectInsensitive(changed)
    await changed.app.close()
    expect(await sentences(other)).toEqual([])
    expect((await sentences(sensitive))[0]).toEqual([
      'make the search of "lastName" of "person" accent-sensitive',
      false,
    ])
    await migrateDatabase(database, sensitive, 'apply')
    const before = await openService(sensitive, { database })
    expect(await searchNames(before, 'muller')).toEqual(['MULLER'])
    expect(await searchNames(before, 'müller')).toEqual(['Müller'])
  })
})

it('a search ignores case only, by default', async () => {
  const app = await openService(serviceOf([people(text())]))
  for (const lastName of names) await app.send('POST', '/person', { lastName })
  expect(await searchNames(app, 'muller')).toEqual(['MULLER'])
  expect(await searchNames(app, 'MÜLLER')).toEqual(['Müller'])
})
