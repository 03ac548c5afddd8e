/** The steps of a migration on PostgreSQL: each change, or all changes to one table together, with the exact SQL. */
import type { Change } from '../change.ts'
import type { Step } from '../migration-report.ts'
import { nounOf, type Schema } from '../schema.ts'
import { tableChanges } from '../table-change.ts'
import { addForeignKey, foreignKeysOf } from './postgres-reference.ts'
import { createLink, createNoun, internalTables } from './postgres-table.ts'

export function stepsOf(changes: readonly Change[], before: Schema | undefined, after: Schema): readonly Step[] {
  const tables = tableChanges(changes)
  const position = (table: string) => tables.findIndex((change) => change.table === table)
  const steps = tables.map(({ changes: own, sentence, isSafe }, at) => ({
    sentence,
    isSafe,
    sql: [
      ...own.flatMap((change) => tableSql(change, after)),
      // Tied when the later of the two tables is there.
      ...foreignKeysOf(after)
        .filter(({ table, target }) => Math.max(position(table), position(target)) === at)
        .map(addForeignKey),
    ],
  }))
  return before ? steps : [{ sentence: 'prepare the empty database', isSafe: true, sql: internalTables }, ...steps]
}

function tableSql({ kind, of: name }: Change, after: Schema): readonly string[] {
  if (kind === 'add-noun') return createNoun(nounOf(after, name))
  const link = after.links.find((other) => other.name === name)
  return link ? createLink(link, after) : []
}
