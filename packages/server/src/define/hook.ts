/** Hooks: what is done after a record has changed, attached where a service is put together. */
import type { AnyNoun, RecordOf } from '@nomen/core'
import type { Caller } from './caller.ts'

/** A change that is durable. The records are as they are stored, whatever an api shows of them. */
export type Change<Stored> = {
  readonly record: Stored
  /** Who asked for it. */
  readonly caller: Caller
  /** What the answer bore as `X-Request-Id`. */
  readonly requestId: string
} & (
  | { readonly kind: 'create'; readonly previous?: undefined }
  | { readonly kind: 'update'; readonly previous: Stored }
  /** The record is as it was before. */
  | { readonly kind: 'delete'; readonly previous?: undefined }
)

export interface Hook {
  readonly noun: AnyNoun
  // biome-ignore lint/suspicious/noExplicitAny: of any noun
  readonly tell: (change: Change<any>) => unknown
}

/**
 * Attaches to a noun what is to be done after one of its records was created, changed or deleted by a request: the write
 * is durable then, and its answer waits for nothing of this. Changes of one record are told one after the other, in their
 * order. What is thrown goes to `onFault`. Nothing is told again: what a process had yet to tell when it was killed, nobody
 * tells.
 *
 * ```ts
 * after(user, async ({ kind, record, requestId }) => {
 *   if (kind === 'create') await sendWelcome(record.email, requestId)
 * })
 * ```
 */
export function after<N extends AnyNoun>(noun: N, tell: (change: Change<RecordOf<N>>) => unknown): Hook {
  return { noun, tell }
}
