/** Copies a database to a file while services write to it, and verifies the copy. */
import { realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../../foundation/folder.ts'
import { makePrivateFile } from '../../../foundation/private-file.ts'
import { checksumOf, checksumPath, sync, syncFolderOf, writeChecksum } from './checksum.ts'
import { BackupError, backupFailure } from './error.ts'
import { copyPages, fileOf, openFile, verifyDatabase } from './file.ts'

/** Options of a backup. */
export interface BackupOptions {
  /** The database URL: `sqlite:path/to/file.db`. */
  readonly database: string
  /** The file to be written. */
  readonly path: string
  /** Whether to replace a backup of the same name when the new one is complete. Other files are never replaced. */
  readonly isReplacing?: boolean
  readonly signal?: AbortSignal
  /** Called with the number of copied pages and the number of all pages. */
  readonly onProgress?: (copiedPages: number, totalPages: number) => void
}

/** The result of a backup. */
export interface BackupReport {
  readonly bytes: number
  /** The SHA-256 of the file, which is also stored in a file next to it. */
  readonly checksum: string
}

/**
 * Backs up an SQLite database to a file, from one snapshot and while a service uses it, with a SHA-256 checksum file. The
 * file appears under its name only after it has been verified.
 *
 * @example
 * ```ts
 * const { bytes, checksum } = await backupDatabase({ database: 'sqlite:data/directory.db', path: 'backup/directory.db' })
 * ```
 *
 * @throws BackupError if the database does not exist or the file cannot be written
 */
export async function backupDatabase(options: BackupOptions): Promise<BackupReport> {
  const { path } = options
  const source = fileOf(options.database)
  const partPath = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await requireReplaceable(path, source, options.isReplacing === true)
    await makeFolder(dirname(path))
    makePrivateFile(partPath)
    await copy(source, partPath, options)
    verifyDatabase(partPath)
    await sync(partPath)
    const checksum = await checksumOf(partPath)
    const { size } = await stat(partPath)
    // If the process ends here, an old backup must not be left next to the new checksum.
    await rm(path, { force: true })
    await writeChecksum(checksum, path)
    await rename(partPath, path)
    await syncFolderOf(path)
    return { bytes: size, checksum }
  } catch (error) {
    throw backupFailure(`${path} could not be written`, error)
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${partPath}${suffix}`, { force: true })
  }
}

/** Throws if the file exists and is not a backup that may be replaced. */
async function requireReplaceable(path: string, source: string, isReplacing: boolean): Promise<void> {
  const existing = await realpath(path).catch(() => undefined)
  if (existing === undefined) return
  if (existing === (await realpath(source).catch(() => undefined)))
    throw new BackupError(`${path} is the database itself.`, 'Specify another file for the backup.')
  try {
    verifyDatabase(existing)
  } catch {
    throw new BackupError(
      `${path} exists and is not a backup of a service.`,
      'It was not changed. Specify another file.',
    )
  }
  if (!isReplacing) throw new BackupError(`${path} exists.`, 'Specify another file, or replace it with --replace.')
}

/** Copies one snapshot of the database. Later writes are not included. */
async function copy(from: string, to: string, { signal, onProgress }: BackupOptions): Promise<void> {
  const source = openFile(from, false)
  try {
    // An open read transaction keeps the snapshot: without it, every write of another process would restart the copy.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await copyPages(source, to, (copiedPages, totalPages) => {
      if (signal?.aborted) throw new BackupError('The backup was stopped.', 'No file was written.')
      onProgress?.(copiedPages, totalPages)
    })
  } finally {
    source.close()
  }
  // Without WAL, the backup is one file.
  const copyDatabase = openFile(to, false)
  copyDatabase.exec('PRAGMA journal_mode = DELETE')
  copyDatabase.close()
}

/**
 * Removes a backup file and its checksum file.
 *
 * @example
 * ```ts
 * await removeBackup('backup/directory.db')
 * ```
 */
export async function removeBackup(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(checksumPath(path), { force: true })
}
