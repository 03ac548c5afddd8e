/** Database files of SQLite, as backups and restores see them. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isPostgresAddress } from '../../postgres-address.ts'
import { sqlitePath } from '../../sqlite-path.ts'
import { BackupError } from './error.ts'

/** The file of an address; PostgreSQL has tools of its own, which know more of it than we do. */
export function fileOf(address: string): string {
  if (isPostgresAddress(address)) {
    throw new BackupError(
      'This command is for SQLite, and the database is on PostgreSQL.',
      'Use its own tools: pg_dump and pg_restore, or pg_basebackup. docs/operations.md has the lines.',
    )
  }
  const path = sqlitePath(address)
  if (path !== ':memory:') return path
  throw new BackupError('A database in memory is gone with its process.', 'Name a file: sqlite:data/directory.db.')
}

/** Opens a file that must be there. */
export function openFile(path: string, isReadOnly: boolean): DatabaseSync {
  if (!existsSync(path)) throw new BackupError(`There is no file ${path}.`, 'Name a database that is there.')
  return new DatabaseSync(path, { readOnly: isReadOnly, timeout: 10_000 })
}

/** Throws unless every page, index and reference of a database is right, and it is one that a service has made. */
export function verifyDatabase(path: string): void {
  const database = openFile(path, true)
  try {
    const [problem] = database.prepare('PRAGMA integrity_check(1)').all().map(Object.values)
    if (problem?.[0] !== 'ok') throw damaged(path, `${problem?.[0]}`)
    const [loose] = database.prepare('PRAGMA foreign_key_check').all()
    if (loose) throw damaged(path, `a record of ${loose.table} points at nothing`)
    const { count } =
      database.prepare(`select count(*) as "count" from sqlite_schema where name = '_schema'`).get() ?? {}
    if (count !== 0) return
    throw new BackupError(`${path} is no database of a service.`, 'Name a file that nomen backup has written.')
  } catch (error) {
    const isOfSqlite = error instanceof Error && 'errstr' in error
    throw isOfSqlite ? damaged(path, error.message) : error
  } finally {
    database.close()
  }
}

function damaged(path: string, what: string): BackupError {
  return new BackupError(`${path} is damaged: ${what}.`, 'Take another backup.')
}
