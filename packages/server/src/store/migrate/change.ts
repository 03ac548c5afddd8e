/** A change: one difference between two schemas, in words, and whether it can be made without asking. */

export type ChangeKind =
  | 'add-noun'
  | 'drop-noun'
  | 'adopt-noun'
  | 'readopt-noun'
  | 'renew-noun'
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
  | 'free-field'
  | 'add-choice'
  | 'drop-choice'
  | 'change-default'
  | 'change-limits'
  | 'add-index'
  | 'drop-index'
  | 'add-search'
  | 'drop-search'
  | 'add-tally'
  | 'drop-tally'
  | 'renew-tally'
  | 'add-unique'
  | 'drop-unique'

export interface Change {
  readonly kind: ChangeKind
  /** The name of the noun or of the link that changes. */
  readonly of: string
  /** What changes, such as: add field "nickname" to "user". */
  readonly sentence: string
  readonly isSafe: boolean
  /** Why it is not safe, and how to do without it. */
  readonly warning?: { readonly reason: string; readonly fix?: string }
}

/** What only `nomen migrate --adopt` does. */
export function isAdoption({ kind }: Change): boolean {
  return kind === 'adopt-noun' || kind === 'adopt-link' || kind === 'readopt-noun' || kind === 'renew-noun'
}

/** Whether it concerns the records themselves: how they are counted and linked is nothing to whoever reads all of them. */
export function isOfRecords({ kind }: Change): boolean {
  return kind !== 'renew-tally' && kind !== 'share-link'
}

export function safe(kind: ChangeKind, of: string, sentence: string): Change {
  return { kind, of, sentence, isSafe: true }
}

export function unsafe(kind: ChangeKind, of: string, sentence: string, reason: string, fix?: string): Change {
  return { kind, of, sentence, isSafe: false, warning: { reason, ...(fix !== undefined && { fix }) } }
}
