import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { indexLoadSuite } from './bulk/index-load-suite.ts'

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

indexLoadSuite('on PostgreSQL', {
  make: async () => {
    const { url, remove } = await temporaryPostgres()
    onTestFinished(remove)
    return url
  },
  objects: async (address) => (await query(address, objectsQuery)).map(({ text }) => `${text}`),
  check: async (address, records) => {
    expect(await query(address, 'select count(*)::int as n from "note"')).toEqual([{ n: records }])
    expect(await query(address, 'select indexrelid from pg_index where not indisvalid')).toEqual([])
  },
})
