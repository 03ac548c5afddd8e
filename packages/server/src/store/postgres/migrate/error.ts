/** What keeps a migration from being made, where an operator can fix it. */

import { serverError } from '../../fault.ts'
import { MigrationError } from '../../migrate/error.ts'

/** What happened and what to do, by PostgreSQL's code. */
const fixes: Readonly<Record<string, readonly [string, string]>> = {
  '42501': [
    'The database user may not change the schema',
    'Nothing was changed. Grant it, or let the user that owns the tables run: nomen migrate --apply',
  ],
  '25006': ['The database takes no changes', 'Nothing was changed. Give the address of the primary server.'],
  '54000': [
    'A text is too long for an index',
    'Nothing was changed. Shorten it, or declare the field unindexed(), or not unique().',
  ],
  '55P03': [
    'A table is in use',
    'Nothing was changed. Another transaction keeps it, such as a backup: try again when it is over.',
  ],
}

/** The error as whoever starts the service should read it. Where the connection broke, it is left as it is. */
export function explained(error: unknown): unknown {
  const found = serverError(error)
  if (found?.severity !== 'ERROR') return error
  const { code, message, detail } = found
  const [what, fix] = fixes[code] ?? ['PostgreSQL refused a step', 'Nothing was changed.']
  return new MigrationError(`${what}: ${message}.`, detail === undefined ? [fix] : [detail, fix])
}
