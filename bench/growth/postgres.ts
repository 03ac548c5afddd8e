/** Fills PostgreSQL databases with many users, once, on a server whose files are kept. */
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@nomen/testing/postgres'
import pg from 'pg'
import { makeDatabase } from '../contender.ts'
import { base, copiesOf, copyStatement } from './copies.ts'
import { databaseFolder, type FilledDatabase, fingerprint, isOld } from './kept.ts'

type Report = (text: string) => void

/** A typical configuration for a machine with some memory, with room for the bulk insert. */
const settings = { shared_buffers: '1GB', max_wal_size: '8GB', maintenance_work_mem: '512MB', work_mem: '32MB' }

export function startKeptPostgres(): Promise<PostgresServer> {
  return startPostgres({ isDurable: true, folder: join(databaseFolder(), 'postgres'), settings })
}

/** Returns the kept database with this number of users, and creates it if it is missing. */
export async function filledPostgres(
  server: PostgresServer,
  users: number,
  folder: string,
  report: Report,
): Promise<FilledDatabase> {
  const name = `users_${users}_${await schemaOf(server, folder)}`
  const existing = await query(
    server.url(),
    `select datname, (pg_stat_file('base/' || oid || '/PG_VERSION')).modification as created
      from pg_database where datname like 'users\\_${users}\\_%'`,
  )
  if (!existing.some(({ datname }) => datname === name)) {
    for (const { datname, created } of existing) {
      // Another checkout may use it with another schema.
      if (isOld(created as Date) || datname === `${name}_part`) await query(server.url(), `drop database "${datname}"`)
    }
    const part = `${name}_part`
    await query(server.url(), `create database ${part}`)
    report(`PostgreSQL: creating ${Math.min(users, base)} users`)
    await makeDatabase(server.url(part), folder, Math.min(users, base))
    if (users > base) await fill(server.url(part), users, report)
    await query(server.url(part), 'vacuum analyze')
    await query(server.url(), `alter database ${part} rename to ${name}`)
  }
  // Rows of the writer of an interrupted run.
  await query(server.url(name), `delete from "user" where "id" > ${users}`)
  return { address: server.url(name), users }
}

/** The fingerprint of the current schema: columns, indexes and functions. */
async function schemaOf(server: PostgresServer, folder: string): Promise<string> {
  const url = await server.createDatabase()
  await makeDatabase(url, folder, 1)
  const parts = [
    `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2`,
    `select indexdef from pg_indexes where schemaname = 'public' order by 1`,
    `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  ]
  const schema = []
  for (const part of parts) schema.push(...(await query(url, part)))
  await server.dropDatabase(url)
  return fingerprint(schema)
}

/** Fills the database of the service by SQL. Non-unique indexes are created again at the end. */
async function fill(url: string, users: number, report: Report): Promise<void> {
  const columns = await query(
    url,
    `select column_name as name from information_schema.columns where table_name = 'user' and is_generated = 'NEVER' order by ordinal_position`,
  )
  const names = columns.map(({ name }) => `${name}`)
  const indexes = await query(
    url,
    `select indexname as name, indexdef as sql from pg_indexes where tablename = 'user' and not exists (select from pg_constraint where conname = indexname)`,
  )
  for (const { name } of indexes) await query(url, `drop index "${name}"`)
  const copies = copiesOf(users)
  for (const copy of copies) {
    report(`PostgreSQL: copy ${copy} of ${copies.length}`)
    await query(url, copyStatement(names, copy, users))
  }
  for (const [index, { name, sql }] of indexes.entries()) {
    report(`PostgreSQL: index ${index + 1} of ${indexes.length}, ${name}`)
    await query(url, `${sql}`)
  }
  await query(url, `select setval(pg_get_serial_sequence('"user"', 'id'), ${users})`)
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(sql)
    return rows
  } finally {
    await client.end()
  }
}
