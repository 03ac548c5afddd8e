/** Models for linearizability checks: one record, and one pair of a link. */
import type { Model } from './linearizable.ts'

/** A step on one record. Every write has a unique value. `expected` is the value whose ETag was sent as If-Match. */
export type RecordStep =
  | { readonly kind: 'create'; readonly value: string }
  /** Null: the record does not exist. */
  | { readonly kind: 'read'; readonly value: string | null }
  /** The record does not have this value, or does not exist: known from a failed condition or a lookup. */
  | { readonly kind: 'not'; readonly value: string }
  | { readonly kind: 'write'; readonly value: string; readonly expected?: string | undefined }
  | { readonly kind: 'delete'; readonly expected?: string | undefined }

/** The state is the value; null if the record does not exist. It is created at most once. */
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

/** A step on a pair. An unlink without effect is a read. */
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
