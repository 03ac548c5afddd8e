/** The snapshot: the schema that a database was last brought to, as the text that it keeps of it. */
import { MigrationError } from './error.ts'
import type { Schema } from './schema.ts'

/** Raised when the form of a snapshot, or of the tables that Nomen keeps for itself, changes. */
export const snapshotFormat = 4

/** Up to format 3 booleans were called flags. */
const flagFormat = 3

/** A rename is an instruction for one migration and is not written down. */
export function writeSnapshot(schema: Schema): string {
  return JSON.stringify(schema, (key, value) => (key === 'renamedFrom' ? undefined : value))
}

/** Refuses what a newer version of Nomen has written. */
export function readSnapshot(format: number, text: string): Schema {
  if (format > snapshotFormat) {
    throw new MigrationError(
      `The database was written by a newer version of Nomen (format ${format}; this one knows up to ${snapshotFormat}).`,
      ['Start it with that version, or restore a backup that this version has made.'],
    )
  }
  return JSON.parse(text, (key, value) => {
    return format <= flagFormat && key === 'kind' && value === 'flag' ? 'boolean' : value
  }) as Schema
}
