// Fields whose default is that of their column, in tables that Nomen creates.
import {
  boolean,
  choice,
  date,
  decimal,
  guid,
  identity,
  integer,
  noun,
  number,
  operation,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { loadRecords, type Reject } from '@nomen/server/admin'
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import { expect, it, onTestFinished } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const note = noun('note', {
  id: identity(),
  title: text(),
  code: text().databaseDefault(),
  state: choice('NEW', 'OLD').databaseDefault(),
  rank: integer().databaseDefault(),
  ratio: number().databaseDefault(),
  price: decimal({ scale: 2 }).databaseDefault(),
  isOpen: boolean().databaseDefault(),
  key: guid().databaseDefault(),
  day: date().databaseDefault(),
  at: timestamp().databaseDefault(),
  seen: timestamp().nullable().databaseDefault(),
})
const notes = plainApi(resource(note, { search: ['code'] }))
const service = serviceOf([notes])

it('a record without a value gets the default of the column, and shows it', async () => {
  const { send, get } = await openService(service)
  const { status, body } = await send('POST', '/note', { title: 'First' })
  expect([status, body]).toEqual([
    201,
    {
      id: 1,
      title: 'First',
      code: '',
      state: 'NEW',
      rank: 0,
      ratio: 0,
      price: '0.00',
      isOpen: false,
      key: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      seen: null,
    },
  ])
  expect((await get('/note/1')).body).toEqual(body)
  const values = { title: 'Second', code: 'x', state: 'OLD', rank: 7, isOpen: true, seen: '2026-01-01T00:00:00.000Z' }
  expect((await send('POST', '/note', values)).body).toMatchObject({ id: 2, ...values })
  expect((await get('/note?search=x')).body.results).toHaveLength(1)
})

it('PUT requires every field, also those with a default', async () => {
  const { send } = await openService(service)
  const { body } = await send('POST', '/note', { title: 'First' })
  const { id: _, code: __, ...rest } = body
  expect((await send('PUT', '/note/1', rest)).status).toBe(400)
  expect((await send('PUT', '/note/1', { ...rest, code: 'given' })).body).toEqual({ ...body, code: 'given' })
})

it('the document does not require the field for a new record, and says who sets it', () => {
  const { schemas } = openapi(notes).components as Record<string, Record<string, Record<string, unknown>>>
  const create = Object.entries(schemas ?? {}).find(([name]) => /create/i.test(name))?.[1]
  expect(create?.required).toEqual(['title'])
  expect(create?.properties).toMatchObject({ code: { type: 'string', 'x-nomen-database-default': true } })
  expect(create?.properties).toMatchObject({ seen: { 'x-nomen-database-default': true } })
  expect(JSON.stringify(create)).not.toContain('"default":')
})

it('only a stored field can have a database default', () => {
  const body = { code: text().databaseDefault() }
  const declare = () => resource(note, { operations: { renewal: operation({ method: 'POST', on: 'record', body }) } })
  expect(() => plainApi(declare())).toThrow('"code" has databaseDefault(), but is not stored.')
})

it('a second default is rejected', () => {
  const declare = () => noun('note', { id: identity(), code: text().default('').databaseDefault() })
  expect(declare).toThrow('databaseDefault() cannot be combined with default()')
})

it('a required reference has no default of its own in a new table', async () => {
  const team = noun('team', { id: identity(), name: text() })
  const task = noun('task', { id: identity(), team: reference(() => team).databaseDefault() })
  await expect(openService(serviceOf([plainApi(resource(team), resource(task))]))).rejects.toThrow(
    'noun "task", field "team": databaseDefault() of a required reference needs a table of another program with a default.',
  )
})

const columnDefaults = { state: 'NEW', rank: 0, ratio: 0, price: '0.00', isOpen: false, seen: null }

it('a loaded record without a value gets the default of the column, row by row', async () => {
  const own = await testDatabase()
  onTestFinished(own.remove)
  const database = isOnPostgres ? own.address : `sqlite:${temporaryPath()}`
  const { get } = await openService(service, { database })
  const rejects: Reject[] = []
  const load = (text: string) =>
    loadRecords(service, { database, noun: 'note', source: sourceOf(text), onReject: (reject) => rejects.push(reject) })
  const rows = [{ title: 'a' }, { title: 'b', code: 'x', rank: 7 }, { title: 'c', rank: 8 }, { title: 'd' }]
  const loaded = await load(rows.map((row) => JSON.stringify(row)).join('\n'))
  expect([loaded.loaded, rejects]).toEqual([4, []])
  await load('title,code,rank\ne,y,\nf,,9\n')
  const { results } = (await get('/note?sort=id')).body
  expect(results).toMatchObject([
    {
      ...columnDefaults,
      title: 'a',
      code: '',
      key: expect.any(String),
      day: expect.any(String),
      at: expect.any(String),
    },
    { ...columnDefaults, title: 'b', code: 'x', rank: 7 },
    { ...columnDefaults, title: 'c', code: '', rank: 8 },
    { ...columnDefaults, title: 'd', code: '' },
    { ...columnDefaults, title: 'e', code: 'y' },
    { ...columnDefaults, title: 'f', code: '', rank: 9 },
  ])
  expect(new Set(results.map(({ key }: { key: string }) => key)).size).toBe(6)
  expect((await load('code\nz\n').catch((error: Error) => error.message)) as unknown).toContain('title')
})

it('a row of a sample without a value gets the default of the column', async () => {
  const rows = [{ title: 'a' }, { title: 'b', code: 'x', state: 'OLD' }]
  const { get } = await openService({ ...service, sample: () => [{ noun: 'note', rows }] })
  expect((await get('/note')).body.results).toMatchObject([
    { ...columnDefaults, id: 1, title: 'a', code: '' },
    { ...columnDefaults, id: 2, title: 'b', code: 'x', state: 'OLD' },
  ])
})
