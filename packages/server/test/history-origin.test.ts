// Who made a change: entries have the user, the application, the request and the transaction, however the change was made.
import { api, change, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { handle, service } from '@nomen/server'
import { loadRecords } from '@nomen/server/admin'
import { isOnPostgres } from '@nomen/testing/test-database'
import { expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { execute, persistentDatabase } from './persistent-database.ts'
import { openService } from './test-service.ts'

const shelf = noun('shelf', { id: identity(), name: text() }, { history: true })
const book = noun('book', { id: identity(), shelf: reference(() => shelf), title: text() }, { history: true })
const filling = operation({ method: 'POST', on: 'record', body: { count: integer() } })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(shelf, { children: [resource(book)], operations: { filling } }), resource(change)],
})

/** Adds books in one transaction. It fails after more than ten. */
const fill = handle(shelf, filling, async ({ key, body, transaction }) => {
  await transaction(async (call) => {
    const books = call(library).shelf.of(key).book
    for (let at = 0; at < body.count; at++) await books.create({ title: `B${at}` })
    if (body.count > 10) throw new Error('too many')
  })
})

const definition = service({
  name: 'library',
  apis: [library],
  handlers: [fill],
  sample: () => [{ noun: 'shelf', rows: [{ name: 'S' }] }],
})

interface Entry {
  readonly [field: string]: string
}

const openLibrary = async () => {
  const database = await persistentDatabase()
  const app = await openService(definition, { database, onFault: () => undefined })
  const entries = async (): Promise<Entry[]> => {
    const { results } = (await app.get('/change?pageSize=1000')).body
    return results.toReversed().filter(({ kind }: Entry) => kind !== 'STARTED')
  }
  return { ...app, database, entries }
}

it('has the sample as its own application', async () => {
  const { entries } = await openLibrary()
  expect((await entries()).map(({ kind, application, request }) => [kind, application, request])).toEqual([
    ['CREATED', 'sample', null],
  ])
})

it('has one transaction for all writes of a handler, and nothing of a rolled back one', async () => {
  const { send, entries } = await openLibrary()
  const headers = { 'user-agent': 'desk/1' }
  expect((await send('POST', '/shelf/1/filling', { count: 3 }, headers)).status).toBe(204)
  expect((await send('POST', '/shelf/1/filling', { count: 11 }, headers)).status).toBe(500)
  expect((await send('POST', '/shelf/1/filling', { count: 2 }, headers)).status).toBe(204)
  const [, ...books] = await entries()
  expect(books.map(({ application }) => application)).toEqual(Array(5).fill('desk'))
  const groups = Object.values(Object.groupBy(books, ({ transaction = '' }) => transaction))
  expect(groups.map((group) => group?.length)).toEqual([3, 2])
  expect(new Set(books.map(({ request }) => request)).size).toBe(2)
})

it.runIf(isOnPostgres)('has the changes of a connection with another search path', async () => {
  const { entries, database } = await openLibrary()
  const [schema] = await execute(database, 'select current_schema() as name')
  await execute(database, `set search_path = pg_catalog; update "${schema?.name}"."shelf" set "name" = 'T'`)
  // A write that changes no field has no entry.
  await execute(database, `set search_path = pg_catalog; update "${schema?.name}"."shelf" set "name" = 'T'`)
  const [, ...changes] = await entries()
  expect(changes.map(({ record, fields, after, user }) => [record, fields, after, user])).toEqual([
    ['shelf/1', 'name', '{"name":"T"}', null],
  ])
})

it('has the entries of a load, and of a delete with very many records', async () => {
  const { send, entries, database } = await openLibrary()
  const rows = Array.from({ length: 1500 }, (_, at) => `${at + 1},1,T${at}`)
  const source = sourceOf(`id,shelf,title\n${rows.join('\n')}\n`)
  await loadRecords(definition, { database, noun: 'book', source, onReject: () => undefined })
  const { results, pageInfo } = (await send('GET', '/change?kind=CREATED&pageSize=1000')).body
  expect([pageInfo.numberOfRecords, results[0].application, results[0].record]).toEqual([
    1501,
    'nomen load',
    'book/1500',
  ])
  await send('DELETE', '/shelf/1', undefined, { 'user-agent': 'desk/1', 'x-request-id': 'request-delete' })
  const deleted = (await send('GET', '/change?kind=DELETED&pageSize=1000')).body
  expect(deleted.pageInfo.numberOfRecords).toBe(1501)
  const [last] = deleted.results
  expect([last.record, last.application]).toEqual(['shelf/1', 'desk'])
  expect(new Set(deleted.results.map(({ transaction }: Entry) => transaction)).size).toBe(1)
  expect((await entries()).length).toBe(1000)
})
