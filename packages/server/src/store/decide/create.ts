/** When a create is valid: new key, ancestors, targets, visibility, rule; then the write finds taken values. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome } from '../outcome.ts'
import type { CreatePlan } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { lookupFirst, missingRecord } from './order.ts'
import { brokenRule, notVisible } from './refusal.ts'

/** The outcome if nothing is to be created; undefined if the record can be written. */
export function decideCreate(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  const { operation, values, rowFilter, check } = plan
  return lookupFirst(
    // No constraint of a database knows which records a caller sees.
    lookups.isEnforced && !rowFilter,
    () => createObstacle(lookups, plan),
    () => notVisible(operation.shape.noun, rowFilter, values, undefined) ?? brokenRule(check, values, undefined),
  )
}

/** The outcomes that come before any refusal of the values. */
export function createObstacle(lookups: Lookups, plan: CreatePlan): MaybePromise<Outcome | undefined> {
  if (!plan.idempotency) return missingRecord(lookups, plan)
  return andThen(lookups.repeated(plan), (outcome) => outcome ?? missingRecord(lookups, plan))
}
