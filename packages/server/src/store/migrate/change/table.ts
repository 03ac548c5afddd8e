/** The changes of a migration grouped by table, in the order in which they are applied. */

import { pairRenames } from '../migration.ts'
import { type LinkSchema, linkOf, type NounSchema, nounOf, type Schema } from '../schema/schema.ts'
import type { Change, ChangeKind } from './change.ts'

export interface TableChange {
  readonly table: string
  readonly changes: readonly Change[]
  /** Whether tables are created or dropped, rather than one table altered. */
  readonly isWholeTable: boolean
  readonly sentence: string
  readonly isSafe: boolean
}

export function tableChanges(changes: readonly Change[]): readonly TableChange[] {
  // Drops come first, because a new table may take the name of a dropped one.
  const ordered = [...changes].sort((a, b) => rank(a) - rank(b))
  const tables = [...new Set(ordered.map((change) => change.subject))]
  return tables.map((table) => {
    const changesOfTable = ordered.filter((change) => change.subject === table)
    return {
      table,
      changes: changesOfTable,
      isWholeTable: changesOfTable.some(({ kind }) => isWholeTable(kind)),
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

/** The changes of whole tables. */
type TableKind = Extract<ChangeKind, `${string}-noun` | `${string}-link`>

function isWholeTable(kind: ChangeKind): kind is TableKind {
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

/** The SQL of a change that creates or drops a table, or renames the columns of a link. Adopted tables stay as they are. */
export function tableSql(
  { kind, subject: name }: Change,
  before: Schema,
  after: Schema,
  statements: TableStatements,
): readonly string[] {
  if (!isWholeTable(kind)) throw new Error(`The change "${kind}" of "${name}" neither creates nor drops a table.`)
  const { createNoun, createTallies, dropTallies, createLink, dropTable, renameColumn } = statements
  const nothing = () => []
  const createPairs = () => createLink(linkOf(after, name), after)
  const sqlOf: Readonly<Record<TableKind, () => readonly string[]>> = {
    'add-noun': () => [...createNoun(nounOf(after, name)), ...createTallies(nounOf(after, name))],
    'drop-noun': () => [...dropTallies(nounOf(before, name)), dropTable(name)],
    'add-link': createPairs,
    'drop-link': () => [dropTable(name)],
    'retype-link': () => [dropTable(name), ...createPairs()],
    'rename-link': () =>
      pairRenames(linkOf(before, name), before, linkOf(after, name), after).map(([from, to]) =>
        renameColumn(name, from, to),
      ),
    // A rule about pairs does not change the table.
    'share-link': nothing,
    'adopt-noun': nothing,
    'readopt-noun': nothing,
    'recount-noun': nothing,
    'release-noun': nothing,
    'adopt-link': nothing,
    'release-link': nothing,
  }
  return sqlOf[kind]()
}
