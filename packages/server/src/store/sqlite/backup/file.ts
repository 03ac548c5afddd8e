/** SQLite database files for backups and restores. */

import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { backup, openSqlite } from '../../connection/open-sqlite.ts'
import { isPostgresUrl } from '../../connection/postgres-url.ts'
import { sqlitePath } from '../../connection/sqlite-path.ts'
import { BackupError } from './error.ts'

/** The file of a URL. PostgreSQL is not supported, because it has its own backup tools. */
export function fileOf(url: string): string {
  if (isPostgresUrl(url)) {
    throw new BackupError(
      'This command supports only SQLite, but the database is PostgreSQL.',
      'Use pg_dump and pg_restore, or pg_basebackup.',
    )
  }
  const path = sqlitePath(url)
  if (path !== ':memory:') return path
  throw new BackupError(
    'An in-memory database cannot be backed up or restored.',
    'Use a file: sqlite:data/directory.db.',
  )
}

/** Opens a file that must exist. */
export function openFile(path: string, isReadOnly: boolean): DatabaseSync {
  if (!existsSync(path))
    throw new BackupError(`The file ${path} does not exist.`, 'Use the file of an existing database.')
  return openSqlite(path, { readOnly: isReadOnly, timeout: 10_000 })
}

/** Pages per step: many enough for a fast copy, few enough to stop it quickly. */
const pagesPerStep = 4096

/** Copies all pages of a database to a file. `onProgress` gets the number of copied pages and the number of all pages. */
export async function copyPages(
  source: DatabaseSync,
  path: string,
  onProgress: ((copiedPages: number, totalPages: number) => void) | undefined,
): Promise<void> {
  await backup(source, path, {
    rate: pagesPerStep,
    progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
  })
}

/** Throws unless pages, indexes and references of the database are valid and a service created it. */
export function verifyDatabase(path: string): void {
  const database = openFile(path, true)
  try {
    const [problem] = database.prepare('PRAGMA integrity_check(1)').all().map(Object.values)
    if (problem?.[0] !== 'ok') throw damagedError(path, `${problem?.[0]}`)
    const [violation] = database.prepare('PRAGMA foreign_key_check').all()
    if (violation) throw damagedError(path, `a record of ${violation.table} refers to a missing record`)
    const { count } =
      database.prepare(`select count(*) as "count" from sqlite_schema where name = '_schema'`).get() ?? {}
    if (count !== 0) return
    throw new BackupError(`${path} is not the database of a service.`, 'Use a file that nomen backup wrote.')
  } catch (error) {
    const isSqliteError = error instanceof Error && 'errstr' in error
    throw isSqliteError ? damagedError(path, error.message) : error
  } finally {
    database.close()
  }
}

function damagedError(path: string, problem: string): BackupError {
  return new BackupError(`${path} is damaged: ${problem}.`, 'Use another backup.')
}
