/** Stores the schema snapshot in an SQLite database. */
import type { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../../migrate/schema/schema.ts'
import { foreignTablesError, readSnapshot, snapshotFormat, writeSnapshot } from '../../migrate/schema/snapshot.ts'
import { stringLiteral } from '../../sql/sql.ts'

const tableNames =
  "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' ORDER BY name"

/** The schema of the last migration; undefined if the database is empty. Rejects a database with foreign tables. */
export function readSchema(database: DatabaseSync): Schema | undefined {
  const names = database
    .prepare(tableNames)
    .all()
    .map(({ name }) => `${name}`)
  if (names.length === 0) return undefined
  const row = names.includes('_schema') ? database.prepare('SELECT * FROM "_schema"').get() : undefined
  const schema = readSnapshot(row)
  if (schema) return schema
  throw foreignTablesError('The database', names, 'schema', [
    'Nothing was changed. Give the service its own database: an empty file, or one that does not exist yet.',
  ])
}

/** The statement that replaces the snapshot. */
export function recordSchema(schema: Schema): string {
  return `INSERT OR REPLACE INTO "_schema" ("only", "format", "snapshot", "applied")
VALUES (1, ${snapshotFormat}, ${stringLiteral(writeSnapshot(schema))}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`
}
