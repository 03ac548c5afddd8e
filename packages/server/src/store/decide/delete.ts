/** When a delete is valid: the record exists, If-Match, and nothing that must keep its target points at it. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, RecordOutcome } from '../outcome.ts'
import type { DeletePlan } from '../plan.ts'
import { refusedFor } from './order.ts'
import { notMatching, type Referrers, refused, stillReferenced } from './refusal.ts'

/** The outcome if the record is to stay; undefined if it can be deleted, with all that goes with it. */
export function decideDelete(
  { match }: DeletePlan,
  record: RecordOutcome,
  lookupReferrers: () => MaybePromise<readonly Referrers[]>,
): MaybePromise<Outcome | undefined> {
  const refusal = notMatching(match, record)
  if (refusal) return refused(refusal)
  return andThen(lookupReferrers(), (referrers) => refusedFor(stillReferenced(referrers)))
}
