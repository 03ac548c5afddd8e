/** The order of refusals: those that need a lookup come before those of the values. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, Refusal } from '../outcome.ts'
import type { ChangePlan, CreatePlan, Values } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { noTarget, notVisibleRefusal, refusalOutcome, satisfies, targetsIn } from './refusal.ts'

/**
 * The refusal to report: a refusal by the lookup takes precedence over one of the values. `isEnforced`: the database rejects
 * the same as the lookup, so the lookup runs only if the values are refused.
 */
export function firstRefusal(
  isEnforced: boolean,
  lookup: () => MaybePromise<Outcome | undefined>,
  refusalOfValues: () => MaybePromise<Refusal | undefined>,
): MaybePromise<Outcome | undefined> {
  if (!isEnforced) return andThen(lookup(), (outcome) => outcome ?? andThen(refusalOfValues(), refusedFor))
  return andThen(refusalOfValues(), (refusal) =>
    refusal ? andThen(lookup(), (outcome) => outcome ?? refusalOutcome(refusal)) : undefined,
  )
}

/** The refusal of a record that its caller could not see. */
export function notVisible(
  lookups: Lookups,
  plan: CreatePlan | ChangePlan,
  next: Values,
  previous?: Values,
): MaybePromise<Refusal | undefined> {
  const { rowFilter } = plan
  const conditions = rowFilter?.[plan.operation.shape.noun.name]
  if (!rowFilter || !conditions) return undefined
  const results = conditions.map((condition) => satisfies(condition, rowFilter, next, previous))
  const unsatisfied = conditions.filter((_, index) => results[index] === false)
  const undecided = conditions.filter((_, index) => results[index] === undefined)
  if (unsatisfied.length > 0 || undecided.length === 0) return notVisibleRefusal(unsatisfied)
  return andThen(lookups.findUnsatisfied(plan, undecided), notVisibleRefusal)
}

/** Missing ancestors of the path, then targets that are missing or not visible. */
export function missingOutcome(
  lookups: Lookups,
  plan: CreatePlan | ChangePlan,
  previous?: Values,
): MaybePromise<Outcome | undefined> {
  return andThen(lookups.findMissing(plan, targetsIn(plan.operation.shape.noun, plan, previous)), (missing) =>
    'kind' in missing ? missing : refusedFor(noTarget(missing)),
  )
}

export function refusedFor(refusal: Refusal | undefined): Outcome | undefined {
  return refusal && refusalOutcome(refusal)
}
