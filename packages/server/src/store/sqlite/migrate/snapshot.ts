/** Where an SQLite database keeps the snapshot of its schema. */
import type { DatabaseSync } from 'node:sqlite'
import { edition } from '../../migrate/derived-name.ts'
import type { NounSchema, Schema } from '../../migrate/schema.ts'
import { foreignTables, readSnapshot, snapshotFormat, writeSnapshot } from '../../migrate/snapshot.ts'
import { textLiteral } from '../../sql/sql.ts'
import { indexesOf } from './table.ts'
import { isNamedAlike } from './tally.ts'

const tableNames =
  "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' ORDER BY name"

/** The schema that the database was last brought to; undefined where it is empty. Refuses a foreign database. */
export function readSchema(database: DatabaseSync): Schema | undefined {
  const names = database
    .prepare(tableNames)
    .all()
    .map(({ name }) => `${name}`)
  if (names.length === 0) return undefined
  const row = names.includes('_schema') ? database.prepare('SELECT * FROM "_schema"').get() : undefined
  const schema = readSnapshot(row)
  if (schema) return inEdition(schema)
  throw foreignTables('The database', names, 'schema', [
    'Nothing was changed. Give the service a database of its own: a file that is empty or does not exist yet.',
  ])
}

/** Of most tables the names are the same in every edition, and nothing else differs here. */
function inEdition(schema: Schema): Schema {
  const nouns = schema.nouns.map((noun) => {
    const now = { ...noun, edition }
    const namesOf = (one: NounSchema) => indexesOf(one).map(({ name }) => name)
    return isNamedAlike(noun, now) && namesOf(noun).join('\n') === namesOf(now).join('\n') ? now : noun
  })
  return { ...schema, nouns }
}

/** The statement that replaces the snapshot. */
export function recordSchema(schema: Schema): string {
  return `INSERT OR REPLACE INTO "_schema" ("only", "format", "snapshot", "applied")
VALUES (1, ${snapshotFormat}, ${textLiteral(writeSnapshot(schema))}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`
}
