/** Opens SQLite files with the settings of Nomen. */
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { makeFolderSync } from '../../foundation/folder.ts'
import { makePrivateFile } from '../../foundation/private-file.ts'
import { openSqlite } from '../connection/open-sqlite.ts'
import { DatabaseError } from '../fault/database-error.ts'
import { faultOf } from '../fault/fault.ts'
import { busyTimeoutMs } from '../fault/retry.ts'
import { isDiskFull } from './full-disk.ts'

/** The page cache, as negative KiB for SQLite; normally, and during a large load. */
export const normalCache = -8192
export const loadCache = -262_144

/**
 * The number of WAL pages before a checkpoint. The more there are, the more often a page is written again before it is
 * copied, and the fewer disk syncs are needed. They take 16 MiB next to the file.
 */
const checkpointPages = 4000

/** The maximum size of the WAL file after a checkpoint. */
const maxWalBytes = 64 * 1024 * 1024

/** The settings of every connection that writes. */
export const pragmas = `pragma synchronous = full; pragma fullfsync = on; pragma cache_size = ${normalCache};
  pragma wal_autocheckpoint = ${checkpointPages}; pragma journal_size_limit = ${maxWalBytes}`

/** The pause between attempts of processes that open a new file at the same time. */
const retryPauseMs = 10

/** SQLite waits for a lock, but not if that could deadlock, as when several processes change the journal mode. */
function retryWhileBusy(work: () => void): void {
  for (const end = performance.now() + busyTimeoutMs; ; ) {
    try {
      work()
      return
    } catch (error) {
      if (faultOf(error) !== 'busy' || performance.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryPauseMs)
    }
  }
}

/** Opens a database file for Nomen: durable at every commit, and readable during writes. */
export function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') {
      makeFolderSync(dirname(path))
      // SQLite gives the WAL and shared-memory files the same permissions.
      makePrivateFile(path)
    }
    const database = openSqlite(path, { enableForeignKeyConstraints: true, timeout: 5000 })
    retryWhileBusy(() => database.exec('pragma journal_mode = wal'))
    database.exec(pragmas)
    return database
  } catch (error) {
    if (isDiskFull(error, path)) throw diskFull(path)
    const reason = error instanceof Error ? `: ${error.message}` : ''
    throw new DatabaseError(path, reason, 'Use an SQLite database file, or a path where one can be created.')
  }
}

/** Opens a file for one transaction at a time, if no other connection has it open; otherwise returns undefined. */
export function openExclusively(path: string): DatabaseSync | undefined {
  const database = openSqlite(path, { enableForeignKeyConstraints: true, timeout: 0 })
  try {
    // In WAL mode, every connection keeps a shared lock on the file until it is closed.
    database.exec('pragma locking_mode = exclusive; begin immediate; commit')
    return database
  } catch (error) {
    database.close()
    if (faultOf(error) === 'busy') return undefined
    throw error
  }
}

export function diskFull(path: string): DatabaseError {
  return new DatabaseError(path, `: the disk is full at ${dirname(path)}`, 'Free some space there, and start again.')
}

/** A second connection of this process. It must not wait inside SQLite, because that would block the event loop. */
export function openSecondConnection(path: string): DatabaseSync {
  const database = openDatabase(path)
  database.exec('pragma busy_timeout = 0')
  return database
}
