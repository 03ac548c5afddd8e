/** The changes of a migration gathered by table, in the order in which they can be made. */
import type { Change } from './change.ts'
import { pairRenames } from './migration.ts'
import { type LinkSchema, linkOf, type NounSchema, nounOf, type Schema } from './schema.ts'

export interface TableChange {
  readonly table: string
  readonly changes: readonly Change[]
  /** Whether tables come or go, rather than one that stays is altered. */
  readonly isWhole: boolean
  readonly sentence: string
  readonly isSafe: boolean
}

export function tableChanges(changes: readonly Change[]): readonly TableChange[] {
  // What goes makes room first: its name may be taken by what comes.
  const ordered = [...changes].sort((one, other) => rank(one) - rank(other))
  const tables = [...new Set(ordered.map((change) => change.of))]
  return tables.map((table) => {
    const own = ordered.filter((change) => change.of === table)
    return {
      table,
      changes: own,
      isWhole: own.some(({ kind }) => isWhole(kind)),
      sentence: own.map(({ sentence }) => sentence).join(', '),
      isSafe: own.every(({ isSafe }) => isSafe),
    }
  })
}

/** Pairs go before the records that they are made of, and come after them. */
function rank({ kind }: Change): number {
  if (kind === 'drop-link') return 0
  if (kind === 'drop-noun') return 1
  return kind === 'add-link' || kind === 'retype-link' ? 3 : 2
}

function isWhole(kind: Change['kind']): boolean {
  return kind.endsWith('-noun') || kind.endsWith('-link')
}

/** The statements of a database that create and drop whole tables. */
export interface TableStatements {
  createNoun(noun: NounSchema): readonly string[]
  createTallies(noun: NounSchema): readonly string[]
  dropTallies(noun: NounSchema): readonly string[]
  createLink(link: LinkSchema, schema: Schema): readonly string[]
  dropTable(table: string): string
  renameColumn(table: string, from: string, to: string): string
}

/** The SQL of a change by which a table comes, goes, or gets other columns for its pairs. */
export function tableSql(
  { kind, of: name }: Change,
  before: Schema,
  after: Schema,
  statements: TableStatements,
): readonly string[] {
  const { createNoun, createTallies, dropTallies, createLink, dropTable, renameColumn } = statements
  // The pairs of a table say nothing about its form.
  if (kind === 'share-link') return []
  if (kind === 'add-noun') return [...createNoun(nounOf(after, name)), ...createTallies(nounOf(after, name))]
  if (kind === 'drop-noun') return [...dropTallies(nounOf(before, name)), dropTable(name)]
  if (kind === 'rename-link') {
    const renames = pairRenames(linkOf(before, name), before, linkOf(after, name), after)
    return renames.map(([from, to]) => renameColumn(name, from, to))
  }
  const drop = kind === 'add-link' ? [] : [dropTable(name)]
  const link = after.links.find((other) => other.name === name)
  return kind.startsWith('drop-') || !link ? drop : [...drop, ...createLink(link, after)]
}
