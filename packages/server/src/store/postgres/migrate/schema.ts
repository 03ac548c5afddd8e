/** The steps of a migration on PostgreSQL: each change, or all changes to one table together, with the exact SQL. */
import { type Change, isAdoption } from '../../migrate/change.ts'
import { remembering } from '../../migrate/report.ts'
import { noTables, nounOf, type Schema } from '../../migrate/schema.ts'
import { type TableStatements, tableChanges, tableSql } from '../../migrate/table-change.ts'
import { createTables, initialTables } from '../../sql/own-tables/table.ts'
import { adoptNoun, releaseNoun, renewNoun } from '../adopt/adopted-table.ts'
import { identifier } from '../name.ts'
import { postgresOwnTables } from '../own-tables.ts'
import { createTallies, dropTallies } from '../tally/tally.ts'
import { alterNoun } from './alter.ts'
import type { Statement } from './fold.ts'
import { referenceChanges } from './reference.ts'
import { recordSchema } from './snapshot.ts'
import { createLink, createNoun } from './table.ts'

export interface PostgresStep {
  readonly sentence: string
  readonly isSafe: boolean
  readonly statements: readonly Statement[]
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

/** The steps in the order in which they are run. */
export function stepsOf(
  changes: readonly Change[],
  before: Schema | undefined,
  after: Schema,
): readonly PostgresStep[] {
  const old = before ?? noTables
  const tables = tableChanges(changes)
  const references = referenceChanges(old, after, tables)
  const steps = tables.map(({ table, changes: own, isWhole, sentence, isSafe }, at) => ({
    sentence,
    isSafe,
    statements: [
      ...references.first.filter((placed) => placed.at === at).map(({ sql }) => ({ sql })),
      ...(isWhole
        ? own.flatMap((change) => changeSql(change, old, after)).map((sql) => ({ sql }))
        : alterNoun(nounOf(old, table), nounOf(after, table))),
      ...references.last.filter((placed) => placed.at === at).map(({ sql }) => ({ sql })),
    ],
  }))
  const recording = { sentence: remembering, isSafe: true, statements: [{ sql: recordSchema(after) }] }
  if (before) return steps.length === 0 ? [] : [...steps, recording]
  const tablesOfOurs = createTables(postgresOwnTables, initialTables).map((sql) => ({ sql }))
  const isEmpty = !changes.some(isAdoption)
  return [
    { sentence: `prepare the ${isEmpty ? 'empty ' : ''}database`, isSafe: true, statements: tablesOfOurs },
    ...steps,
    recording,
  ]
}

function changeSql(change: Change, before: Schema, after: Schema): readonly string[] {
  const { kind, of: name } = change
  if (kind === 'adopt-noun') return adoptNoun(nounOf(after, name))
  if (kind === 'readopt-noun') return alterNoun(nounOf(before, name), nounOf(after, name)).map(({ sql }) => sql)
  if (kind === 'renew-noun') return renewNoun(nounOf(after, name))
  if (kind === 'release-noun') return releaseNoun(nounOf(before, name))
  if (kind === 'adopt-link' || kind === 'release-link') return []
  return tableSql(change, before, after, tableStatements)
}
