/** The changes of a migration gathered by table, in the order in which they can be made. */
import type { Change } from './change.ts'

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
