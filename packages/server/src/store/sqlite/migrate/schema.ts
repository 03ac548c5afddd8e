/** The steps of a migration on SQLite: each change, or all changes to one table together, with the exact SQL. */
import type { Change } from '../../migrate/change.ts'
import { pairRenames } from '../../migrate/migration.ts'
import { remembering, type Step } from '../../migrate/report.ts'
import { linkOf, nounOf, type Schema } from '../../migrate/schema.ts'
import { tableChanges } from '../../migrate/table-change.ts'
import { quotedName } from '../../sql/sql.ts'
import { alterNoun } from './alter.ts'
import { recordSchema } from './snapshot.ts'
import { createLink, createNoun, internalTables } from './table.ts'
import { createTallies, dropTallies } from './tally.ts'

/** The steps in the order in which they are run. They count on foreign keys not being enforced meanwhile. */
export function stepsOf(changes: readonly Change[], before: Schema | undefined, after: Schema): readonly Step[] {
  const steps = tableChanges(changes).map(({ table, changes: own, isWhole, sentence, isSafe }) => ({
    sentence,
    isSafe,
    sql: isWhole
      ? own.flatMap((change) => tableSql(change, before, after))
      : alterNoun(nounOf(before ?? after, table), nounOf(after, table)),
  }))
  const preparing = { sentence: 'prepare the empty database', isSafe: true, sql: internalTables }
  const recording = { sentence: remembering, isSafe: true, sql: [recordSchema(after)] }
  if (!before) return [preparing, ...steps, recording]
  return steps.length === 0 ? [] : [...steps, recording]
}

function tableSql({ kind, of: name }: Change, before: Schema | undefined, after: Schema): readonly string[] {
  // What pairs there may be is nothing to their table.
  if (kind === 'share-link') return []
  if (kind === 'add-noun') return [...createNoun(nounOf(after, name)), ...createTallies(nounOf(after, name))]
  if (kind === 'drop-noun' && before) return [...dropTallies(nounOf(before, name)), `DROP TABLE ${quotedName(name)}`]
  if (before && kind === 'rename-link') {
    const [old, now] = [linkOf(before, name), linkOf(after, name)]
    return pairRenames(old, before, now, after).map(
      ([from, to]) => `ALTER TABLE ${quotedName(name)} RENAME COLUMN ${quotedName(from)} TO ${quotedName(to)}`,
    )
  }
  const drop = kind === 'add-link' ? [] : [`DROP TABLE ${quotedName(name)}`]
  const link = after.links.find((other) => other.name === name)
  return kind.startsWith('drop-') || !link ? drop : [...drop, ...createLink(link, after)]
}
