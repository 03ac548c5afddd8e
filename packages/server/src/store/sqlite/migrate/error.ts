/** What keeps a database file from being changed, where an operator can fix it. */
import { dirname } from 'node:path'
import { MigrationError } from '../../migrate/error.ts'
import { isDiskFull } from '../full-disk.ts'

/** What happened and what to do, by SQLite's code. */
const fixes: Readonly<Record<number, readonly [string, string]>> = {
  5: ['The database is in use', 'Another program has been writing to it for a minute: try again when it is done.'],
  8: ['The database takes no changes', 'Let this user write the file, and the folder that it is in.'],
  10: ['The disk failed', 'See to the disk. Where the file is damaged, nomen restore brings a backup back.'],
  11: ['The database is damaged', 'Bring a backup back: nomen restore'],
  13: ['The disk is full', 'Make room, and try again.'],
}

/** The error as whoever starts the service should read it. What no operator can fix is left as it is. */
export function explained(error: unknown, path: string | null): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error
  if (path !== null && isDiskFull(error, path))
    return new MigrationError(`The database "${path}" cannot be changed: the disk is full at ${dirname(path)}.`, [
      'Nothing was changed. Make room there, and try again.',
    ])
  const [what, fix] = fixes[Number(error.errcode) & 0xff] ?? []
  return what === undefined ? error : new MigrationError(`${what}: ${error.message}.`, [`Nothing was changed. ${fix}`])
}
