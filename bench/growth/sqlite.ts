/** Fills SQLite files with many users, once. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDatabase } from '../contender.ts'
import { base, copiesOf, copyStatement } from './copies.ts'
import { databaseFolder, type FilledDatabase, fingerprint, isOld } from './kept.ts'

type Report = (text: string) => void

/** Returns the kept file with this number of users, and creates it if it is missing. */
export async function filledSqlite(users: number, folder: string, report: Report): Promise<FilledDatabase> {
  const name = `users-${users}-`
  const keptFolder = databaseFolder()
  const file = join(keptFolder, `${name}${await schemaOf(folder)}.db`)
  if (!existsSync(file)) {
    for (const old of readdirSync(keptFolder).filter((entry) => entry.startsWith(name)))
      removeOld(join(keptFolder, old))
    const part = `${file}.${process.pid}.part`
    report(`SQLite: creating ${Math.min(users, base)} users`)
    await makeDatabase(part, folder, Math.min(users, base))
    if (users > base) fill(part, users, report)
    checkpoint(part)
    renameSync(part, file)
  }
  removeLeftovers(file, users)
  return { address: file, users }
}

/** Another checkout may use another schema, so only old files are deleted. */
function removeOld(file: string): void {
  if (isOld(statSync(file).mtime)) rmSync(file)
}

/** The fingerprint of the current schema. */
async function schemaOf(folder: string): Promise<string> {
  const file = join(folder, 'schema.db')
  if (!existsSync(file)) await makeDatabase(file, folder, 1)
  const database = new DatabaseSync(file, { readOnly: true })
  const schema = database.prepare('select sql from sqlite_schema where sql is not null order by name').all()
  database.close()
  return fingerprint(schema)
}

/**
 * Fills the database of the service by SQL, with its triggers. Indexes are created again at the end, which takes a fraction
 * of the time. The file is discarded after an error, so nothing has to be rolled back.
 */
function fill(file: string, users: number, report: Report): void {
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
    report(`SQLite: copy ${copy} of ${copies.length}`)
    database.exec(copyStatement(names, copy, users))
  }
  for (const [index, { name, sql }] of indexes.entries()) {
    report(`SQLite: index ${index + 1} of ${indexes.length}, ${name}`)
    database.exec(`${sql}`)
  }
  database.close()
}

/** Moves everything into the main file, so that it can be renamed. */
function checkpoint(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma wal_checkpoint(truncate)')
  database.close()
}

/** Deletes rows of the writer of an interrupted run. */
function removeLeftovers(file: string, users: number): void {
  const database = new DatabaseSync(file)
  database.exec(`delete from "user" where "id" > ${users}`)
  database.close()
}
