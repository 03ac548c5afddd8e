/** After-commit hooks. */
import type { AnyNoun, RecordOf } from '@nomen/core'
import type { Caller } from './caller.ts'

/** A committed change of a record, with all stored fields. */
export type Change<Stored> = {
  /** The record after the change; for `delete`, the deleted record. */
  readonly record: Stored
  /** The caller of the request. */
  readonly caller: Caller
  /** The request ID, which the response has as `X-Request-Id`. */
  readonly requestId: string
} & (
  | { readonly kind: 'create'; readonly previous?: undefined }
  | { readonly kind: 'update'; readonly previous: Stored }
  | { readonly kind: 'delete'; readonly previous?: undefined }
)

/** An after-commit hook, declared by `after`. */
export interface Hook {
  readonly noun: AnyNoun
  readonly run: (change: Change<never>) => unknown
}

/**
 * Adds an after-commit hook to a noun: a function that runs after a request has created, changed or deleted a record. The
 * response does not wait for it. Hooks of one record run one after the other, in the order of its changes.
 *
 * An error goes to `onFault` and is not retried. Delivery is at most once: hooks that are pending when the process is killed
 * are lost.
 *
 * @example
 * ```ts
 * after(user, async ({ kind, record, requestId }) => {
 *   if (kind === 'create') console.log(`Send a welcome mail to ${record.email}, request ${requestId}.`)
 * })
 * ```
 */
export function after<N extends AnyNoun>(noun: N, run: (change: Change<RecordOf<N>>) => unknown): Hook {
  return { noun, run }
}
