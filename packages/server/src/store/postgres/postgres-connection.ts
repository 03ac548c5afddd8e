/** Transactions on the connection that a migration runs on. */
import type { ClientBase } from 'pg'
import { MigrationError } from '../migration-error.ts'

/** Numbers are written with all their digits, whatever the connection's own settings. */
const exactNumbers = 'set local extra_float_digits = 1'

/** Nomen's own among the advisory locks of a database; the schema's name makes the other half of the key. */
const migrationLock = 0x6e6f6d65

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
    throw explained(error)
  }
}

/** What the operator can mend, by PostgreSQL's code. */
const mends: Readonly<Record<string, readonly [string, string]>> = {
  '42501': [
    'The database user may not change the schema',
    'Nothing was changed. Grant it, or let the user that owns the tables run: nomen migrate --apply',
  ],
  '25006': ['The database takes no changes', 'Nothing was changed. Give the address of the primary server.'],
  '55P03': [
    'A table is in use',
    'Nothing was changed. Another transaction keeps it, such as a backup: try again when it is over.',
  ],
}

function explained(error: unknown): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const [what, mend] = mends[code] ?? []
  return what === undefined || mend === undefined ? error : new MigrationError(`${what}: ${message}.`, [mend])
}
