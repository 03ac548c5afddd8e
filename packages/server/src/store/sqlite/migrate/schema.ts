/** The steps of a migration on SQLite: each change, or all changes to one table together, with the exact SQL. */
import type { Change } from '../../migrate/change.ts'
import { remembering, type Step } from '../../migrate/report.ts'
import { noTables, nounOf, type Schema } from '../../migrate/schema.ts'
import { type TableStatements, tableChanges, tableSql } from '../../migrate/table-change.ts'
import { createTables, initialTables } from '../../sql/own-tables/table.ts'
import { quotedName } from '../../sql/sql.ts'
import { sqliteOwnTables } from '../own-tables.ts'
import { alterNoun } from './alter.ts'
import { recordSchema } from './snapshot.ts'
import { createLink, createNoun } from './table.ts'
import { createTallies, dropTallies } from './tally.ts'

const statements: TableStatements = {
  createNoun,
  createTallies,
  dropTallies,
  createLink,
  dropTable: (table) => `DROP TABLE ${quotedName(table)}`,
  renameColumn: (table, from, to) =>
    `ALTER TABLE ${quotedName(table)} RENAME COLUMN ${quotedName(from)} TO ${quotedName(to)}`,
}

/** The steps in the order in which they are run. They count on foreign keys not being enforced meanwhile. */
export function stepsOf(changes: readonly Change[], before: Schema | undefined, after: Schema): readonly Step[] {
  const old = before ?? noTables
  const steps = tableChanges(changes).map(({ table, changes: own, isWhole, sentence, isSafe }) => ({
    sentence,
    isSafe,
    sql: isWhole
      ? own.flatMap((change) => tableSql(change, old, after, statements))
      : alterNoun(nounOf(old, table), nounOf(after, table)),
  }))
  const preparing = {
    sentence: 'prepare the empty database',
    isSafe: true,
    sql: createTables(sqliteOwnTables, initialTables),
  }
  const recording = { sentence: remembering, isSafe: true, sql: [recordSchema(after)] }
  if (!before) return [preparing, ...steps, recording]
  return steps.length === 0 ? [] : [...steps, recording]
}
