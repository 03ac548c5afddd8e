/** The order of refusals: those that a lookup finds come before those of the values themselves. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, Refusal } from '../outcome.ts'
import type { ChangePlan, CreatePlan, Values } from '../plan.ts'
import type { Lookups } from './lookups.ts'
import { noTarget, refused, targetsIn } from './refusal.ts'

/** `isEnforced`: the database itself refuses what the lookup finds, so it is made only if the values are refused. */
export function lookupFirst(
  isEnforced: boolean,
  lookup: () => MaybePromise<Outcome | undefined>,
  refusalOfValues: () => Refusal | undefined,
): MaybePromise<Outcome | undefined> {
  const refusal = isEnforced ? refusalOfValues() : undefined
  if (isEnforced && !refusal) return undefined
  return andThen(lookup(), (outcome) => outcome ?? refusedFor(refusal ?? refusalOfValues()))
}

/** Ancestors of the path that are missing, then targets that are missing or not visible. */
export function missingRecord(
  lookups: Lookups,
  plan: CreatePlan | ChangePlan,
  previous?: Values,
): MaybePromise<Outcome | undefined> {
  return andThen(lookups.missing(plan, targetsIn(plan.operation.shape.noun, plan, previous)), (missing) =>
    'kind' in missing ? missing : refusedFor(noTarget(missing)),
  )
}

export function refusedFor(refusal: Refusal | undefined): Outcome | undefined {
  return refusal && refused(refusal)
}
