/** Fills SQLite files of many users, once. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDatabase } from '../contender.ts'
import { base, copiesOf, copyStatement } from './copies.ts'
import { type Filled, fingerprint, isOld, keptFolder } from './kept.ts'

type Tell = (text: string) => void

/** Gives the kept file of so many users; makes it where there is none. */
export async function filledSqlite(users: number, folder: string, tell: Tell): Promise<Filled> {
  const name = `users-${users}-`
  const kept = keptFolder()
  const file = join(kept, `${name}${await schemaOf(folder)}.db`)
  if (!existsSync(file)) {
    for (const one of readdirSync(kept).filter((one) => one.startsWith(name))) removeOld(join(kept, one))
    const part = `${file}.${process.pid}.part`
    tell(`SQLite: making ${Math.min(users, base)} users`)
    await makeDatabase(part, folder, Math.min(users, base))
    if (users > base) fill(part, users, tell)
    settle(part)
    renameSync(part, file)
  }
  removeLeftovers(file, users)
  return { address: file, users }
}

/** Another checkout may be at work with another schema, so only what nobody has opened for long goes. */
function removeOld(file: string): void {
  if (isOld(statSync(file).mtime)) rmSync(file)
}

/** The fingerprint of what the service makes today. */
async function schemaOf(folder: string): Promise<string> {
  const file = join(folder, 'schema.db')
  if (!existsSync(file)) await makeDatabase(file, folder, 1)
  const database = new DatabaseSync(file, { readOnly: true })
  const schema = database.prepare('select sql from sqlite_schema where sql is not null order by name').all()
  database.close()
  return fingerprint(schema)
}

/**
 * By SQL alone, in the database that the service made: its triggers do what they do. Indexes are made anew at the end,
 * which takes a fraction of the time. The file is thrown away if anything goes wrong, so nothing has to be undone.
 */
function fill(file: string, users: number, tell: Tell): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1048576')
  const columns = database.prepare(`select name from pragma_table_xinfo('user') where hidden = 0`).all()
  const names = columns.map(({ name }) => `${name}`)
  const indexes = database
    .prepare(`select name, sql from sqlite_schema where type = 'index' and tbl_name = 'user' and sql is not null`)
    .all()
  for (const { name } of indexes) database.exec(`drop index "${name}"`)
  const copies = copiesOf(users)
  for (const copy of copies) {
    tell(`SQLite: copy ${copy} of ${copies.length}`)
    database.exec(copyStatement(names, copy, users))
  }
  for (const [index, { name, sql }] of indexes.entries()) {
    tell(`SQLite: index ${index + 1} of ${indexes.length}, ${name}`)
    database.exec(`${sql}`)
  }
  database.close()
}

/** All that it has in the one file, which then may have another name. */
function settle(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma wal_checkpoint(truncate)')
  database.close()
}

/** What the writer of a run that was cut short has left behind. */
function removeLeftovers(file: string, users: number): void {
  const database = new DatabaseSync(file)
  database.exec(`delete from "user" where "id" > ${users}`)
  database.close()
}
