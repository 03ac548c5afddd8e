/** The order of rejections: those that need a lookup come before those of the values. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, Rejection } from '../outcome.ts'
import type { ChangePlan, CreatePlan, Values } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { noTarget, notVisibleRejection, rejectionOutcome, satisfies, targetsIn } from './rejection.ts'

/**
 * The rejection to report: a rejection by the lookup takes precedence over one of the values. `isEnforced`: the database rejects
 * the same as the lookup, so the lookup runs only if the values are rejected.
 */
export function firstRejection(
  isEnforced: boolean,
  lookup: () => MaybePromise<Outcome | undefined>,
  rejectionOfValues: () => MaybePromise<Rejection | undefined>,
): MaybePromise<Outcome | undefined> {
  if (!isEnforced) return andThen(lookup(), (outcome) => outcome ?? andThen(rejectionOfValues(), rejectedFor))
  return andThen(rejectionOfValues(), (rejection) =>
    rejection ? andThen(lookup(), (outcome) => outcome ?? rejectionOutcome(rejection)) : undefined,
  )
}

/** The rejection of a record that its caller could not see. */
export function notVisible(
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
  if (unsatisfied.length > 0 || undecided.length === 0) return notVisibleRejection(unsatisfied)
  return andThen(lookups.findUnsatisfied(plan, undecided), notVisibleRejection)
}

/** Missing ancestors of the path, then targets that are missing or not visible. */
export function missingOutcome(
  lookups: Lookups,
  plan: CreatePlan | ChangePlan,
  previous?: Values,
): MaybePromise<Outcome | undefined> {
  return andThen(lookups.findMissing(plan, targetsIn(plan.operation.shape.noun, plan, previous)), (missing) =>
    'kind' in missing ? missing : rejectedFor(noTarget(missing)),
  )
}

export function rejectedFor(rejection: Rejection | undefined): Outcome | undefined {
  return rejection && rejectionOutcome(rejection)
}
