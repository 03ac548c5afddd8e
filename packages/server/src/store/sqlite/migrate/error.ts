/** Errors of a database file that an operator can fix. */
import { dirname } from 'node:path'
import { type Fault, faultOf } from '../../fault/fault.ts'
import { MigrationError } from '../../migrate/error.ts'
import { isDiskFull } from '../full-disk.ts'

/** The cause and the fix. */
const fixes: Partial<Record<Fault, readonly [string, string]>> = {
  busy: ['The database is in use', 'Another program has been writing to it for a minute. Try again when it is done.'],
  'read-only': ['The database is read-only', 'Give this user write access to the file and its folder.'],
  'disk-failure': ['The disk failed', 'Check the disk. If the file is damaged, restore a backup with nomen restore.'],
  damaged: ['The database is damaged', 'Restore a backup with nomen restore.'],
  'disk-full': ['The disk is full', 'Free some space, and try again.'],
}

/** The error for the operator who starts the service. Errors that an operator cannot fix are returned unchanged. */
export function explainError(error: unknown, path: string | null): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error
  if (path !== null && isDiskFull(error, path))
    return new MigrationError(`The database "${path}" cannot be changed: the disk is full at ${dirname(path)}.`, [
      'Nothing was changed. Free some space there, and try again.',
    ])
  const fault = faultOf(error)
  const [cause, fix] = (fault && fixes[fault]) ?? []
  return cause === undefined
    ? error
    : new MigrationError(`${cause}: ${error.message}.`, [`Nothing was changed. ${fix}`])
}
