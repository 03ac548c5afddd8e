/** The reasons to reject a write, as functions that do not read the database. The other files of this folder call them in order. */
import { type AnyLink, type AnyNoun, isSettable, type Operation, specOf, targetOf, type Value } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import type { Outcome, Rejection } from '../outcome.ts'
import {
  type ChangePlan,
  type Check,
  type Condition,
  type MeetsPreconditions,
  ownFields,
  type RowFilter,
  type Values,
} from '../plan.ts'

/** The outcome of a rejected write; undefined without a rejection. */
export function rejectionOutcome(rejection: Rejection): Outcome
export function rejectionOutcome(rejection: Rejection | undefined): Outcome | undefined
export function rejectionOutcome(rejection: Rejection | undefined): Outcome | undefined {
  return rejection && { kind: 'rejected', rejection }
}

/** The outcome if the last record of the path does not exist, or is not related to those above it. */
export function missingRecordOutcome({ levels }: Operation): Outcome {
  return { kind: 'missing', level: levels.length - 1 }
}

/** The rejection of a record that violates a rule. */
export function ruleRejection(
  check: Check | undefined,
  next: Values,
  previous: Values | undefined,
): Rejection | undefined {
  const breach = check?.(next, previous)
  return breach && { reason: 'rule', breach }
}

/** The rejection of a transition of a choice that is not allowed. */
export function transitionRejection(noun: AnyNoun, values: Values, previous: Values): Rejection | undefined {
  for (const field of Object.keys(values)) {
    const { transitions } = specOf(noun, field)
    if (!transitions) continue
    const from = previous[field] ?? null
    const to = values[field] ?? null
    if (from === to) continue
    if (!transitions[`${from}`]?.some((next) => next === to)) return { reason: 'transition', field, from, to }
  }
  return undefined
}

/** The rejection of a record that does not meet If-Match or If-None-Match. */
export function preconditionRejection(
  meetsPreconditions: MeetsPreconditions | undefined,
  { identity, version }: { readonly identity: Value; readonly version: number },
): Rejection | undefined {
  return meetsPreconditions && !meetsPreconditions(identity, version) ? { reason: 'precondition' } : undefined
}

/** A reference that a write sets, and the noun of its target. */
export interface Target {
  readonly field: string
  readonly value: Value
  readonly noun: AnyNoun
  /** The visibility of the caller; absent if the target need not be visible. */
  readonly rowFilter: RowFilter | undefined
}

/** The references in the values of a write, except null. */
export function targetsIn(
  noun: AnyNoun,
  { values, rowFilter }: { readonly values: Values; readonly rowFilter?: RowFilter },
  previous?: Values,
): readonly Target[] {
  return Object.entries(values).flatMap(([field, value]) => {
    if (value === null || noun.fields[field].spec.kind !== 'reference') return []
    // The target need not be visible if the reference is unchanged, or if the service sets the field.
    const mustBeVisible = isSettable(specOf(noun, field)) && previous?.[field] !== value
    return [{ field, value, noun: targetOf(noun, field), rowFilter: mustBeVisible ? rowFilter : undefined }]
  })
}

/** The rejection of a record that the caller could not see; `unsatisfied` has the conditions that it does not satisfy. */
export function unsatisfiedRejection(unsatisfied: readonly Condition[]): Rejection | undefined {
  return unsatisfied.length === 0
    ? undefined
    : { reason: 'out-of-sight', fields: [...new Set(unsatisfied.flatMap(ownFields))] }
}

/**
 * Whether a record will satisfy a condition of its caller's visibility; undefined if only the database can tell. A
 * condition on unchanged fields is still satisfied. An identity that the database will generate is not known yet.
 */
export function satisfies(
  condition: Condition,
  rowFilter: RowFilter,
  next: Values,
  previous: Values | undefined,
): boolean | undefined {
  const fields = ownFields(condition)
  if (previous && fields.every((field) => previous[field] === next[field])) return true
  const [field = ''] = fields
  const value = next[field] ?? null
  if (condition.kind === 'equal') return condition.values.includes(value)
  if (condition.kind !== 'reference') return undefined
  if (value === null) return condition.allowsNull
  // The targets of changed references were already looked up among visible records.
  const isChecked = condition.conditions === rowFilter[condition.noun.name] || condition.conditions.length === 0
  return isChecked ? true : undefined
}

/** The rejection of references to missing records, all at once. */
export function missingTargetRejection(missing: readonly Target[]): Rejection | undefined {
  if (missing.length === 0) return undefined
  return { reason: 'no-target', missing: missing.map(({ field, value }) => ({ field, value })) }
}

/** The links whose shared field the change alters. That is allowed only while nothing is linked. */
export function linksWithChangedField({ links }: StoredNoun, next: Values, previous: Values): readonly AnyLink[] {
  return links.filter((link) => isSharedFieldChanged(link, next, previous))
}

/** Whether the change alters the shared field of a link. */
export function changesSharedField({ links }: StoredNoun, next: Values, previous: Values): boolean {
  return links.some((link) => isSharedFieldChanged(link, next, previous))
}

function isSharedFieldChanged({ sharing }: AnyLink, next: Values, previous: Values): boolean {
  return sharing !== undefined && next[sharing] !== previous[sharing]
}

/** A number of records, and how many of them are visible (default: all). */
export type RecordCount = readonly [count: number, visible?: number | undefined]

/** The rejection of a change after which linked records would no longer share a value. */
export function sharedValueRejection(
  link: AnyLink,
  noun: AnyNoun,
  [count, visible = count]: RecordCount,
): Rejection | undefined {
  const otherNoun = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  if (count === 0) return undefined
  return { reason: 'shared-value', field: link.sharing as string, noun: otherNoun.name, count: visible }
}

/** Records that refer to a record that is to be deleted, by a field of a noun. */
export interface Referrers {
  readonly noun: string
  readonly field: string
  readonly count: RecordCount
}

/** The rejection of a delete that would leave dangling references. It reports one referrer, a visible one if there is any. */
export function referrerRejection(referrers: readonly Referrers[]): Rejection | undefined {
  const visible = ({ count: [count, visibleCount = count] }: Referrers) => visibleCount
  const first = referrers.find((referrer) => visible(referrer) > 0) ?? referrers.find(({ count: [count] }) => count > 0)
  return first && { reason: 'referenced', noun: first.noun, field: first.field, count: visible(first) }
}

/** Whether the stored record need not be read, because the change does not depend on it. */
export function canSkipRead(
  { noun, links }: StoredNoun,
  { meetsPreconditions, check, assign, values, rowFilter }: ChangePlan,
): boolean {
  const fields = Object.keys(values)
  if (meetsPreconditions || check || assign || rowFilter || fields.length === 0) return false
  if (links.some(({ sharing }) => sharing !== undefined && sharing in values)) return false
  return fields.every((field) => noun.fields[field].spec.transitions === undefined)
}

/** The fields whose values change. The others need not be written. */
export function changedFields(values: Values, previous: Values): readonly string[] {
  return Object.keys(values).filter((field) => values[field] !== previous[field])
}

/** The rejection of values that another record has; `record` is the whole record to be written. */
export function takenRejection(fields: readonly string[], record: Values): Rejection {
  return { reason: 'taken', taken: fields.map((field) => ({ field, value: record[field] ?? null })) }
}
