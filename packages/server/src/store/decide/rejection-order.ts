/** The order of rejections: those that need a read come before those of the values. */
import { andThen, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { Outcome, Rejection } from '../outcome.ts'
import type { ChangePlan, CreatePlan, Values } from '../plan.ts'
import type { DecisionReads } from './decision-reads.ts'
import { missingTargetRejection, rejectionOutcome, satisfies, targetsIn, unsatisfiedRejection } from './rejection.ts'

/**
 * The rejection to report: one that needs reads takes precedence over one of the values. `areReadsOptional`: constraints of the
 * database reject the same, so the reads run only if the values are rejected.
 */
export function firstRejection(
  areReadsOptional: boolean,
  rejectionByReads: () => MaybePromise<Outcome | undefined>,
  rejectionOfValues: () => MaybePromise<Rejection | undefined>,
): MaybePromise<Outcome | undefined> {
  if (!areReadsOptional)
    return andThen(rejectionByReads(), (outcome) => outcome ?? andThen(rejectionOfValues(), rejectionOutcome))
  return andThen(rejectionOfValues(), (rejection) =>
    rejection ? andThen(rejectionByReads(), (outcome) => outcome ?? rejectionOutcome(rejection)) : undefined,
  )
}

/** The rejection of a record that its caller could not see. */
export function visibilityRejection(
  reads: DecisionReads,
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
  return andThen(reads.findUnsatisfied(plan, undecided), unsatisfiedRejection)
}

/** Missing ancestors of the path, then targets that are missing or not visible. */
export function outcomeIfMissing(
  reads: DecisionReads,
  plan: CreatePlan | ChangePlan,
  previous?: Values,
): MaybePromise<Outcome | undefined> {
  return andThen(reads.findMissing(plan, targetsIn(plan.operation.shape.noun, plan, previous)), (missing) =>
    'kind' in missing ? missing : rejectionOutcome(missingTargetRejection(missing)),
  )
}
