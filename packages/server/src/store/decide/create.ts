/**
 * Validates a create, in this order: Idempotency-Key, records in the path, referenced records, visibility, rules. The database
 * checks unique values when it writes.
 */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { CreatePlan } from '../plan.ts'
import type { DecisionReads } from './decision-reads.ts'
import { ruleRejection } from './rejection.ts'
import { firstRejection, outcomeIfMissing, visibilityRejection } from './rejection-order.ts'

/** The outcome if nothing is created; undefined if the record can be written. */
export function decideCreate(reads: DecisionReads, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  const { values, rowFilter, check } = plan
  // Database constraints do not check visibility.
  const areReadsOptional = reads.reliesOnConstraints && !rowFilter
  return firstRejection(
    areReadsOptional,
    () => earlierOutcome(reads, plan),
    () =>
      andThen(
        visibilityRejection(reads, plan, values),
        (rejection) => rejection ?? ruleRejection(check, values, undefined),
      ),
  )
}

/** Outcomes that take precedence over rejections of the values. */
export function earlierOutcome(reads: DecisionReads, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  if (!plan.idempotency) return outcomeIfMissing(reads, plan)
  return andThen(reads.findRepeated(plan), (outcome) => outcome ?? outcomeIfMissing(reads, plan))
}
