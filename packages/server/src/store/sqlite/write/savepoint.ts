/** Several statements as one unit within a shared transaction. */
import type { DatabaseSync } from 'node:sqlite'

/** Runs all of the work or none of it; the rest of the transaction is not affected. */
export function inSavepoint<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('savepoint one')
  try {
    const result = work()
    database.exec('release one')
    return result
  } catch (error) {
    // A full disk may have ended the whole transaction.
    if (database.isTransaction) database.exec('rollback to one; release one')
    throw error
  }
}
