/** Models of what a history is checked against: one record, and one pair of a link. */
import type { Model } from './linearizable.ts'

/**
 * What was done with one record. Every write gives it a value that no other write gives. `expected` is the value whose ETag
 * was sent as If-Match.
 */
export type RecordStep =
  | { readonly kind: 'create'; readonly value: string }
  /** Null: the record was not there. */
  | { readonly kind: 'read'; readonly value: string | null }
  /** It is there or not, and does not have this value: by a condition that failed, or a lookup. */
  | { readonly kind: 'not'; readonly value: string }
  | { readonly kind: 'write'; readonly value: string; readonly expected?: string | undefined }
  | { readonly kind: 'delete'; readonly expected?: string | undefined }

/** The state is the value; null where the record is not there. It is created once at most. */
export const recordModel: Model<string | null, RecordStep> = {
  initial: null,
  isRead: ({ kind }) => kind === 'read' || kind === 'not',
  key: (state) => `${state}`,
  apply: (state, step) => {
    switch (step.kind) {
      case 'create':
        return state === null ? step.value : undefined
      case 'read':
        return state === step.value ? state : undefined
      case 'not':
        return state === step.value ? undefined : state
      case 'write':
        return state === null || (step.expected ?? state) !== state ? undefined : step.value
      case 'delete':
        return state === null || (step.expected ?? state) !== state ? undefined : null
    }
  },
}

/** What was done with a pair. An unlink that found nothing to unlink is a read. */
export type PairStep =
  | { readonly kind: 'link' }
  | { readonly kind: 'unlink' }
  | { readonly kind: 'read'; readonly isLinked: boolean }

/** The state is whether the pair is linked. */
export const pairModel: Model<boolean, PairStep> = {
  initial: false,
  isRead: ({ kind }) => kind === 'read',
  key: (state) => (state ? 'linked' : 'not linked'),
  apply: (state, step) => {
    if (step.kind === 'link') return true
    if (step.kind === 'unlink') return state ? false : undefined
    return state === step.isLinked ? state : undefined
  },
}
