/** Work of several statements inside a transaction that others share. */
import type { DatabaseSync } from 'node:sqlite'

/** All of the work, or nothing of it; what others did in the transaction stays. */
export function asOne<Result>(database: DatabaseSync, work: () => Result): Result {
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
