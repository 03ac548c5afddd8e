// Databases of the first edition, with ambiguous names of indexes, triggers and tallies: the next start migrates them.
import { DatabaseSync } from 'node:sqlite'
import { boolean, choice, identity, noun, reference, resource, text } from '@nomen/core'
import { exportRecords, migrateDatabase } from '@nomen/server/admin'
import { isOnPostgres } from '@nomen/testing/test-database'
import pg from 'pg'
import { expect, it } from 'vitest'
import { persistentDatabase } from './persistent-database.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const list = noun(
  'list',
  { id: identity().column('list_id'), name: text().unique().column('list_name'), open: boolean().column('is_open') },
  { table: 'price_list' },
)
const price = noun('price', {
  id: identity(),
  list: reference(() => list).column('list_id'),
  state: choice('NEW', 'OLD').default('NEW'),
})
const tag = noun('tag', { id: identity(), word: text().unique(), state: choice('NEW', 'OLD') })
const shop = serviceOf([plainApi(resource(list), resource(price), resource(tag))])

/** Names that end in a hash, without it. */
const hashed = '^.*_[0-9a-f]{16}$'
const plain = (name: string) => name.slice(0, -17)
const named = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Makes a database what an earlier version has made of it: other names, fewer triggers, another snapshot. */
async function toFirstEdition(address: string): Promise<void> {
  return isOnPostgres ? postgresToFirstEdition(address) : sqliteToFirstEdition(address.replace(/^sqlite:/, ''))
}

async function postgresToFirstEdition(address: string): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  const here = `'public'::regnamespace`
  const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows as string[][]
  for (const [name = ''] of await rows(
    `select proname from pg_proc where pronamespace = ${here} and proname ~ '_on_(truncate|move)(_[0-9a-f]{16})?$'`,
  ))
    await client.query(`drop function ${named(name)} cascade`)
  for (const [name = '', table = ''] of await rows(
    `select tgname, tgrelid::regclass::text from pg_trigger where tgname ~ '${hashed}'`,
  ))
    await client.query(`alter trigger ${named(name)} on ${table} rename to ${named(plain(name))}`)
  for (const [name = ''] of await rows(
    `select proname from pg_proc where pronamespace = ${here} and proname ~ '${hashed}'`,
  ))
    await client.query(`alter function ${named(name)} rename to ${named(plain(name))}`)
  for (const [name = '', kind = ''] of await rows(
    `select relname, relkind::text from pg_class where relnamespace = ${here} and relkind in ('r', 'i') and relname ~ '${hashed}'`,
  ))
    await client.query(`alter ${kind === 'i' ? 'index' : 'table'} ${named(name)} rename to ${named(plain(name))}`)
  await client.query(`update _schema set format = 2, snapshot = replace(snapshot, ',"edition":3', '')`)
  // The tally does not count a truncate.
  await client.query('truncate price')
  await client.end()
}

function sqliteToFirstEdition(path: string): void {
  const database = new DatabaseSync(path)
  const objects = database.prepare('select type, name, sql from sqlite_schema').all() as Record<string, string>[]
  for (const { type = '', name = '', sql = '' } of objects) {
    if (!new RegExp(hashed).test(name)) continue
    database.exec(`drop ${type} ${named(name)}`)
    database.exec(sql.replace(named(name), named(plain(name))))
  }
  database.exec(`update _schema set format = 2, snapshot = replace(snapshot, ',"edition":3', '')`)
  database.close()
}

it('is migrated at start, with correct totals', async () => {
  const database = await persistentDatabase()
  const first = await openService(shop, { database })
  for (const [at, isOpen] of [true, false, true].entries())
    await first.send('POST', '/list', { name: `List ${at}`, open: isOpen })
  for (const list of [1, 2, 2]) await first.send('POST', '/price', { list })
  await first.app.close()
  await toFirstEdition(database)

  const { changes } = await migrateDatabase(database, shop, 'plan')
  expect(changes.map(({ sentence }) => sentence)).toEqual([
    'rebuild the tallies of "list"',
    'rebuild the tallies of "price"',
    // On SQLite, nothing about it differs.
    ...(isOnPostgres ? ['rebuild the tallies of "tag"'] : []),
  ])
  const exported = await exportRecords(shop, { database, noun: 'list', format: 'csv' })
  await exported.close()
  expect(exported.numberOfRecords).toBe(3)
  const { send, get } = await openService(shop, { database })
  expect((await migrateDatabase(database, shop, 'plan')).steps).toEqual([])
  const total = async (path: string) => (await get(path)).body.pageInfo.numberOfRecords
  const before = isOnPostgres ? 0 : 3
  expect([await total('/list?open=true'), await total('/price')]).toEqual([2, before])
  expect((await send('POST', '/price', { list: 3 })).status).toBe(201)
  expect((await send('PATCH', '/list/1', { open: false })).status).toBe(200)
  expect((await send('POST', '/list', { name: 'List 1', open: true })).status).toBe(409)
  expect([await total('/list?open=true'), await total('/price?state=NEW')]).toEqual([1, before + 1])
})
