/** Restores a backup as a whole, or changes nothing. */
import { existsSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../../foundation/folder.ts'
import { makePrivateFile } from '../../../foundation/private-file.ts'
import { openSqlite } from '../../connection/open-sqlite.ts'
import { faultOf } from '../../fault/fault.ts'
import { sync, syncFolderOf, verifyChecksum } from './checksum.ts'
import { BackupError, backupFailure } from './error.ts'
import { copyPages, fileOf, openFile, verifyDatabase } from './file.ts'

/** Options of a restore. */
export interface RestoreOptions {
  /** The database URL: `sqlite:path/to/file.db`. */
  readonly database: string
  /** The backup. */
  readonly path: string
  /**
   * Allows replacing an existing database.
   *
   * @default false
   */
  readonly isReplacing?: boolean
  /**
   * Skips the verification of the checksum. The integrity check of SQLite runs in any case.
   *
   * @default false
   */
  readonly isUnverified?: boolean
  readonly onProgress?: (copiedPages: number, totalPages: number) => void
}

/** The result of a restore. */
export interface RestoreReport {
  readonly bytes: number
  /** The path of the replaced database, which is kept. */
  readonly kept: string | undefined
}

/**
 * Restores an SQLite database from a backup, atomically: an interrupted restore changes nothing. Stop the service first.
 *
 * @example
 * ```ts
 * await restoreDatabase({ database: 'sqlite:data/directory.db', path: 'backup/directory.db', isReplacing: true })
 * ```
 *
 * @throws BackupError if the backup is invalid, or the database exists and `isReplacing` is not set
 */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreReport> {
  const { path, isReplacing = false, isUnverified = false, onProgress } = options
  const target = fileOf(options.database)
  if (!existsSync(path))
    throw new BackupError(`The file ${path} does not exist.`, 'Use a file that nomen backup wrote.')
  const isExisting = existsSync(target)
  if (isExisting && !isReplacing) {
    throw new BackupError(
      `The database ${target} already exists.`,
      'Use --replace, which keeps a copy of it under another name. Or use another database.',
    )
  }
  if (!isUnverified) await verifyChecksum(path)
  verifyDatabase(path)
  try {
    await makeFolder(dirname(target))
    const copy = isExisting ? await copyExisting(target) : undefined
    makePrivateFile(target)
    const source = openFile(path, true)
    try {
      await copyPages(source, target, onProgress)
    } finally {
      source.close()
    }
    verifyDatabase(target)
    await syncFolderOf(target)
    return { bytes: (await stat(target)).size, kept: copy }
  } catch (error) {
    throw backupFailure(`${target} could not be restored`, error)
  }
}

/** Copies the database that will be replaced, if no other process has it open. */
async function copyExisting(target: string): Promise<string> {
  checkNotInUse(target)
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const copy = `${target}.before-${time}`
  await copyFile(target, copy)
  await sync(copy)
  await syncFolderOf(copy)
  return copy
}

/** The journal mode can only change if no other process has the file open. The change also merges the WAL into it. */
function checkNotInUse(target: string): void {
  const database = openSqlite(target, { timeout: 1000 })
  try {
    database.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    // A file that is not a database may also be replaced.
    if (faultOf(error) === 'busy')
      throw new BackupError(`${target} is in use.`, 'Stop the service that uses it, and run this again.')
  } finally {
    database.close()
  }
}
