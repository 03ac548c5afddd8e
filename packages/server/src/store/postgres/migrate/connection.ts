/** Transactions on a connection outside the pool. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'

/** Numbers are written with all their digits, whatever the connection's settings. */
const exactNumbers = 'set local extra_float_digits = 1'

/** The first half of the advisory lock's key; the schema's name is the other half. */
const migrationLock = 0x6e6f6d65

/** Reads one snapshot of the database and changes nothing. */
export function inSnapshot<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  return inTransaction(client, `begin isolation level repeatable read read only; ${exactNumbers}`, work)
}

const lockKeys = `${migrationLock}, hashtext(current_schema())`

/** How often the lock is tried. */
const lockIntervalMs = 200

/**
 * No other migration of the same schema runs concurrently. The lock is polled: a statement that waits for it would keep a
 * snapshot, which an index that is built concurrently waits for.
 */
export async function withMigrationLock<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  while (!(await client.query(`select pg_try_advisory_lock(${lockKeys}) as held`)).rows[0].held)
    await pause(lockIntervalMs)
  try {
    return await work()
  } finally {
    // The lock ends with the connection, if that is lost.
    await client.query(`select pg_advisory_unlock(${lockKeys})`).catch(() => {})
  }
}

/** A transaction under the lock of migrations, without a statement timeout. */
export function inMigration<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  const begin = [
    'begin isolation level read committed',
    exactNumbers,
    'set local statement_timeout = 0',
    'set local lock_timeout = 0',
    'set local idle_in_transaction_session_timeout = 0',
  ]
  return withMigrationLock(client, () => inTransaction(client, begin.join('; '), work))
}

/** Commits all of the work, or none of it. */
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
    // The first error counts, even if the connection is lost.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
