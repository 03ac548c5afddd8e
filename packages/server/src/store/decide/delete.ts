/** Validates a delete: the record exists, If-Match, and no reference that must keep its target. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, RecordOutcome } from '../outcome.ts'
import type { DeletePlan } from '../plan.ts'
import { type Referrers, rejectionOutcome, stillReferenced, versionMismatch } from './rejection.ts'
import { rejectedFor } from './rejection-order.ts'

/** The outcome if the record stays; undefined if it can be deleted with its dependents. */
export function decideDelete(
  { match }: DeletePlan,
  record: RecordOutcome,
  lookupReferrers: () => MaybePromise<readonly Referrers[]>,
): MaybePromise<Outcome | undefined> {
  const rejection = versionMismatch(match, record)
  if (rejection) return rejectionOutcome(rejection)
  return andThen(lookupReferrers(), (referrers) => rejectedFor(stillReferenced(referrers)))
}
