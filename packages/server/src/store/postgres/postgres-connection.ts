/** Transactions on the connection that a migration runs on. */
import type { ClientBase } from 'pg'

/** Nomen's own among the advisory locks of a database; the schema's name makes the other half of the key. */
const migrationLock = 0x6e6f6d65

/** All of the work, or nothing of it. */
export async function inTransaction<Result>(
  client: ClientBase,
  begin: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(begin)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // Where the connection is lost, what went wrong first is what counts.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** A transaction that no other migration of the same schema runs beside. Waits for its turn. */
export function alone<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  return inTransaction(client, 'begin isolation level read committed', async () => {
    await client.query(`select pg_advisory_xact_lock(${migrationLock}, hashtext(current_schema()))`)
    return work()
  })
}
