import { identity, noun, text } from '@nomen/core'
import { expect, it } from 'vitest'
import { postgresSchemas } from '../../../../../test/migrated-postgres.ts'
import { modelOfNouns } from '../../../../../test/model-of-nouns.ts'

const open = postgresSchemas()
const other = noun('other', { id: identity(), name: text() })
const user = noun('user', { id: identity(), name: text() })
const wider = noun('user', { id: identity(), name: text(), motto: text().nullable() })

it('an interrupted start is finished by the next one, also of another version', async () => {
  const database = await open()
  const [before, after] = [
    modelOfNouns([user, other]),
    modelOfNouns([wider, other], { indexed: ['user.motto'], searched: ['user.name'] }),
  ]
  await database.migrate(before, 'start')
  await database.insert(before, 'user', { name: 'Éva' })
  // The name of the new index is in use.
  await database.run('create index user_motto on other (name)')
  await expect(database.migrate(after, 'start')).rejects.toThrow('user_motto')
  expect(await database.columns('user')).toEqual(['id', 'name', '_version', 'motto', 'name_folded'])
  await database.run('drop index user_motto')
  const { changes } = await database.migrate(before, 'start')
  expect(changes.map(({ sentence }) => sentence)).toEqual([
    'complete the unfinished indexes and search columns of "user"',
  ])
  expect(await database.indexes('user')).toEqual(['user_motto'])
  expect((await database.migrate(after, 'start')).changes).toEqual([])
  expect(await database.records(after, 'user', 'name_folded')).toEqual([{ name_folded: 'éva' }])
})

it('an index that was not completed is built again, and writes continue while it is built', async () => {
  const database = await open()
  const before = modelOfNouns([user, other])
  await database.migrate(before, 'start')
  const writer = await database.connect()
  await writer.query('begin')
  await writer.query(`insert into "user" (name) values ('a')`)
  const work = database.migrate(modelOfNouns([user, other], { indexed: ['user.name'] }), 'start')
  const watcher = await database.connect()
  const isBuilding = async () =>
    (
      await watcher.query(
        `select from pg_class where relname = 'user_name' and relnamespace = current_schema()::regnamespace`,
      )
    ).rows.length
  await expect.poll(isBuilding).toBe(1)
  // A build that holds a lock would wait for the writer, and the writer for it.
  await writer.query(`insert into "user" (name) values ('b')`)
  await watcher.query(`insert into "user" (name) values ('c')`)
  await writer.query('commit')
  await work
  await database.run(`update pg_index set indisvalid = false where indexrelid = 'user_name'::regclass`)
  await database.run(
    `update _schema set snapshot = replace(snapshot, '"name":"user",', '"name":"user","pending":true,')`,
  )
  await database.migrate(before, 'start')
  const { rows } = await watcher.query(`select indisvalid from pg_index where indexrelid = 'user_name'::regclass`)
  expect(rows).toEqual([{ indisvalid: true }])
})

it('readers pass while a start waits for a table', async () => {
  const database = await open()
  const before = modelOfNouns([user, other])
  await database.migrate(before, 'start')
  const holder = await database.connect()
  await holder.query('begin; lock table "user" in share mode')
  const work = database.migrate(modelOfNouns([wider, other]), 'start')
  const reader = await database.connect()
  const isWaiting = async () => (await reader.query('select from pg_locks where not granted')).rows.length > 0
  await expect.poll(isWaiting).toBe(true)
  // Readers pass between two tries.
  await reader.query('select from "user"')
  await holder.query('rollback')
  await work
  expect(await database.columns('user')).toContain('motto')
})
