/**
 * Validates a change, in this order: If-Match, transitions, referenced records, links, visibility, rules. The database checks
 * unique values when it writes.
 */
import type { AnyLink } from '@nomen/core'
import { andThen, firstOf, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { StoredNoun } from '../model.ts'
import type { Outcome, Rejection } from '../outcome.ts'
import type { ChangePlan, Values } from '../plan.ts'
import type { CurrentRecord, DecisionReads } from './decision-reads.ts'
import {
  changesSharedField,
  linksWithChangedField,
  preconditionRejection,
  type RecordCount,
  rejectionOutcome,
  ruleRejection,
  sharedValueRejection,
  transitionRejection,
} from './rejection.ts'
import { firstRejection, outcomeIfMissing, visibilityRejection } from './rejection-order.ts'

/** The change with assigned values. */
export function withAssigned(plan: ChangePlan, previous: Values): ChangePlan {
  const { assign, values } = plan
  return assign ? { ...plan, values: { ...values, ...assign({ ...previous, ...values }, previous) } } : plan
}

/** The rejection of a change; undefined if it can be written. */
export function decideChange(
  reads: DecisionReads,
  stored: StoredNoun,
  plan: ChangePlan,
  current: CurrentRecord,
): MaybePromise<Outcome | undefined> {
  const { noun } = stored
  const { values, rowFilter, meetsPreconditions, check } = plan
  const { record: previous, identity } = current
  const next = { ...previous, ...values }
  const rejection = preconditionRejection(meetsPreconditions, current) ?? transitionRejection(noun, values, previous)
  if (rejection) return rejectionOutcome(rejection)
  // If foreign keys of the database reject missing referenced records, a valid change needs no lookup. If a rule is violated, the
  // lookup still runs, because a missing record is reported before the violation. Foreign keys check neither visibility nor
  // values that links share, so these always need the lookup.
  const areReadsOptional = reads.reliesOnConstraints && !rowFilter && !changesSharedField(stored, next, previous)
  const countLinked = (link: AnyLink) => reads.countLinked(plan, link, noun, identity)
  return firstRejection(
    areReadsOptional,
    () =>
      andThen(
        outcomeIfMissing(reads, plan, previous),
        (outcome) => outcome ?? andThen(linkConflict(stored, next, previous, countLinked), rejectionOutcome),
      ),
    () =>
      andThen(
        visibilityRejection(reads, plan, next, previous),
        (rejection) => rejection ?? ruleRejection(check, next, previous),
      ),
  )
}

/** If a link requires a shared value (`sharing`), that value of a linked record cannot change. */
export function linkConflict(
  stored: StoredNoun,
  next: Values,
  previous: Values,
  countLinked: (link: AnyLink) => MaybePromise<RecordCount>,
): MaybePromise<Rejection | undefined> {
  return firstOf(linksWithChangedField(stored, next, previous), (link) =>
    andThen(countLinked(link), (recordCount) => sharedValueRejection(link, stored.noun, recordCount)),
  )
}
