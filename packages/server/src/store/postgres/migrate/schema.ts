/** The steps of a migration on PostgreSQL: the changes to each table with their exact SQL. */
import { type Change, isAdoption } from '../../migrate/change/change.ts'
import { type TableChange, type TableStatements, tableChanges, tableSql } from '../../migrate/change/table.ts'
import { historyChanges } from '../../migrate/history.ts'
import { recordSchemaSentence } from '../../migrate/report.ts'
import { noTables, nounOf, type Schema } from '../../migrate/schema/schema.ts'
import { createTables, ownTables, postgresTables } from '../../sql/own-tables/table.ts'
import { adoptNoun, recreateTracking, releaseNoun } from '../adopt/adopted-table.ts'
import { rateTable } from '../buckets.ts'
import { identifier } from '../name.ts'
import { postgresOwnTables } from '../own-tables.ts'
import { createTallies, dropTallies } from '../tally/tally.ts'
import type { MigrationStatement } from './derive.ts'
import { isIndexChange } from './lock.ts'
import { finishNoun, validateConstraint } from './online/finish.ts'
import type { OnlineStatement } from './online/statement.ts'
import { recordSchema } from './snapshot.ts'
import { alterNoun } from './sql/alter.ts'
import { historyStatements } from './sql/history.ts'
import { type ReferenceChanges, referenceChanges } from './sql/reference.ts'
import { createLink, createNoun } from './sql/table.ts'

export interface PostgresStep {
  readonly sentence: string
  readonly isSafe: boolean
  readonly statements: readonly MigrationStatement[]
  /** Run after the transaction of all statements, without locks. */
  readonly online?: readonly OnlineStatement[]
}

const tableStatements: TableStatements = {
  createNoun,
  createTallies,
  dropTallies,
  createLink,
  dropTable: (table) => `drop table ${identifier(table)}`,
  renameColumn: (table, from, to) =>
    `alter table ${identifier(table)} rename column ${identifier(from)} to ${identifier(to)}`,
}

function historyStep(sentence: string, statements: readonly string[]): readonly PostgresStep[] {
  return statements.length === 0 ? [] : [{ sentence, isSafe: true, statements: statements.map((sql) => ({ sql })) }]
}

/** The steps in the order in which they run. Online, other instances use the tables at the same time. */
export function stepsOf(
  changes: readonly Change[],
  before: Schema | undefined,
  after: Schema,
  isOnline = false,
): readonly PostgresStep[] {
  const old = before ?? noTables
  const tables = tableChanges(changes)
  const references = referenceChanges(old, after, tables, isOnline)
  // The triggers of a table that only gets an index are left alone, because replacing them needs a lock.
  const alteredTables = tables.filter((table) => !isOnline || !table.changes.every(isIndexChange))
  const history = historyChanges(old, after, new Set(alteredTables.map(({ table }) => table)), historyStatements)
  const steps = [
    ...historyStep('drop the triggers of the history', history.beforeChanges),
    ...tables.map((table, step) => tableStep(table, old, after, referencesOfStep(references, step), isOnline)),
    ...historyStep('create the triggers of the history', history.afterChanges),
  ]
  const recordStep = { sentence: recordSchemaSentence, isSafe: true, statements: [{ sql: recordSchema(after) }] }
  if (before) return steps.length === 0 ? [] : [...steps, recordStep]
  return [prepareStep(changes), ...steps, recordStep]
}

function referencesOfStep({ atStart, atEnd }: ReferenceChanges, index: number): ReferenceChanges {
  return { atStart: atStart.filter(({ step }) => step === index), atEnd: atEnd.filter(({ step }) => step === index) }
}

function tableStep(
  { table, changes, isWholeTable, sentence, isSafe }: TableChange,
  before: Schema,
  after: Schema,
  { atStart, atEnd }: ReferenceChanges,
  isOnline: boolean,
): PostgresStep {
  const statements = [
    ...atStart.map(({ sql }) => ({ sql })),
    ...(isWholeTable
      ? changes.flatMap((change) => changeSql(change, before, after)).map((sql) => ({ sql }))
      : alterNoun(nounOf(before, table), nounOf(after, table), isOnline)),
    ...atEnd.map(({ sql }) => ({ sql })),
  ]
  if (!isOnline) return { sentence, isSafe, statements }
  const online = [
    ...(isWholeTable ? [] : finishNoun(nounOf(before, table), nounOf(after, table))),
    ...atEnd.flatMap(({ unvalidated: key }) => (key ? [validateConstraint(key.table, key.name)] : [])),
  ]
  return { sentence, isSafe, statements, online }
}

/** Creates Nomen's own tables. */
function prepareStep(changes: readonly Change[]): PostgresStep {
  const statements = [...createTables(postgresOwnTables, [...ownTables, ...postgresTables]), rateTable]
  const isEmpty = !changes.some(isAdoption)
  return {
    sentence: `prepare the ${isEmpty ? 'empty ' : ''}database`,
    isSafe: true,
    statements: statements.map((sql) => ({ sql })),
  }
}

function changeSql(change: Change, before: Schema, after: Schema): readonly string[] {
  const { kind, subject: name } = change
  if (kind === 'adopt-noun') return adoptNoun(nounOf(after, name))
  if (kind === 'readopt-noun') return alterNoun(nounOf(before, name), nounOf(after, name)).map(({ sql }) => sql)
  if (kind === 'recount-noun') return recreateTracking(nounOf(after, name))
  if (kind === 'release-noun') return releaseNoun(nounOf(before, name))
  return tableSql(change, before, after, tableStatements)
}
