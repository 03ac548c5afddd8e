/** One difference between two schemas, and whether it can be applied without confirmation. */

export type ChangeKind =
  | 'add-noun'
  | 'drop-noun'
  | 'adopt-noun'
  | 'readopt-noun'
  | 'recount-noun'
  | 'release-noun'
  | 'add-link'
  | 'adopt-link'
  | 'release-link'
  | 'drop-link'
  | 'retype-link'
  | 'rename-link'
  | 'share-link'
  | 'add-field'
  | 'drop-field'
  | 'rename-field'
  | 'retype-field'
  | 'require-field'
  | 'make-nullable'
  | 'add-choice'
  | 'drop-choice'
  | 'change-default'
  | 'change-limits'
  | 'add-index'
  | 'drop-index'
  | 'add-search'
  | 'change-search'
  | 'drop-search'
  | 'add-sort'
  | 'change-sort'
  | 'drop-sort'
  | 'add-tally'
  | 'drop-tally'
  | 'add-history'
  | 'drop-history'
  | 'add-column-default'
  | 'drop-column-default'
  | 'add-derive-trigger'
  | 'drop-derive-trigger'
  | 'merge-rules'
  | 'restore-rules'
  | 'finish-table'
  | 'add-unique'
  | 'drop-unique'

export interface Change {
  readonly kind: ChangeKind
  /** The table of the noun or link that changes. */
  readonly subject: string
  /** The column of a dropped field. */
  readonly field?: string
  /** The change in words: add field "nickname" to "user". */
  readonly sentence: string
  readonly isSafe: boolean
  /** Why the change is not safe, and how to avoid it. */
  readonly warning?: { readonly reason: string; readonly fix?: string }
}

/** Changes that only `nomen migrate --adopt` makes. */
export function isAdoption({ kind }: Change): boolean {
  return kind === 'adopt-noun' || kind === 'adopt-link' || kind === 'readopt-noun' || kind === 'recount-noun'
}

const unrelatedToRecords: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'share-link',
  'add-index',
  'drop-index',
  'add-tally',
  'drop-tally',
  'add-history',
  'drop-history',
  'finish-table',
])

/** Whether the change affects the records. Exports ignore changes of indexes, tallies, link rules and history. */
export function affectsRecords({ kind }: Change): boolean {
  return !unrelatedToRecords.has(kind)
}

export function safe(kind: ChangeKind, subject: string, sentence: string): Change {
  return { kind, subject, sentence, isSafe: true }
}

export function unsafe(kind: ChangeKind, subject: string, sentence: string, reason: string, fix?: string): Change {
  return { kind, subject, sentence, isSafe: false, warning: { reason, ...(fix !== undefined && { fix }) } }
}
