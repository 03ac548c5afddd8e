/** Validates a create: new key, ancestors, targets, visibility, rule. Unique values are checked by the write. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { CreatePlan } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { brokenRule } from './refusal.ts'
import { firstRefusal, missingOutcome, notVisible } from './refusal-order.ts'

/** The outcome if nothing is created; undefined if the record can be written. */
export function decideCreate(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  const { values, rowFilter, check } = plan
  return firstRefusal(
    // Database constraints cannot check visibility.
    lookups.isEnforced && !rowFilter,
    () => earlierOutcome(lookups, plan),
    () => andThen(notVisible(lookups, plan, values), (refusal) => refusal ?? brokenRule(check, values, undefined)),
  )
}

/** Outcomes that take precedence over refusals of the values. */
export function earlierOutcome(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  if (!plan.idempotency) return missingOutcome(lookups, plan)
  return andThen(lookups.findRepeated(plan), (outcome) => outcome ?? missingOutcome(lookups, plan))
}
