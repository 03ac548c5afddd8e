/** Fills a database of the directory with a million users, and with what else makes requests slow, by SQL alone. */
import { DatabaseSync } from 'node:sqlite'

const numberOfUsers = 1_000_000

/** The number of records with texts of half a megabyte: users that are searched, and roles that are listed. */
const numberOfLong = 40
const long = `printf('%.*c', 500000, 'a')`

/** The first user has this many preferences, which are listed without pages, and supervises one in ten. */
const numberOfPreferences = 100_000

const moment = `'2026-01-01T00:00:00.000Z'`

const user: Readonly<Record<string, string>> = {
  id: 'n',
  firstName: `iif(n % ${numberOfUsers / numberOfLong} = 7, ${long}, 'Ada')`,
  lastName: `'L' || n % 1000`,
  username: `printf('u%07d', n)`,
  email: `printf('u%07d@x.org', n)`,
  phone: `''`,
  extension: `''`,
  status: `iif(n % 10, 'ACTIVE', 'SUSPENDED')`,
  department: '1 + n % 7',
  supervisor: 'iif(n % 10 = 1, 1, 2)',
  created: moment,
  lastUpdated: moment,
  firstName_folded: `iif(n % ${numberOfUsers / numberOfLong} = 7, ${long}, 'ada')`,
  lastName_folded: `'l' || n % 1000`,
  email_folded: `printf('u%07d@x.org', n)`,
}

/** The file holds the sample of a few users; no other process has it open. */
export function fillDirectory(file: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  // The file is thrown away if anything goes wrong. Indexes are made at the end, which takes a fraction of the time.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -262144')
  const filled = `'user', 'preference', 'user-role', 'role'`
  const kept = database
    .prepare(
      `select type, name, sql from sqlite_schema
       where type in ('index', 'trigger') and tbl_name in (${filled}) and sql is not null order by type`,
    )
    .all()
  for (const { type, name } of kept) database.exec(`drop ${type} "${name}"`)
  database.exec(`delete from "preference" where "user" = 1`)
  const rows = (table: string, values: Readonly<Record<string, string>>, to: number) => {
    const identity = Object.keys(values)[0]
    const from = `(select max("${identity}") from "${table}")`
    database.exec(
      `with recursive numbers (n) as (select ${from} + 1 union all select n + 1 from numbers where n < ${to})
       insert into "${table}" ("${Object.keys(values).join('", "')}") select ${Object.values(values).join()} from numbers`,
    )
  }
  rows('user', user, numberOfUsers)
  rows('preference', { id: 'n', user: '1', type: `'type ' || n`, value: `'value'` }, numberOfPreferences)
  rows('role', { roleRef: 'n', applicationRef: '1', name: `'role ' || n`, description: long }, 2 * numberOfLong)
  database.exec(`insert or ignore into "user-role" select "id", 1 from "user" where "id" % 5 = 0`)
  for (const { sql } of kept) database.exec(`${sql}`)
  tally(database, 'user', 'id', 'status')
  tally(database, 'preference', 'id', 'enabled')
  tally(database, 'role', 'roleRef')
  database.exec('pragma journal_mode = wal')
  database.close()
}

/** Counts what triggers would have counted. */
function tally(database: DatabaseSync, noun: string, identity: string, field?: string): void {
  const keys = [`''`, ...(field ? [`'${field}' || coalesce('=' || "${field}", '')`] : [])]
  database.exec(`delete from "_tally_${noun}"`)
  for (const key of keys)
    for (const [level, bits] of [8, 14, 20].entries())
      database.exec(
        `insert into "_tally_${noun}" select ${key}, ${level}, "${identity}" >> ${bits}, count(*) from "${noun}" group by 1, 3`,
      )
}
