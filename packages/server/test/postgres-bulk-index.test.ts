import { identity, noun, resource, text } from '@nomen/core'
import { loadRecords } from '@nomen/server/admin'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { indexLoadSuite } from './bulk/index-load-suite.ts'
import { sourceOf } from './bulk-bench.ts'
import { openService, plainApi, serviceOf } from './test-service.ts'

const objectsQuery = `
  select 'index ' || indexdef as text from pg_indexes where schemaname = 'public'
  union all
  select 'table ' || relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
  union all
  select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all
  select 'function ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace
  order by text`

async function query(address: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function make(): Promise<string> {
  const { url, remove } = await temporaryPostgres()
  onTestFinished(remove)
  return url
}

indexLoadSuite('on PostgreSQL', {
  make,
  objects: async (address) => (await query(address, objectsQuery)).map(({ text }) => `${text}`),
  check: async (address, records) => {
    expect(await query(address, 'select count(*)::int as n from "note"')).toEqual([{ n: records }])
    expect(await query(address, 'select indexrelid from pg_index where not indisvalid')).toEqual([])
  },
})

const city = noun('city', { id: identity(), name: text({ maxLength: 60_000 }).unique() })
const cities = serviceOf([plainApi(resource(city))])
const names = (length: number) => Array.from({ length }, (_, index) => `City ${index}\n`).join('')

it('a load of a noun without indexes updates planner statistics', async () => {
  const database = await make()
  await loadRecords(cities, { database, noun: 'city', source: sourceOf(`name\n${names(1500)}`) })
  expect(await query(database, `select reltuples::int as n from pg_class where relname = 'city'`)).toEqual([
    { n: 1500 },
  ])
})

it('a load rejects a record that a trigger drops, and a unique value that is too long for its index', async () => {
  const database = await make()
  await (await openService(cities, { database })).app.close()
  await query(database, `create function drop_row() returns trigger language plpgsql as 'begin return null; end'`)
  await query(
    database,
    `create trigger drop_row before insert on "city" for each row when (new."name" = 'City 700') execute function drop_row()`,
  )
  const long = Array.from({ length: 20_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
  ).join('')
  const rejects: unknown[] = []
  const { loaded } = await loadRecords(cities, {
    database,
    noun: 'city',
    source: sourceOf(`name\n${names(900)}${long}\nLast\n`),
    onReject: ({ line, reason }) => rejects.push([line, reason]),
  })
  expect(rejects).toEqual([
    [702, 'The database rejected the record: a trigger has dropped it.'],
    [902, 'name is too long: 60000 bytes.'],
  ])
  expect(loaded).toBe(900)
})
