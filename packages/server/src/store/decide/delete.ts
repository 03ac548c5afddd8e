/** Validates a delete of an existing record: If-Match, then references from other records that must not become invalid. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, RecordOutcome } from '../outcome.ts'
import type { DeletePlan } from '../plan.ts'
import { preconditionRejection, type Referrers, referrerRejection, rejectionOutcome } from './rejection.ts'

/** The outcome if the record stays; undefined if it can be deleted with its dependents. */
export function decideDelete(
  { meetsPreconditions }: DeletePlan,
  record: RecordOutcome,
  lookupReferrers: () => MaybePromise<readonly Referrers[]>,
): MaybePromise<Outcome | undefined> {
  const rejection = preconditionRejection(meetsPreconditions, record)
  if (rejection) return rejectionOutcome(rejection)
  return andThen(lookupReferrers(), (referrers) => rejectionOutcome(referrerRejection(referrers)))
}
