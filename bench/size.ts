/** `npm run bench:size`: the disk space of a record and its indexes, on both databases. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { open, type Service } from '@nomen/server'
import { startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import { databaseNames } from './database-name.ts'
import { markdownTable } from './markdown.ts'
import { session } from './session.ts'
import { positive } from './settings.ts'

const help = `npm run bench:size -- [options]

Fills the directory, and prints the bytes of each table and of its indexes, divided by the number of records.

  --users <number>   records in the database (default: 60000)`

interface TableSize {
  readonly name: string
  readonly records: number
  readonly bytes: number
  readonly indexBytes: number
}

const tables = ['user', 'preference', 'user-role', 'change']

await session('bench:size', async (folder) => {
  const { values } = parseArgs({ options: { users: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) return console.log(help)
  process.env.SAMPLE_USERS = `${positive('users', values.users, 60_000)}`
  const file = new URL('../apps/directory/service.ts', import.meta.url)
  const { default: service } = (await import(file.href)) as { default: Service }
  const path = join(folder, 'directory.db')
  await (await open(service, { database: `sqlite:${path}` })).close()
  print('sqlite', sqliteSizes(path))
  const server = await startPostgres()
  try {
    const url = await server.createDatabase()
    await (await open(service, { database: url })).close()
    print('postgres', await postgresSizes(url))
  } finally {
    await server.remove()
  }
})

function print(kind: 'sqlite' | 'postgres', sizes: readonly TableSize[]): void {
  const head = [databaseNames[kind], 'records', 'bytes of a record', 'bytes of its index entries']
  const lines = sizes.map(({ name, records, bytes, indexBytes }) =>
    [name, records.toLocaleString('en-US'), Math.round(bytes / records), Math.round(indexBytes / records)].map(String),
  )
  console.log(`\n${markdownTable(head, lines)}`)
}

function sqliteSizes(path: string): readonly TableSize[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const sum = (where: string, name: string) =>
    Number(database.prepare(`select coalesce(sum(pgsize), 0) as bytes from dbstat where ${where}`).get(name)?.bytes)
  const sizes = tables.map((name) => ({
    name,
    records: Number(database.prepare(`select count(*) as number from "${name}"`).get()?.number),
    bytes: sum('name = ?', name),
    indexBytes: sum("name in (select name from sqlite_schema where type = 'index' and tbl_name = ?)", name),
  }))
  database.close()
  return sizes
}

async function postgresSizes(url: string): Promise<readonly TableSize[]> {
  const client = new pg.Client(url)
  await client.connect()
  const sizes: TableSize[] = []
  for (const name of tables) {
    const query = `select (select count(*) from "${name}") as records, pg_table_size('"${name}"') as bytes, pg_indexes_size('"${name}"') as indexes`
    const [row] = (await client.query<Record<string, string>>(query)).rows
    sizes.push({ name, records: Number(row?.records), bytes: Number(row?.bytes), indexBytes: Number(row?.indexes) })
  }
  await client.end()
  return sizes
}
