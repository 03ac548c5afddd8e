/** Transactions on the connection that a migration runs on. */
import type { DatabaseSync } from 'node:sqlite'
import { fold } from '../../fold.ts'
import { explained } from './error.ts'

/** How long a start waits for another process that migrates, in milliseconds. */
const timeoutMs = 60_000

/** All of the work, or nothing of it. */
export function inTransaction<Result>(database: DatabaseSync, begin: string, work: () => Result): Result {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * A transaction that no other writer runs beside, in which tables can be rebuilt: foreign keys are not enforced, which
 * SQLite allows to be set only outside a transaction. Waits for its turn. SQL can call `fold(text)`.
 * What keeps the file from being changed is told in words.
 */
export function alone<Result>(database: DatabaseSync, work: () => Result): Result {
  const { foreign_keys: keys } = database.prepare('PRAGMA foreign_keys').get() ?? {}
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() ?? {}
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = ${Math.max(Number(timeout), timeoutMs)}`)
  database.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : null))
  try {
    return inTransaction(database, 'BEGIN IMMEDIATE', work)
  } catch (error) {
    throw explained(error, database.location())
  } finally {
    database.exec(`PRAGMA foreign_keys = ${keys}; PRAGMA busy_timeout = ${timeout}`)
  }
}
