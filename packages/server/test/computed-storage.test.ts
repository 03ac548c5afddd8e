// Computed fields and the database: they have no column, and are not in loads or exports.
import { type AnyNoun, api, identity, integer, noun, resource, text } from '@nomen/core'
import { compute, service } from '@nomen/server'
import { exportRecords, loadRecords, type MigrationReport, migrateDatabase } from '@nomen/server/admin'
import { isOnPostgres } from '@nomen/testing/test-database'
import { expect, it } from 'vitest'
import { ndjson, sourceOf } from './bulk-bench.ts'
import { persistentDatabase } from './persistent-database.ts'
import { openService } from './test-service.ts'

const fields = { id: identity(), firstName: text(), lastName: text() }
const plain = noun('person', fields)
const named = noun('person', fields, { computed: { fullName: text(), length: integer() } })
const stored = noun('person', { ...fields, fullName: text().default('') })

const people = (noun: AnyNoun, more = {}) =>
  service({
    name: 'people',
    apis: [
      api('people', {
        versioning: 'per-noun',
        writes: 'nested',
        resources: [resource(noun, { search: ['lastName'], ...more })],
      }),
    ],
    ...(noun === named && {
      computed: [
        compute(named, 'fullName', ['firstName', 'lastName'], ({ firstName, lastName }) => `${firstName} ${lastName}`),
        compute(named, 'length', ['lastName'], ({ lastName }) => lastName.length),
      ],
    }),
  })

const ada = { id: 1, firstName: 'Ada', lastName: 'Li' }
const shown = { ...ada, fullName: 'Ada Li', length: 2 }

it('does not change the schema', async () => {
  const database = await persistentDatabase()
  const reports: MigrationReport[] = []
  for (const [noun, expected] of [
    [plain, ada],
    [named, shown],
    [plain, ada],
  ] as const) {
    const { app, send, get } = await openService(people(noun), {
      database,
      onMigration: (report) => void reports.push(report),
    })
    await send('POST', '/person', { firstName: 'Ada', lastName: 'Li' })
    expect((await get('/person/1')).body).toEqual(expected)
    await app.close()
  }
  expect(reports.map(({ isFresh }) => isFresh)).toEqual([true])
})

it('drops the column of a formerly stored field only on request', async () => {
  const database = await persistentDatabase()
  const before = await openService(people(stored), { database })
  await before.send('POST', '/person', { firstName: 'Ada', lastName: 'Li', fullName: 'Countess' })
  await before.app.close()
  const kept = await openService(people(named), { database })
  expect((await kept.get('/person/1')).body).toEqual(shown)
  await kept.app.close()
  const { changes } = await migrateDatabase(database, people(named), 'contract')
  expect(changes.map(({ sentence }) => sentence)).toContain('drop field "fullName" of "person"')
  const { get } = await openService(people(named), { database })
  expect((await get('/person/1')).body).toEqual(shown)
})

it('is not exported, and is ignored in loaded files', async () => {
  const database = await persistentDatabase()
  const load = async (file: string) => {
    const reasons: string[] = []
    const onReject = ({ reason }: { reason: string }) => void reasons.push(reason)
    const source = sourceOf(file)
    const { loaded } = await loadRecords(people(named), { database, noun: 'person', source, onReject })
    return [loaded, ...reasons]
  }
  expect(await load(ndjson([{ ...shown, fullName: 7 }]))).toEqual([1])
  expect(await load('id,fullName,firstName,lastName\n2,x,"B,o",b\n')).toEqual([1])
  expect(await load(ndjson([{ ...shown, id: 3, fulName: 'x' }]))).toEqual([0, expect.stringContaining('"fulName"')])
  const exports = { ndjson: '', csv: '' }
  for (const format of ['ndjson', 'csv'] as const) {
    const all = await exportRecords(people(named), { database, noun: 'person', format })
    for await (const part of all.parts()) exports[format] += part.text
    await all.close()
  }
  const bob = { id: 2, firstName: 'B,o', lastName: 'b' }
  expect(
    exports.ndjson
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([ada, bob])
  expect(exports.csv).toBe('id,firstName,lastName\n1,Ada,Li\n2,"B,o",b\n')
  const { column } = await openService(people(named), { database })
  expect(await column('fullName', '/person')).toEqual(['Ada Li', 'B,o b'])
})

it.skipIf(isOnPostgres)('is shown in lists that a reader thread reads', async () => {
  const database = await persistentDatabase()
  // More rows than one batch reads while other requests wait.
  const rows = Array.from({ length: 20_100 }, (_, at) => ({ id: at + 1, firstName: `A${at}`, lastName: `L${at % 7}` }))
  const { get } = await openService(
    { ...people(named, { list: ['id', 'fullName'] }), sample: () => [{ noun: 'person', rows }] },
    { database },
  )
  const matches = rows.filter(({ lastName }) => lastName === 'L6').slice(2, 4)
  const { body } = await get('/person?search=l6&pageSize=2&pageNumber=2')
  expect(body.results).toEqual(
    matches.map(({ id, firstName, lastName }) => ({ id, fullName: `${firstName} ${lastName}` })),
  )
})
