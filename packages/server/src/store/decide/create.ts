/**
 * Validates a create, in this order: Idempotency-Key, records in the path, referenced records, visibility, rules. The database
 * checks unique values when it writes.
 */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { CreatePlan } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { ruleRejection } from './rejection.ts'
import { firstRejection, missingOutcome, visibilityRejection } from './rejection-order.ts'

/** The outcome if nothing is created; undefined if the record can be written. */
export function decideCreate(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  const { values, rowFilter, check } = plan
  // Database constraints do not check visibility.
  const isLookupOptional = lookups.reliesOnConstraints && !rowFilter
  return firstRejection(
    isLookupOptional,
    () => earlierOutcome(lookups, plan),
    () =>
      andThen(
        visibilityRejection(lookups, plan, values),
        (rejection) => rejection ?? ruleRejection(check, values, undefined),
      ),
  )
}

/** Outcomes that take precedence over rejections of the values. */
export function earlierOutcome(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  if (!plan.idempotency) return missingOutcome(lookups, plan)
  return andThen(lookups.findRepeated(plan), (outcome) => outcome ?? missingOutcome(lookups, plan))
}
