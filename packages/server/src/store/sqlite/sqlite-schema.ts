/** The steps of a migration on SQLite: each change, or all changes to one table together, with the exact SQL. */
import type { Change } from '../change.ts'
import { nounOf, type Schema } from '../schema.ts'
import { alterNoun } from './sqlite-alter.ts'
import { createLink, createNoun, internalTables, quoted } from './sqlite-table.ts'

export interface Step {
  /** What it does, such as: add field "nickname" to "user". */
  readonly sentence: string
  readonly isSafe: boolean
  /** Empty where nothing but the declaration changes. */
  readonly sql: readonly string[]
}

/** The steps in the order in which they are run. They count on foreign keys not being enforced meanwhile. */
export function stepsOf(changes: readonly Change[], before: Schema | undefined, after: Schema): readonly Step[] {
  // What goes makes room first: its name may be taken by what comes.
  const ordered = [...changes].sort((one, other) => rank(one) - rank(other))
  const tables = [...new Set(ordered.map((change) => change.of))]
  const steps = tables.map((table) => {
    const own = ordered.filter((change) => change.of === table)
    return {
      sentence: own.map(({ sentence }) => sentence).join(', '),
      isSafe: own.every(({ isSafe }) => isSafe),
      sql: own.some(({ kind }) => isAboutTable(kind))
        ? own.flatMap((change) => tableSql(change, after))
        : alterNoun(nounOf(before ?? after, table), nounOf(after, table)),
    }
  })
  return before ? steps : [{ sentence: 'prepare the empty database', isSafe: true, sql: internalTables }, ...steps]
}

function rank({ kind }: Change): number {
  if (kind === 'drop-link' || kind === 'drop-noun') return 0
  if (kind === 'add-link' || kind === 'retype-link') return 2
  return 1
}

function isAboutTable(kind: Change['kind']): boolean {
  return kind.endsWith('-noun') || kind.endsWith('-link')
}

function tableSql({ kind, of: name }: Change, after: Schema): readonly string[] {
  if (kind === 'add-noun') return createNoun(nounOf(after, name))
  const drop = kind === 'add-link' ? [] : [`DROP TABLE ${quoted(name)}`]
  const link = after.links.find((other) => other.name === name)
  return kind.startsWith('drop-') || !link ? drop : [...drop, ...createLink(link, after)]
}
