/** Transactions on a connection that is not one of a pool. */
import type { ClientBase } from 'pg'

/** Numbers are written with all their digits, whatever the connection's own settings. */
const exactNumbers = 'set local extra_float_digits = 1'

/** Nomen's own among the advisory locks of a database; the schema's name makes the other half of the key. */
export const migrationLock = 0x6e6f6d65

/** Looks at one state of the database, and changes nothing. */
export function looking<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  return inTransaction(client, `begin isolation level repeatable read read only; ${exactNumbers}`, work)
}

/**
 * A transaction that no other migration of the same schema runs beside. Waits for its turn, and may take as long as its
 * work takes.
 */
export function alone<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  const begin = [
    'begin isolation level read committed',
    exactNumbers,
    'set local statement_timeout = 0',
    'set local lock_timeout = 0',
    'set local idle_in_transaction_session_timeout = 0',
    `select pg_advisory_xact_lock(${migrationLock}, hashtext(current_schema()))`,
  ]
  return inTransaction(client, begin.join('; '), work)
}

/** All of the work, or nothing of it. */
export async function inTransaction<Result>(
  client: ClientBase,
  begin: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    await client.query(begin)
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // Where the connection is lost, what went wrong first is what counts.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
