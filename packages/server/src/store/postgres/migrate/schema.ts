/** The steps of a migration on PostgreSQL: each change, or all changes to one table together, with the exact SQL. */
import { type Change, isAdoption } from '../../migrate/change.ts'
import { pairRenames } from '../../migrate/migration.ts'
import { remembering } from '../../migrate/report.ts'
import { linkOf, nounOf, type Schema } from '../../migrate/schema.ts'
import { tableChanges } from '../../migrate/table-change.ts'
import { adoptNoun, releaseNoun, renewNoun } from '../adopt/adopted-table.ts'
import { identifier } from '../name.ts'
import { createTallies, dropTallies } from '../tally/tally.ts'
import { alterNoun } from './alter.ts'
import type { Statement } from './fold.ts'
import { referenceChanges } from './reference.ts'
import { recordSchema } from './snapshot.ts'
import { createLink, createNoun, internalTables } from './table.ts'

export interface PostgresStep {
  readonly sentence: string
  readonly isSafe: boolean
  readonly statements: readonly Statement[]
}

/** The steps in the order in which they are run. */
export function stepsOf(
  changes: readonly Change[],
  before: Schema | undefined,
  after: Schema,
): readonly PostgresStep[] {
  const old = before ?? { nouns: [], links: [] }
  const tables = tableChanges(changes)
  const references = referenceChanges(old, after, tables)
  const steps = tables.map(({ table, changes: own, isWhole, sentence, isSafe }, at) => ({
    sentence,
    isSafe,
    statements: [
      ...references.first.filter((placed) => placed.at === at).map(({ sql }) => ({ sql })),
      ...(isWhole
        ? own.flatMap((change) => tableSql(change, old, after)).map((sql) => ({ sql }))
        : alterNoun(nounOf(old, table), nounOf(after, table))),
      ...references.last.filter((placed) => placed.at === at).map(({ sql }) => ({ sql })),
    ],
  }))
  const recording = { sentence: remembering, isSafe: true, statements: [{ sql: recordSchema(after) }] }
  if (before) return steps.length === 0 ? [] : [...steps, recording]
  const tablesOfOurs = internalTables.map((sql) => ({ sql }))
  const isEmpty = !changes.some(isAdoption)
  return [
    { sentence: `prepare the ${isEmpty ? 'empty ' : ''}database`, isSafe: true, statements: tablesOfOurs },
    ...steps,
    recording,
  ]
}

function tableSql({ kind, of: name }: Change, before: Schema, after: Schema): readonly string[] {
  if (kind === 'adopt-noun') return adoptNoun(nounOf(after, name))
  if (kind === 'readopt-noun') return alterNoun(nounOf(before, name), nounOf(after, name)).map(({ sql }) => sql)
  if (kind === 'renew-noun') return renewNoun(nounOf(after, name))
  if (kind === 'release-noun') return releaseNoun(nounOf(before, name))
  if (kind === 'adopt-link' || kind === 'release-link') return []
  // What pairs there may be is nothing to their table.
  if (kind === 'share-link') return []
  if (kind === 'add-noun') return [...createNoun(nounOf(after, name)), ...createTallies(nounOf(after, name))]
  if (kind === 'drop-noun') return [...dropTallies(nounOf(before, name)), `drop table ${identifier(name)}`]
  if (kind === 'rename-link') {
    const [old, now] = [linkOf(before, name), linkOf(after, name)]
    return pairRenames(old, before, now, after).map(
      ([from, to]) => `alter table ${identifier(name)} rename column ${identifier(from)} to ${identifier(to)}`,
    )
  }
  const drop = kind === 'add-link' ? [] : [`drop table ${identifier(name)}`]
  const link = after.links.find((other) => other.name === name)
  return kind.startsWith('drop-') || !link ? drop : [...drop, ...createLink(link, after)]
}
