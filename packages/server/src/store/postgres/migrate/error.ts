/** Errors of a migration that an operator can fix. */

import { serverError } from '../../fault/fault.ts'
import { MigrationError } from '../../migrate/error.ts'

/** The cause and the fix, by SQLSTATE. */
const fixes: Readonly<Record<string, readonly [string, string]>> = {
  '42501': [
    'The database user may not change the schema',
    'Nothing was changed. Grant the privilege, or run this as the owner of the tables: nomen migrate --expand',
  ],
  '25006': ['The database is read-only', 'Nothing was changed. Use the URL of the primary server.'],
  '54000': [
    'A text is too long for an index',
    'Nothing was changed. Shorten the value, or declare the field without unique() or indexed().',
  ],
  '55P03': [
    'A table is in use',
    'Nothing was changed. Another transaction holds a lock on it, such as a backup. Try again when it ends.',
  ],
}

/** The error for the operator who starts the service. Connection errors are returned unchanged. */
export function explainError(error: unknown, reasons: readonly string[] = []): unknown {
  const databaseError = serverError(error)
  if (databaseError?.severity !== 'ERROR') return error
  const { code, message, detail } = databaseError
  const [cause, fix] = fixes[code] ?? ['PostgreSQL rejected a step', 'Nothing was changed.']
  return new MigrationError(`${cause}: ${message}.`, [...(detail === undefined ? [] : [detail]), ...reasons, fix])
}

/** Whether the server rejected a step for a reason that has no fix of its own. */
export function isUnexplained(error: unknown): boolean {
  const databaseError = serverError(error)
  return databaseError?.severity === 'ERROR' && !(databaseError.code in fixes)
}
