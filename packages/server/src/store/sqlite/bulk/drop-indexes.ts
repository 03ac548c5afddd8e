/** Drops the indexes and tallies of an almost empty table before a load, which builds them when all rows are loaded. */
import type { DatabaseSync } from 'node:sqlite'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { nounOf, type Schema } from '../../migrate/schema/schema.ts'
import { withoutTableIndexes } from '../../migrate/schema/without-indexes.ts'
import type { Model } from '../../model.ts'
import { quotedName } from '../../sql/sql.ts'
import { alterNoun } from '../migrate/alter.ts'
import { withWriteLock } from '../migrate/connection.ts'
import { migrateTo } from '../migrate/migrate.ts'
import { readSchema, recordSchema } from '../migrate/snapshot.ts'
import { openDatabase, openExclusively } from '../open-database.ts'

/** Up to this number of existing records, building the indexes again costs less than it saves. */
const maxRecords = 1000

/**
 * Returns the schema of the model without these indexes and tallies; undefined if the table keeps them, because it has many
 * records or another connection is open. The stored schema lacks them too: every start of a service, and every load of another
 * noun, adds what is missing. So no service has a table without them, and a load that was killed needs no repair.
 */
export function dropIndexes(path: string, model: Model, table: string): Schema | undefined {
  // Creates the file if needed.
  openDatabase(path).close()
  const database = openExclusively(path)
  if (!database) return undefined
  try {
    const schemaWithoutIndexes = withoutTableIndexes(schemaOf(model), table)
    migrateTo(database, schemaWithoutIndexes, 'start')
    const before = readSchema(database) as Schema
    const after = withoutTableIndexes(before, table)
    const statements = alterNoun(nounOf(before, table), nounOf(after, table))
    if (statements.length === 0) return schemaWithoutIndexes
    if (hasManyRows(database, table)) return undefined
    withWriteLock(database, () => {
      for (const sql of [...statements, recordSchema(after)]) database.exec(sql)
    })
    return schemaWithoutIndexes
  } finally {
    database.close()
  }
}

function hasManyRows(database: DatabaseSync, table: string): boolean {
  return database.prepare(`select 1 from ${quotedName(table)} limit 1 offset ${maxRecords}`).get() !== undefined
}
