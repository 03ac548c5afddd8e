/** Fills a database of the directory by SQL, with many users and other data that makes requests slow. */
import { DatabaseSync } from 'node:sqlite'
import { isFull } from '@nomen/testing/prove'

const numberOfUsers = isFull ? 1_000_000 : 300_000

/** The number of records with texts of half a megabyte: users for searches, and roles for lists. */
const numberOfLong = 40
const longText = `printf('%.*c', 500000, 'a')`

/** The preferences of the first user, which are a list without pages. This user supervises every tenth user. */
const numberOfPreferences = 100_000

const timestamp = `'2026-01-01T00:00:00.000Z'`

const user: Readonly<Record<string, string>> = {
  id: 'n',
  firstName: `iif(n % ${numberOfUsers / numberOfLong} = 7, ${longText}, 'Ada')`,
  lastName: `'L' || n % 1000`,
  username: `printf('u%07d', n)`,
  email: `printf('u%07d@x.org', n)`,
  phone: `''`,
  extension: `''`,
  status: `iif(n % 10, 'ACTIVE', 'SUSPENDED')`,
  department: '1 + n % 7',
  supervisor: 'iif(n % 10 = 1, 1, 2)',
  created: timestamp,
  lastUpdated: timestamp,
  firstName_folded: `iif(n % ${numberOfUsers / numberOfLong} = 7, ${longText}, 'ada')`,
  lastName_folded: `'l' || n % 1000`,
  email_folded: `printf('u%07d@x.org', n)`,
}

/** Fills the file, which has a small sample and is not open in another process. */
export function fillDirectory(file: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  // The file is discarded after an error, so it needs no journal. Indexes are created at the end, which is much faster.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -262144')
  const filledTables = `'user', 'preference', 'user-role', 'role'`
  const droppedObjects = database
    .prepare(
      `select type, name, sql from sqlite_schema
       where type in ('index', 'trigger') and tbl_name in (${filledTables}) and sql is not null order by type`,
    )
    .all()
  for (const { type, name } of droppedObjects) database.exec(`drop ${type} "${name}"`)
  database.exec(`delete from "preference" where "user" = 1`)
  const insertRows = (table: string, values: Readonly<Record<string, string>>, to: number) => {
    const identity = Object.keys(values)[0]
    const from = `(select max("${identity}") from "${table}")`
    database.exec(
      `with recursive numbers (n) as (select ${from} + 1 union all select n + 1 from numbers where n < ${to})
       insert into "${table}" ("${Object.keys(values).join('", "')}") select ${Object.values(values).join()} from numbers`,
    )
  }
  insertRows('user', user, numberOfUsers)
  insertRows('preference', { id: 'n', user: '1', type: `'type ' || n`, value: `'value'` }, numberOfPreferences)
  insertRows(
    'role',
    { roleRef: 'n', applicationRef: '1', name: `'role ' || n`, description: longText },
    2 * numberOfLong,
  )
  database.exec(`insert or ignore into "user-role" select "id", 1 from "user" where "id" % 5 = 0`)
  for (const { sql } of droppedObjects) database.exec(`${sql}`)
  updateTally(database, 'user', 'id', 'status')
  updateTally(database, 'preference', 'id', 'enabled')
  updateTally(database, 'role', 'roleRef')
  database.exec('pragma journal_mode = wal')
  database.close()
}

/** Updates the counts that triggers would have updated. */
function updateTally(database: DatabaseSync, noun: string, identity: string, field?: string): void {
  const keys = [`''`, ...(field ? [`'${field}' || coalesce('=' || "${field}", '')`] : [])]
  database.exec(`delete from "_tally_${noun}"`)
  for (const key of keys)
    for (const [level, bits] of [8, 14, 20].entries())
      database.exec(
        `insert into "_tally_${noun}" select ${key}, ${level}, "${identity}" >> ${bits}, count(*) from "${noun}" group by 1, 3`,
      )
}
