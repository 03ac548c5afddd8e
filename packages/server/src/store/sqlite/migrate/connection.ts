/** Transactions on the connection of a migration. */
import type { DatabaseSync } from 'node:sqlite'
import type { Collation } from '@nomen/core'
import { sortKey } from '../../collation/sort-key.ts'
import { fold, foldAccents } from '../../text/fold.ts'
import { explainError } from './error.ts'

/** How long a start waits for another process that migrates. */
const timeoutMs = 60_000

/** Commits all of the work, or none of it. */
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
 * A transaction without concurrent writers, in which tables can be rebuilt. Foreign keys are not enforced, which SQLite
 * can only switch outside a transaction. Waits for the lock. SQL can call `fold(text)`, `fold_accents(text)` and `sort_key(text, collation)`. Errors of the file get a message
 * for the operator.
 */
export function withWriteLock<Result>(database: DatabaseSync, work: () => Result): Result {
  const { foreign_keys: foreignKeys } = database.prepare('PRAGMA foreign_keys').get() ?? {}
  const { timeout } = database.prepare('PRAGMA busy_timeout').get() ?? {}
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = ${Math.max(Number(timeout), timeoutMs)}`)
  database.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? fold(text) : null))
  database.function('fold_accents', { deterministic: true }, (text) =>
    typeof text === 'string' ? foldAccents(text) : null,
  )
  database.function('sort_key', { deterministic: true }, (text, collation) =>
    typeof text === 'string' ? sortKey(text, collation as Collation) : null,
  )
  try {
    return inTransaction(database, 'BEGIN IMMEDIATE', work)
  } catch (error) {
    throw explainError(error, database.location())
  } finally {
    database.exec(`PRAGMA foreign_keys = ${foreignKeys}; PRAGMA busy_timeout = ${timeout}`)
  }
}
