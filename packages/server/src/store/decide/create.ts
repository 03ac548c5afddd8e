/** Validates a create: new key, ancestors, targets, visibility, rule. Unique values are checked by the write. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { CreatePlan } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { brokenRule } from './rejection.ts'
import { firstRejection, missingOutcome, notVisible } from './rejection-order.ts'

/** The outcome if nothing is created; undefined if the record can be written. */
export function decideCreate(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  const { values, rowFilter, check } = plan
  return firstRejection(
    // Database constraints cannot check visibility.
    lookups.isEnforced && !rowFilter,
    () => earlierOutcome(lookups, plan),
    () => andThen(notVisible(lookups, plan, values), (rejection) => rejection ?? brokenRule(check, values, undefined)),
  )
}

/** Outcomes that take precedence over rejections of the values. */
export function earlierOutcome(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  if (!plan.idempotency) return missingOutcome(lookups, plan)
  return andThen(lookups.findRepeated(plan), (outcome) => outcome ?? missingOutcome(lookups, plan))
}
