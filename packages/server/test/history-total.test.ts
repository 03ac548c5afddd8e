// Totals and far pages of long histories come from stored numbers, which are exact whatever is written and deleted.
import { change, identity, integer, noun, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { recountDatabase } from '@nomen/server/admin'
import { type Random, randomFrom } from '@nomen/testing/random'
import { isOnPostgres } from '@nomen/testing/test-database'
import pg from 'pg'
import { expect, it } from 'vitest'
import { execute, persistentDatabase, select } from './persistent-database.ts'
import { openService, plainApi, type TestService } from './test-service.ts'

const item = noun('item', { id: identity(), size: integer() }, { history: { erasable: true } })
const other = noun('other', { id: identity(), size: integer() }, { history: { entries: 20 } })
/** Its records and entries are only written by transactions that stay open for some steps. */
const slow = noun('slow', { id: identity(), size: integer() }, { history: true })
const definition = service({
  name: 'items',
  apis: [
    plainApi(
      resource(item, { children: [resource(change)] }),
      resource(other, { children: [resource(change)] }),
      resource(slow),
      resource(change),
    ),
  ],
})

const steps = 24
const blockSize = 4096
const groupSize = blockSize * 256
const numberOf = { item: 500, other: 100, slow: 50 }

const numbers = (count: number) =>
  isOnPostgres
    ? `generate_series(1, ${count}) as "numbers" ("number")`
    : `(with recursive "numbers" ("number") as (select 1 union all select "number" + 1 from "numbers" where "number" < ${count}) select * from "numbers")`

async function openFilled() {
  const database = await persistentDatabase()
  const app = await openService(definition, { database })
  for (const [name, count] of Object.entries(numberOf))
    await execute(database, `insert into "${name}" ("size", "_version") select 0, 1 from ${numbers(count)}`)
  return { app, database }
}

const raise = (name: string) => `update "${name}" set "size" = "size" + 1`

async function newestId(database: string): Promise<number> {
  const query = isOnPostgres
    ? `select pg_sequence_last_value(pg_get_serial_sequence('change', 'id')::regclass)`
    : `select "seq" from "sqlite_sequence" where "name" = 'change'`
  return Number((await select(database, query))[0]?.[0])
}

async function numberOfCountedBlocks(database: string): Promise<number> {
  const [[last] = []] = await select(database, `select max("block") from "_change_count" where "level" = 0`)
  return last === null ? 0 : Number(last) + 1
}

/** Waits until the background task has counted all blocks that are closed now. */
async function waitUntilCounted(database: string) {
  const closed = Math.floor(((await newestId(database)) + 1) / blockSize)
  await expect.poll(() => numberOfCountedBlocks(database)).toBeGreaterThanOrEqual(closed)
}

/** Lists, each with the condition in SQL that selects its entries. */
const lists = [
  ['/change', 'true'],
  ['/change?noun=item', `"noun" = 'item'`],
  ['/change?noun=other&noun=slow', `"noun" in ('other', 'slow')`],
  ['/item/change', `"noun" = 'item'`],
  ['/other/change?noun=item', 'false'],
] as const

/** The total of each list, and some of its pages, compared with what the database counts. */
async function compare({ get }: TestService, database: string, random: Random) {
  for (const [url, condition] of lists) {
    const [[count] = []] = await select(database, `select count(*) from "change" where ${condition}`)
    const total = Number(count)
    for (const direction of ['', 'sort=id', 'sort=-id']) {
      const pageNumber = 1 + random.below(Math.ceil(total / 10) + 2)
      const query = `pageSize=10&pageNumber=${pageNumber}${direction && `&${direction}`}`
      const { body } = await get(`${url}${url.includes('?') ? '&' : '?'}${query}`)
      const rows = await select(
        database,
        `select "id" from "change" where ${condition} order by "id" ${direction === 'sort=id' ? '' : 'desc'} limit 10 offset ${(pageNumber - 1) * 10}`,
      )
      const page = { url, query, total, ids: rows.map(([id]) => Number(id)) }
      const ids = body.results.map(({ id }: { id: number }) => id)
      expect({ ...page, total: body.pageInfo.numberOfRecords, ids }).toEqual(page)
    }
  }
}

it('are exact after random writes, rollbacks, deletes, erasures and open transactions', async () => {
  const { app, database } = await openFilled()
  const random = randomFrom(21)
  const range = async () => {
    const newest = await newestId(database)
    const from = Math.max(0, newest - random.below(15_000))
    return `"id" between ${from} and ${from + random.below(4000)}`
  }
  let open: pg.Client | undefined
  const endOpen = async () => {
    await open?.query(random.pick(['commit', 'rollback']))
    await open?.end()
    open = undefined
  }
  const keepOpen = async () => {
    if (!isOnPostgres) return
    await endOpen()
    open = new pg.Client({ connectionString: database })
    await open.connect()
    await open.query('begin')
    for (const statement of [raise('slow'), `delete from "change" where "noun" = 'slow' and "id" % 3 = 0`])
      await open.query(statement)
  }
  const actions: (() => Promise<unknown>)[] = [
    ...Array.from(
      { length: 4 },
      () => () =>
        execute(
          database,
          Array(1 + random.below(5))
            .fill(raise('item'))
            .join(';'),
        ),
    ),
    () => execute(database, Array(5).fill(raise('other')).join(';')),
    () => execute(database, `begin; ${raise('item')}; delete from "change" where "noun" = 'item'; rollback`),
    async () => execute(database, `delete from "change" where "noun" <> 'slow' and ${await range()}`),
    async () =>
      execute(database, `update "change" set "noun" = 'dropped item' where "noun" = 'item' and ${await range()}`),
    () => app.send('POST', `/item/${1 + random.below(numberOf.item)}/erasure`),
    keepOpen,
    endOpen,
    () => (open ? Promise.resolve() : execute(database, raise('slow'))),
  ]
  for (let step = 0; step < steps; step++) {
    if (step === steps / 2) {
      await endOpen()
      await execute(
        database,
        isOnPostgres
          ? `select setval(pg_get_serial_sequence('change', 'id'), ${groupSize - 5000})`
          : `update "sqlite_sequence" set "seq" = ${groupSize - 5000} where "name" = 'change'`,
      )
    }
    await Promise.all([random.pick(actions)(), ...(isOnPostgres ? [execute(database, raise('item'))] : [])])
    if (random.below(3) === 0 && !open) await waitUntilCounted(database)
    await compare(app, database, random)
  }
  await endOpen()
  for (let times = 0; times < 12; times++) await execute(database, raise('item'))
  await waitUntilCounted(database)
  expect(await select(database, 'select distinct "level" from "_change_count" order by 1')).toHaveLength(2)
  await compare(app, database, random)
})

it('do not count the entries of counted blocks', async () => {
  const { app, database } = await openFilled()
  for (let times = 0; times < 20; times++) await execute(database, raise('item'))
  await waitUntilCounted(database)
  const total = async (url: string) => (await app.get(url)).body.pageInfo.numberOfRecords
  const first = async (url: string) => (await app.get(url)).body.results[0].id
  const urls = ['/change', '/change?noun=item', '/item/change']
  const before = await Promise.all(urls.map(total))
  const far = '/change?pageSize=10&pageNumber=800'
  const firstBefore = await first(far)
  const [[blocks] = []] = await select(database, `select count(*) from "_change_count" where "noun" = ''`)
  await execute(database, `update "_change_count" set "entries" = "entries" - 1000`)
  expect(Number(blocks)).toBeGreaterThan(1)
  expect(await Promise.all(urls.map(total))).toEqual(before.map((number) => number - 1000 * Number(blocks)))
  expect(await first(far)).toBeLessThan(firstBefore)
})

it('are counted after an update from a version that did not store them', async () => {
  const { app, database } = await openFilled()
  for (let times = 0; times < 10; times++) await execute(database, raise('item'))
  await app.app.close()
  const parts = isOnPostgres
    ? `drop function _change_count_on_delete, _change_count_on_noun, _change_count_on_truncate cascade; drop table _change_count_delta;`
    : 'drop trigger "_change_count_delete"; drop trigger "_change_count_noun";'
  await execute(
    database,
    `${parts} drop table "_change_count"; update "_schema" set "snapshot" = replace("snapshot", '"blocks":true,', '')`,
  )
  const updated = await openService(definition, { database })
  await waitUntilCounted(database)
  expect(await numberOfCountedBlocks(database)).toBe(1)
  await execute(database, 'delete from "change" where "id" % 7 = 0')
  await compare(updated, database, randomFrom(3))
})

it('have new indexes of record names after an update from a version with other indexes', async () => {
  const { app, database } = await openFilled()
  const indexes = () =>
    select(
      database,
      isOnPostgres
        ? `select "indexname", "indexdef" from "pg_indexes" where "indexname" in ('change_record', 'change_linked') order by 1`
        : `select "name", "sql" from "sqlite_master" where "name" in ('change_record', 'change_linked') order by 1`,
    )
  const current = await indexes()
  await app.app.close()
  const indexed = (column: string) => (isOnPostgres ? `left("${column}", 600) nulls first, "id"` : `"${column}"`)
  await execute(
    database,
    `drop index "change_record"; CREATE INDEX "change_record" ON "change" (${indexed('record')});
drop index "change_linked"; CREATE INDEX "change_linked" ON "change" (${indexed('linked')}) WHERE "linked" IS NOT NULL;
update "_schema" set "snapshot" = replace(replace("snapshot", ',"recordNames":["record","linked"]', ''), ',"isShort":true', '')`,
  )
  expect(await indexes()).not.toEqual(current)
  await openService(definition, { database })
  await expect.poll(indexes).toEqual(current)
})

it('are checked and corrected by a recount', async () => {
  const { app, database } = await openFilled()
  for (let times = 0; times < 10; times++) await execute(database, raise('item'))
  await waitUntilCounted(database)
  await execute(database, 'delete from "change" where "id" % 5 = 0')
  const ofChanges = async (mode: 'check' | 'fix') => {
    const counts = await recountDatabase(database, definition, mode)
    return counts.find((count) => count.noun === 'change')
  }
  expect(await ofChanges('check')).toMatchObject({ miscounts: [], missing: [] })
  await execute(database, `update "_change_count" set "entries" = "entries" + 7 where "noun" in ('', 'item')`)
  const wrong = await ofChanges('check')
  expect(wrong?.miscounts.map(({ values, stored, actual }) => [values, stored - actual])).toEqual([
    [[], 7],
    [[['noun', 'item']], 7],
  ])
  expect(await ofChanges('fix')).toEqual(wrong)
  expect(await ofChanges('check')).toMatchObject({ miscounts: [], missing: [] })
  await waitUntilCounted(database)
  expect(await numberOfCountedBlocks(database)).toBe(1)
  await compare(app, database, randomFrom(5))
})
