/** Fills the table of history entries with SQL, without its indexes, which are built at the end. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** How many entries one statement adds. */
const entriesPerStatement = 1_000_000

/** The forms of one kind of database. */
interface FillDialect {
  /** Numbers from the first to the last, as `from` clause with the column `number`. */
  readonly numbers: (first: number, last: number) => string
  /** The time this many seconds ago. */
  readonly ago: (seconds: string) => string
}

const sqlite: FillDialect = {
  numbers: (first, last) =>
    `(with recursive "numbers" ("number") as (select ${first} union all select "number" + 1 from "numbers" where "number" < ${last}) select * from "numbers")`,
  ago: (seconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (${seconds}) || ' seconds')`,
}

const postgres: FillDialect = {
  numbers: (first, last) => `generate_series(${first}, ${last}) as "numbers" ("number")`,
  ago: (seconds) => `date_trunc('milliseconds', now()) - (${seconds}) * interval '1 second'`,
}

/** The statements that add the entries: changes of one field, one after the other of all users, one each second. */
function inserts({ numbers, ago }: FillDialect, entries: number, users: number): readonly string[] {
  const values = {
    time: ago(`${entries} - "number"`),
    noun: `'user'`,
    record: `'user/' || (1 + "number" % ${users})`,
    kind: `'CHANGED'`,
    fields: `'firstName,changed'`,
    before: `'{"firstName":"N' || "number" || '","changed":"2026-01-01T08:00:00Z"}'`,
    after: `'{"firstName":"N' || ("number" + 1) || '","changed":"2026-01-01T09:00:00Z"}'`,
    user: `'user' || ("number" % 100)`,
    application: `'bench'`,
    request: `'00000000-0000-4000-8000-' || (100000000000 + "number")`,
    transaction: `cast("number" as text)`,
  }
  const columns = Object.keys(values).map((name) => `"${name}"`)
  const statements: string[] = []
  for (let first = 1; first <= entries; first += entriesPerStatement) {
    const last = Math.min(first + entriesPerStatement - 1, entries)
    statements.push(
      `insert into "change" (${columns.join()}) select ${Object.values(values).join()} from ${numbers(first, last)}`,
    )
  }
  return statements
}

/** The table has only these entries afterwards. No service may use the database meanwhile. */
export async function fillHistory(database: string, entries: number, users: number): Promise<void> {
  if (database.startsWith('sqlite:')) fillSqlite(database.slice('sqlite:'.length), entries, users)
  else await fillPostgres(database, entries, users)
}

function fillSqlite(path: string, entries: number, users: number): void {
  const database = new DatabaseSync(path)
  const indexes = database
    .prepare(
      `select "name", "sql" from "sqlite_schema" where "type" = 'index' and "tbl_name" = 'change' and "sql" is not null`,
    )
    .all()
  // A large cache and a second thread shorten the sorting of index entries.
  database.exec('pragma synchronous = off; pragma cache_size = -1000000; pragma threads = 1')
  for (const { name } of indexes) database.exec(`drop index "${name}"`)
  database.exec('delete from "change"')
  for (const statement of inserts(sqlite, entries, users)) database.exec(statement)
  for (const { sql } of indexes) database.exec(`${sql}`)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

async function fillPostgres(url: string, entries: number, users: number): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select "indexname" as "name", "indexdef" as "definition" from "pg_indexes" where "tablename" = 'change' and "indexname" not like '%primary_key'`,
  )
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set timezone = 'UTC'`)
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  await client.query('truncate "change"')
  for (const statement of inserts(postgres, entries, users)) await client.query(statement)
  for (const { definition } of indexes) await client.query(definition)
  await client.query('vacuum (analyze) "change"')
  await client.query('checkpoint')
  await client.end()
}

/** Waits until the service has counted all blocks of entries that are closed. */
export async function waitForCounts(database: string): Promise<void> {
  const next = 'select coalesce(max("block") + 1, 0) as "number" from "_change_count" where "level" = 0'
  const closed = `select (coalesce(max("id"), 0) + 1) >> 12 as "number" from "change"`
  const isCounted = async (query: (sql: string) => number | Promise<number>) =>
    (await query(next)) >= (await query(closed))
  if (database.startsWith('sqlite:')) {
    const file = new DatabaseSync(database.slice('sqlite:'.length), { readOnly: true })
    while (!(await isCounted((sql) => Number(file.prepare(sql).get()?.number)))) await pause(200)
    file.close()
    return
  }
  const client = new pg.Client(database)
  await client.connect()
  while (!(await isCounted(async (sql) => Number((await client.query(sql)).rows[0].number)))) await pause(200)
  await client.end()
}
