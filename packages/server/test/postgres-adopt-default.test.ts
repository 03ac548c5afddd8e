// Columns of another program whose default is an expression.
import { identity, noun, resource, text, timestamp } from '@nomen/core'
import { loadRecords, migrateDatabase } from '@nomen/server/admin'
import { expect, it } from 'vitest'
import { sourceOf } from './bulk-bench.ts'
import { foreignDatabase } from './foreign-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const table = `create table notes (
  id serial primary key, title text not null,
  code text not null default upper(md5(random()::text)),
  created_at timestamptz default now()
)`

const declared = (title: ReturnType<typeof text> | ReturnType<ReturnType<typeof text>['databaseDefault']> = text()) =>
  serviceOf([
    plainApi(
      resource(
        noun(
          'note',
          {
            id: identity(),
            title,
            code: text().databaseDefault(),
            createdAt: timestamp().nullable().databaseDefault().column('created_at'),
          },
          { table: 'notes' },
        ),
      ),
    ),
  ])

it('are set by the database for a new record, and shown in the response', async () => {
  const { url, run } = await foreignDatabase(table)
  const service = declared()
  await migrateDatabase(url, service, 'adopt')
  const { send, get } = await openService(service, { database: url })
  const { status, body } = await send('POST', '/note', { title: 'First' }, { 'idempotency-key': 'once' })
  expect([status, body]).toEqual([
    201,
    {
      id: 1,
      title: 'First',
      code: expect.stringMatching(/^[0-9A-F]{32}$/),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    },
  ])
  expect((await get('/note/1')).body).toEqual(body)
  expect(await run('select code from notes')).toEqual([{ code: body.code }])
  const values = { title: 'Second', code: 'mine', createdAt: null }
  expect((await send('POST', '/note', values)).body).toEqual({ id: 2, ...values })
})

it('are set by the database for a loaded record', async () => {
  const { url, run } = await foreignDatabase(table)
  const service = declared()
  await migrateDatabase(url, service, 'adopt')
  const { loaded } = await loadRecords(service, {
    database: url,
    noun: 'note',
    source: sourceOf('title,code\nFirst,\nSecond,mine\n'),
  })
  expect(loaded).toBe(2)
  expect(await run('select title, code, created_at is not null as dated from notes order by id')).toEqual([
    { title: 'First', code: expect.stringMatching(/^[0-9A-F]{32}$/), dated: true },
    { title: 'Second', code: 'mine', dated: true },
  ])
})

it('a column without a default does not fit', async () => {
  const { url } = await foreignDatabase(table)
  const adopting = migrateDatabase(url, declared(text().databaseDefault()), 'adopt')
  await expect(adopting).rejects.toThrow('has no default: remove databaseDefault()')
})
