/** Validates a delete: the record exists, If-Match, and no reference that must keep its target. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, RecordOutcome } from '../outcome.ts'
import type { DeletePlan } from '../plan.ts'
import { type Referrers, refusalOutcome, stillReferenced, versionMismatch } from './refusal.ts'
import { refusedFor } from './refusal-order.ts'

/** The outcome if the record stays; undefined if it can be deleted with its dependents. */
export function decideDelete(
  { match }: DeletePlan,
  record: RecordOutcome,
  lookupReferrers: () => MaybePromise<readonly Referrers[]>,
): MaybePromise<Outcome | undefined> {
  const refusal = versionMismatch(match, record)
  if (refusal) return refusalOutcome(refusal)
  return andThen(lookupReferrers(), (referrers) => refusedFor(stillReferenced(referrers)))
}
