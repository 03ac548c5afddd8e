/** Validates a change: If-Match, transition, targets, links, visibility, rule. Unique values are checked by the write. */
import type { AnyLink } from '@nomen/core'
import { andThen, firstOf, type MaybePromise } from '../../foundation/maybe-promise.ts'
import type { StoredNoun } from '../model.ts'
import type { Outcome, Rejection } from '../outcome.ts'
import type { ChangePlan, Values } from '../plan.ts'
import type { CurrentRecord, Lookups } from './lookups.ts'
import {
  brokenRule,
  changesSharedField,
  linksWithChangedField,
  notShared,
  type RecordCount,
  rejectionOutcome,
  versionMismatch,
  wrongTransition,
} from './rejection.ts'
import { firstRejection, missingOutcome, notVisible, rejectedFor } from './rejection-order.ts'

/** The change with assigned values. */
export function withAssigned(plan: ChangePlan, previous: Values): ChangePlan {
  const { assign, values } = plan
  return assign ? { ...plan, values: { ...values, ...assign({ ...previous, ...values }, previous) } } : plan
}

/** The rejection of a change; undefined if it can be written. */
export function decideChange(
  lookups: Lookups,
  stored: StoredNoun,
  plan: ChangePlan,
  current: CurrentRecord,
): MaybePromise<Outcome | undefined> {
  const { noun } = stored
  const { values, rowFilter, match, check } = plan
  const { record: previous, identity } = current
  const next = { ...previous, ...values }
  const rejection = versionMismatch(match, current) ?? wrongTransition(noun, values, previous)
  if (rejection) return rejectionOutcome(rejection)
  const countLinked = (link: AnyLink) => lookups.countLinked(plan, link, noun, identity)
  return firstRejection(
    // Database constraints cannot check visibility, or values that links share.
    lookups.isEnforced && !rowFilter && !changesSharedField(stored, next, previous),
    () =>
      andThen(
        missingOutcome(lookups, plan, previous),
        (outcome) => outcome ?? andThen(linkConflict(stored, next, previous, countLinked), rejectedFor),
      ),
    () =>
      andThen(notVisible(lookups, plan, next, previous), (rejection) => rejection ?? brokenRule(check, next, previous)),
  )
}

/** If a link requires a shared value (`sharing`), a linked record cannot change that value. */
export function linkConflict(
  stored: StoredNoun,
  next: Values,
  previous: Values,
  countLinked: (link: AnyLink) => MaybePromise<RecordCount>,
): MaybePromise<Rejection | undefined> {
  return firstOf(linksWithChangedField(stored, next, previous), (link) =>
    andThen(countLinked(link), (counted) => notShared(link, stored.noun, counted)),
  )
}
