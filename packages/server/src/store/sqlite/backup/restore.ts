/** Puts a backup in the place of a database, all of it or nothing. */
import { existsSync } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../../foundation/folder.ts'
import { makePrivateFile } from '../../../foundation/private-file.ts'
import { sync, syncFolderOf, verifyChecksum } from './checksum.ts'
import { BackupError, backupFailure } from './error.ts'
import { fileOf, openFile, verifyDatabase } from './file.ts'

export interface RestoreOptions {
  /** `sqlite:path/to/file.db`. */
  readonly database: string
  /** The backup. */
  readonly path: string
  /** Whether a database that is there may be replaced. */
  readonly isReplacing?: boolean
  /** Whether the backup is taken without its checksum; it is held against the rules of SQLite all the same. */
  readonly isUnverified?: boolean
  readonly onProgress?: (done: number, all: number) => void
}

export interface RestoreReport {
  readonly bytes: number
  /** Where the database that was replaced is kept. */
  readonly kept: string | undefined
}

const rate = 4096

/**
 * Restores a backup. The database is written in one transaction: a restore that is cut off has changed nothing. No service
 * may have the database open.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreReport> {
  const { path, isReplacing = false, isUnverified = false, onProgress } = options
  const target = fileOf(options.database)
  if (!existsSync(path))
    throw new BackupError(`There is no file ${path}.`, 'Name a file that nomen backup has written.')
  const isThere = existsSync(target)
  if (isThere && !isReplacing) {
    throw new BackupError(
      `The database ${target} is there already.`,
      'Say --replace: it is kept beside the new one, under another name. Or name another database.',
    )
  }
  if (!isUnverified) await verifyChecksum(path)
  verifyDatabase(path)
  try {
    await makeFolder(dirname(target))
    const kept = isThere ? await keep(target) : undefined
    makePrivateFile(target)
    const source = openFile(path, true)
    try {
      await backup(source, target, {
        rate,
        progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
      })
    } finally {
      source.close()
    }
    verifyDatabase(target)
    await syncFolderOf(target)
    return { bytes: (await stat(target)).size, kept }
  } catch (error) {
    throw backupFailure(`${target} could not be restored`, error)
  }
}

/** Copies the database that will be replaced, once nobody else has it open. */
async function keep(target: string): Promise<string> {
  demandAlone(target)
  const moment = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const kept = `${target}.before-${moment}`
  await copyFile(target, kept)
  await sync(kept)
  await syncFolderOf(kept)
  return kept
}

/** Only one that is alone can change the journal of a database; all that stands in it is in the file then. */
function demandAlone(target: string): void {
  const database = new DatabaseSync(target, { timeout: 1000 })
  try {
    database.exec('PRAGMA journal_mode = DELETE')
  } catch (error) {
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === 5
    // What is no database at all may be replaced like any other.
    if (isBusy)
      throw new BackupError(`${target} is in use.`, 'Stop the service that serves from it, and run this again.')
  } finally {
    database.close()
  }
}
