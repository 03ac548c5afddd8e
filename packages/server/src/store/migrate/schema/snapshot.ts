/** The snapshot: the schema of the last migration, stored as JSON in the database. */
import { MigrationError } from '../error.ts'
import type { Schema } from './schema.ts'

/** Raised when the format of a snapshot, or of Nomen's own tables, changes. */
export const snapshotFormat = 5

/** A rename is an instruction for one migration and is not stored. */
export function writeSnapshot(schema: Schema): string {
  return JSON.stringify(schema, (key, value) => (key === 'renamedFrom' ? undefined : value))
}

/** The schema in the row of a snapshot; undefined if the row is not Nomen's. Rejects the snapshot of another version. */
export function readSnapshot(row: unknown): Schema | undefined {
  const { format, snapshot } = (row ?? {}) as Readonly<Record<string, unknown>>
  if (typeof format !== 'number' || typeof snapshot !== 'string') return undefined
  if (format > snapshotFormat) {
    throw new MigrationError(
      `The database was written by a newer version of Nomen (format ${format}; this version supports up to ${snapshotFormat}).`,
      ['Start the service with that version, or restore a backup that this version made.'],
    )
  }
  if (format < snapshotFormat) {
    throw new MigrationError(
      `The database was written by an older version of Nomen (format ${format}; this version needs ${snapshotFormat}).`,
      ['Export the records with that version (nomen export), and load them into a new database (nomen load).'],
    )
  }
  return JSON.parse(snapshot) as Schema
}

/** The error for a database, or a schema in it, that contains tables of another program. */
export function foreignTablesError(
  subject: string,
  tables: readonly string[],
  lacks: string,
  fixes: readonly string[],
) {
  const names = tables.slice(0, 5).map((name) => `"${name}"`)
  const shownNames = `${names.join(', ')}${tables.length > 5 ? ' …' : ''}`
  return new MigrationError(`${subject} was not created by Nomen: it contains ${shownNames}, but no ${lacks}.`, fixes)
}
