/** The steps of a migration on SQLite: the changes to each table with their exact SQL. */
import type { Change } from '../../migrate/change/change.ts'
import { type TableStatements, tableChanges, tableSql } from '../../migrate/change/table.ts'
import { historyChanges } from '../../migrate/history.ts'
import { recordSchemaSentence, type Step } from '../../migrate/report.ts'
import { noTables, nounOf, type Schema } from '../../migrate/schema/schema.ts'
import { createTables, ownTables } from '../../sql/own-tables/table.ts'
import { quotedName } from '../../sql/sql.ts'
import { sqliteOwnTables } from '../own-tables.ts'
import { alterNoun } from './alter.ts'
import { historyStatements } from './history.ts'
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

function historyStep(sentence: string, sql: readonly string[]): readonly Step[] {
  return sql.length === 0 ? [] : [{ sentence, isSafe: true, sql }]
}

/** The steps in the order in which they run. Foreign keys must not be enforced while they run. */
export function stepsOf(changes: readonly Change[], before: Schema | undefined, after: Schema): readonly Step[] {
  const old = before ?? noTables
  const tables = tableChanges(changes)
  const history = historyChanges(old, after, new Set(tables.map(({ table }) => table)), historyStatements)
  const tableSteps = tables.map(({ table, changes: changesOfTable, isWholeTable, sentence, isSafe }) => ({
    sentence,
    isSafe,
    sql: isWholeTable
      ? changesOfTable.flatMap((change) => tableSql(change, old, after, statements))
      : alterNoun(nounOf(old, table), nounOf(after, table)),
  }))
  const steps = [
    ...historyStep('drop the triggers of the history', history.beforeChanges),
    ...tableSteps,
    ...historyStep('create the triggers of the history', history.afterChanges),
  ]
  const prepare = {
    sentence: 'prepare the empty database',
    isSafe: true,
    sql: createTables(sqliteOwnTables, ownTables),
  }
  const record = { sentence: recordSchemaSentence, isSafe: true, sql: [recordSchema(after)] }
  if (!before) return [prepare, ...steps, record]
  return steps.length === 0 ? [] : [...steps, record]
}
