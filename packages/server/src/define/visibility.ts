/** Visibility: row-level security, as a filter for each caller. */
import type { AnyNoun } from '@nomen/core'
import type { Caller } from './caller/caller.ts'
import type { ConditionFor } from './condition.ts'
import { rejectAsync } from './synchronous.ts'

/** A row-level filter of a noun, declared by `visible`. */
export interface Visibility {
  readonly noun: AnyNoun
  /** Returns a condition, which is checked at every call. */
  readonly filter: (caller: Caller) => unknown
}

/**
 * Limits the records of a noun that a caller can see (row-level security). Hidden records do not exist for the caller: not in
 * lists, totals, paths, references or writes.
 *
 * The function returns a condition: `true` for all records, `false` for none, an object of fields that must all match, or an
 * array of such objects, one of which must match. It runs once per request and must not be `async`. If a noun has several, a
 * record must match all of them.
 *
 * @example
 * ```ts
 * // Loans of the caller, and loans that are open.
 * visible(loan, ({ record }) => (record === null ? { status: 'OPEN' } : [{ status: 'OPEN' }, { member: record }]))
 * // Users of the departments that the caller can see.
 * visible(user, () => ({ department: visibleTarget }))
 * ```
 *
 * @throws DeclarationError if the function is `async`.
 */
export function visible<N extends AnyNoun, const Where extends boolean | object>(
  noun: N,
  filter: (caller: Caller) => Where & ConditionFor<N, Where>,
): Visibility {
  rejectAsync(noun, 'visible', filter)
  return { noun, filter }
}
