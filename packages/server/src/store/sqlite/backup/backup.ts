/** Copies a database to a file while services write to it, and makes sure that the copy is whole. */
import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backup } from 'node:sqlite'
import { makeFolder } from '../../../foundation/folder.ts'
import { makePrivateFile } from '../../../foundation/private-file.ts'
import { checksumOf, checksumPath, sync, syncFolderOf, writeChecksum } from './checksum.ts'
import { BackupError, backupFailure } from './error.ts'
import { fileOf, openFile, verifyDatabase } from './file.ts'

export interface BackupOptions {
  /** `sqlite:path/to/file.db`. */
  readonly database: string
  /** The file to be written. One that is there is replaced when the new one is whole. */
  readonly path: string
  readonly signal?: AbortSignal
  /** Told how many pages are copied, and of how many. */
  readonly onProgress?: (done: number, all: number) => void
}

export interface BackupReport {
  readonly bytes: number
  /** The SHA-256 of the file, which also stands in the file beside it. */
  readonly checksum: string
}

/** Pages at a time: so many that the copy is quick, so few that it can be stopped. */
const rate = 4096

/**
 * Writes all that is in the database at one moment to a file, and its checksum beside it. The file is there when it has been
 * read again and found whole, and not before.
 */
export async function backupDatabase(options: BackupOptions): Promise<BackupReport> {
  const { path } = options
  const source = fileOf(options.database)
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await makeFolder(dirname(path))
    makePrivateFile(unfinished)
    await copy(source, unfinished, options)
    verifyDatabase(unfinished)
    await sync(unfinished)
    const checksum = await checksumOf(unfinished)
    const { size } = await stat(unfinished)
    // An older file must not stand beside the checksum of this one, should the process end between the two.
    await rm(path, { force: true })
    await writeChecksum(checksum, path)
    await rename(unfinished, path)
    await syncFolderOf(path)
    return { bytes: size, checksum }
  } catch (error) {
    throw backupFailure(`${path} could not be written`, error)
  } finally {
    for (const rest of ['', '-journal', '-wal', '-shm']) await rm(`${unfinished}${rest}`, { force: true })
  }
}

/** The whole of a database as it is now; whatever is written meanwhile is left to the next backup. */
async function copy(from: string, to: string, { signal, onProgress }: BackupOptions): Promise<void> {
  const source = openFile(from, false)
  try {
    // A read that stays open keeps the moment: without it, every write of others would begin the copy anew.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(source, to, {
      rate,
      progress: ({ totalPages, remainingPages }) => {
        if (signal?.aborted) throw new BackupError('Stopped before the end.', 'No backup was written.')
        onProgress?.(totalPages - remainingPages, totalPages)
      },
    })
  } finally {
    source.close()
  }
  // One file, that needs no other beside it.
  const made = openFile(to, false)
  made.exec('PRAGMA journal_mode = DELETE')
  made.close()
}

/** Removes a backup and its checksum. */
export async function removeBackup(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(checksumPath(path), { force: true })
}
