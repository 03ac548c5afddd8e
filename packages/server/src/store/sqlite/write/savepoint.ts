/** Several statements as one unit within a shared transaction. */
import type { DatabaseSync } from 'node:sqlite'

/** Runs all of the work or none of it; the rest of the transaction is not affected. */
export function inSavepoint<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('savepoint "work"')
  try {
    const result = work()
    database.exec('release "work"')
    return result
  } catch (error) {
    // A full disk may have ended the whole transaction.
    if (database.isTransaction) database.exec('rollback to "work"; release "work"')
    throw error
  }
}
