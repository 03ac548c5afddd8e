/** The changes of a migration grouped by table, in the order in which they are applied. */
import type { Change } from './change.ts'
import { pairRenames } from './migration.ts'
import { type LinkSchema, linkOf, type NounSchema, nounOf, type Schema } from './schema.ts'

export interface TableChange {
  readonly table: string
  readonly changes: readonly Change[]
  /** Whether tables are created or dropped, rather than one table altered. */
  readonly isWhole: boolean
  readonly sentence: string
  readonly isSafe: boolean
}

export function tableChanges(changes: readonly Change[]): readonly TableChange[] {
  // Drops come first, because a new table may take the name of a dropped one.
  const ordered = [...changes].sort((a, b) => rank(a) - rank(b))
  const tables = [...new Set(ordered.map((change) => change.of))]
  return tables.map((table) => {
    const changesOfTable = ordered.filter((change) => change.of === table)
    return {
      table,
      changes: changesOfTable,
      isWhole: changesOfTable.some(({ kind }) => isWhole(kind)),
      sentence: changesOfTable.map(({ sentence }) => sentence).join(', '),
      isSafe: changesOfTable.every(({ isSafe }) => isSafe),
    }
  })
}

/** Links are dropped before their nouns, and created after them. */
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

/** The SQL of a change that creates or drops a table, or renames the columns of a link. */
export function tableSql(
  { kind, of: name }: Change,
  before: Schema,
  after: Schema,
  statements: TableStatements,
): readonly string[] {
  const { createNoun, createTallies, dropTallies, createLink, dropTable, renameColumn } = statements
  // A rule about pairs does not change the table.
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
