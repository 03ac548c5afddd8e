/** Errors of a migration that an operator can fix. */

import { serverError } from '../../fault/fault.ts'
import { MigrationError } from '../../migrate/error.ts'

/** The cause and the fix, by SQLSTATE. */
const fixes: Readonly<Record<string, readonly [cause: string, fix?: string]>> = {
  '42501': [
    'The database user may not change the schema',
    'Grant the privilege, or run this as the owner of the tables: nomen migrate --expand',
  ],
  '25006': ['The database is read-only', 'Use the URL of the primary server.'],
  '54000': [
    'A text is too long for an index',
    'Shorten the value, or declare the field without unique() or indexed().',
  ],
  '55P03': ['A table is in use', 'Another transaction holds a lock on it, such as a backup. Try again when it ends.'],
}

interface ErrorContext {
  readonly reasons?: readonly string[]
  /** Whether earlier steps may have been committed. */
  readonly isOnline?: boolean
}

/** The error for the operator who starts the service. Connection errors are returned unchanged. */
export function explainError(error: unknown, { reasons = [], isOnline = false }: ErrorContext = {}): unknown {
  const databaseError = serverError(error)
  if (databaseError?.severity !== 'ERROR') return error
  const { code, message, detail } = databaseError
  const [cause, fix] = fixes[code] ?? ['PostgreSQL rejected a step']
  const effect = isOnline ? 'Some steps may be done already. The next run continues.' : 'Nothing was changed.'
  const hint = fix === undefined ? effect : `${effect} ${fix}`
  return new MigrationError(`${cause}: ${message}.`, [...(detail === undefined ? [] : [detail]), ...reasons, hint])
}

/** Whether the server rejected a step for a reason that has no fix of its own. */
export function isUnexplained(error: unknown): boolean {
  const databaseError = serverError(error)
  return databaseError?.severity === 'ERROR' && !(databaseError.code in fixes)
}
