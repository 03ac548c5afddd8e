/** The order of rejections: those that need a lookup come before those of the values. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, Rejection } from '../outcome.ts'
import type { ChangePlan, CreatePlan, Values } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { missingTargetRejection, rejectionOutcome, satisfies, targetsIn, unsatisfiedRejection } from './rejection.ts'

/**
 * The rejection to report: a rejection by the lookup takes precedence over one of the values. `isLookupOptional`: constraints of the
 * database reject the same as the lookup, so the lookup runs only if the values are rejected.
 */
export function firstRejection(
  isLookupOptional: boolean,
  lookup: () => MaybePromise<Outcome | undefined>,
  rejectionOfValues: () => MaybePromise<Rejection | undefined>,
): MaybePromise<Outcome | undefined> {
  if (!isLookupOptional)
    return andThen(lookup(), (outcome) => outcome ?? andThen(rejectionOfValues(), rejectionOutcome))
  return andThen(rejectionOfValues(), (rejection) =>
    rejection ? andThen(lookup(), (outcome) => outcome ?? rejectionOutcome(rejection)) : undefined,
  )
}

/** The rejection of a record that its caller could not see. */
export function visibilityRejection(
  lookups: Lookups,
  plan: CreatePlan | ChangePlan,
  next: Values,
  previous?: Values,
): MaybePromise<Rejection | undefined> {
  const { rowFilter } = plan
  const conditions = rowFilter?.[plan.operation.shape.noun.name]
  if (!rowFilter || !conditions) return undefined
  const results = conditions.map((condition) => satisfies(condition, rowFilter, next, previous))
  const unsatisfied = conditions.filter((_, index) => results[index] === false)
  const undecided = conditions.filter((_, index) => results[index] === undefined)
  if (unsatisfied.length > 0 || undecided.length === 0) return unsatisfiedRejection(unsatisfied)
  return andThen(lookups.findUnsatisfied(plan, undecided), unsatisfiedRejection)
}

/** Missing ancestors of the path, then targets that are missing or not visible. */
export function missingOutcome(
  lookups: Lookups,
  plan: CreatePlan | ChangePlan,
  previous?: Values,
): MaybePromise<Outcome | undefined> {
  return andThen(lookups.findMissing(plan, targetsIn(plan.operation.shape.noun, plan, previous)), (missing) =>
    'kind' in missing ? missing : rejectionOutcome(missingTargetRejection(missing)),
  )
}
