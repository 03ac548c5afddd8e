// A collation that is added, changed or removed: a migration computes the sort keys of existing records.
import { DatabaseSync } from 'node:sqlite'
import { type AnyField, identity, integer, noun, resource, text } from '@nomen/core'
import { loadRecords, migrateDatabase } from '@nomen/server/admin'
import { isOnPostgres } from '@nomen/testing/test-database'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const people = (fields: Readonly<Record<string, AnyField>>) =>
  serviceOf([plainApi(resource(noun('person', { id: identity(), ...fields })))])

async function loaded(fields: Readonly<Record<string, AnyField>>, csv: string): Promise<string> {
  const database = await persistentDatabase()
  await loadRecords(people(fields), { database, noun: 'person', source: sourceOf(csv) })
  return database
}

/** The values of a property in its order, after a start with this declaration. */
async function sortedBy(property: string, fields: Readonly<Record<string, AnyField>>, database: string) {
  const { app, column } = await openService(people(fields), { database })
  const values = await column(property, `/person?sort=${property}`)
  await app.close()
  return values
}

const names = 'name\nZoe\nÅre\nadam\nOz\nÖst\n'
const german = ['adam', 'Åre', 'Öst', 'Oz', 'Zoe']
const swedish = ['adam', 'Oz', 'Zoe', 'Åre', 'Öst']
const codePoints = ['Oz', 'Zoe', 'adam', 'Åre', 'Öst']

async function execute(database: string, statement: string): Promise<void> {
  if (!isOnPostgres) {
    const file = new DatabaseSync(database.replace(/^sqlite:/, ''))
    file.exec(statement)
    return file.close()
  }
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement)
  await client.end()
}

const steps = async (database: string, fields: Readonly<Record<string, AnyField>>) =>
  (await migrateDatabase(database, people(fields), 'plan')).steps.map(({ sentence, isSafe }) => [sentence, isSafe])

describe('a migration', () => {
  it('adds, changes and removes a collation, and its plan says so', async () => {
    const database = await loaded({ name: text() }, names)
    expect(await steps(database, { name: text({ sort: 'de' }) })).toEqual([
      ['sort "name" of "person" by the collation "de"', true],
      ['record the schema', true],
    ])
    expect(await sortedBy('name', { name: text() }, database)).toEqual(codePoints)
    expect(await sortedBy('name', { name: text({ sort: 'de' }) }, database)).toEqual(german)
    await migrateDatabase(database, people({ name: text({ sort: 'de' }) }), 'contract')
    expect(await steps(database, { name: text({ sort: 'de' }) })).toEqual([])
    expect((await steps(database, { name: text({ sort: 'sv' }) }))[0]).toEqual([
      'sort "name" of "person" by the collation "sv" instead of "de"',
      false,
    ])
    await migrateDatabase(database, people({ name: text({ sort: 'sv' }) }), 'apply')
    expect(await sortedBy('name', { name: text({ sort: 'sv' }) }, database)).toEqual(swedish)
    expect((await steps(database, { name: text() }))[0]).toEqual(['sort "name" of "person" by code point', true])
    expect(await sortedBy('name', { name: text() }, database)).toEqual(codePoints)
  })

  it('keeps the keys of a renamed field', async () => {
    const database = await loaded({ name: text({ sort: 'de' }) }, names)
    const fields = { label: text({ sort: 'de' }).renamedFrom('name') }
    const [step] = (await migrateDatabase(database, people(fields), 'plan')).steps
    expect(step?.sentence).toBe('rename field "name" of "person" to "label"')
    expect(step?.sql.join('\n')).toMatch(/rename column "name_sort" to "label_sort"/i)
    expect(step?.sql.join('\n')).not.toMatch(/sort_key|update|insert/i)
    await migrateDatabase(database, people(fields), 'apply')
    expect(await sortedBy('label', fields, database)).toEqual(german)
  })

  it('computes keys for new fields, copies and converted values', async () => {
    const database = await loaded({ name: text(), number: integer() }, 'name,number\nÖst,10\nadam,9\nZoe,-1\n')
    const sort = text({ sort: 'de' })
    const fields = {
      name: text(),
      number: sort,
      alias: sort.defaultFrom('name'),
      town: sort.default("L'Aquila"),
      note: sort.nullable(),
    }
    await migrateDatabase(database, people(fields), 'apply')
    const { app, send, column } = await openService(people(fields), { database })
    await send('POST', '/person', { name: 'x', number: '0', town: 'Köln', note: 'é' })
    expect(await column('number', '/person?sort=number')).toEqual(['-1', '0', '10', '9'])
    expect(await column('alias', '/person?sort=alias')).toEqual(['adam', 'Öst', 'x', 'Zoe'])
    expect(await column('town', '/person?sort=town&sort=-id')).toEqual(['Köln', "L'Aquila", "L'Aquila", "L'Aquila"])
    expect(await column('note', '/person?sort=-note')).toEqual(['é', null, null, null])
    await app.close()
  })

  it('computes the keys of many records', async () => {
    const lines = Array.from({ length: 6000 }, (_, index) => `Ö${(index * 7919) % 6000}`)
    const database = await loaded({ name: text() }, `name\n${lines.join('\n')}\n`)
    const { app, get } = await openService(people({ name: text({ sort: 'de' }) }), { database })
    const last = await get('/person?sort=name&pageSize=1000&pageNumber=6')
    const sorted = lines.toSorted((a, b) => Number(a > b) - Number(a < b))
    expect(last.body.results.map(({ name }: { name: string }) => name)).toEqual(sorted.slice(5000))
    await app.close()
  })

  it('computes the keys again if this version of Nomen has other ones', async () => {
    const fields = { name: text({ sort: 'de' }) }
    const database = await loaded(fields, names)
    await execute(database, `update "person" set "name_sort" = 'x'`)
    const older = `update "_schema" set "snapshot" = replace("snapshot", '"collation":"de","edition":1', '"collation":"de","edition":0')`
    await execute(database, older)
    expect((await steps(database, fields))[0]).toEqual(['compute the sort keys of "name" of "person" again', true])
    expect(await sortedBy('name', fields, database)).toEqual(german)
  })

  it('adds and drops the index of the keys with that of the field', async () => {
    const indexed = { name: text({ sort: 'de' }).indexed() }
    const database = await loaded(indexed, names)
    const fields = { name: text({ sort: 'de' }) }
    expect((await steps(database, fields))[0]).toEqual([
      'drop the index on "name" of "person", drop the index on the sort order of "name" of "person"',
      true,
    ])
    expect(await sortedBy('name', fields, database)).toEqual(german)
    await migrateDatabase(database, people(fields), 'contract')
    expect((await steps(database, indexed))[0]).toEqual([
      'add an index on "name" of "person", add an index on the sort order of "name" of "person"',
      true,
    ])
  })

  it('is rejected for a field whose column has the name of the keys', () => {
    const fields = { name: text({ sort: 'de' }), other: text().column('name_sort') }
    expect(() => people(fields)).toThrow(
      'noun "person": the column "name_sort" is needed to search or sort "name", but a field has this column.',
    )
  })
})
