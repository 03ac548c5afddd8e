/** The refusals of writes, each by itself and without a lookup. The decisions beside this file give their order. */
import { type AnyLink, type AnyNoun, isMutable, type Operation, specOf, targetOf, type Value } from '@nomen/core'
import type { StoredNoun } from '../model.ts'
import type { Outcome, Refusal } from '../outcome.ts'
import type { ChangePlan, Check, Condition, Match, RowFilter, Values } from '../plan.ts'

export function refused(refusal: Refusal): Outcome {
  return { kind: 'refused', refusal }
}

/** The last record of the path does not exist, or is not related to those above it. */
export function missingHere({ levels }: Operation): Outcome {
  return { kind: 'missing', level: levels.length - 1 }
}

export function brokenRule(check: Check | undefined, next: Values, previous: Values | undefined): Refusal | undefined {
  const breach = check?.(next, previous)
  return breach && { reason: 'rule', breach }
}

/** A choice that cannot become the new one. */
export function wrongTransition(noun: AnyNoun, values: Values, previous: Values): Refusal | undefined {
  for (const [field, to] of Object.entries(values)) {
    const { transitions } = specOf(noun, field)
    const from = previous[field] ?? null
    if (!transitions || from === to) continue
    if (!transitions[`${from}`]?.some((next) => next === to)) return { reason: 'transition', field, from, to }
  }
  return undefined
}

/** The record is not one that the client expects, by its If-Match. */
export function notMatching(
  match: Match | undefined,
  { identity, version }: { readonly identity: Value; readonly version: number },
): Refusal | undefined {
  return match && !match(identity, version) ? { reason: 'changed' } : undefined
}

/** A reference that a write sets, and the noun in which its record must exist. */
export interface Target {
  readonly field: string
  readonly value: Value
  readonly noun: AnyNoun
  /** The records among which it must be; absent if the caller need not see it. */
  readonly rowFilter: RowFilter | undefined
}

/** The references among the values of a write, except those that are null. */
export function targetsIn(
  noun: AnyNoun,
  { values, rowFilter }: { readonly values: Values; readonly rowFilter?: RowFilter },
  previous?: Values,
): readonly Target[] {
  return Object.entries(values).flatMap(([field, value]) => {
    if (value === null || noun.fields[field].spec.kind !== 'reference') return []
    const mustBeVisible = isMutable(specOf(noun, field)) && previous?.[field] !== value
    // A client may send back a reference that the record has already, and the service sets some fields itself.
    return [{ field, value, noun: targetOf(noun, field), rowFilter: mustBeVisible ? rowFilter : undefined }]
  })
}

/** The refusal of a record that its own caller would not see. The targets of changed references were checked before. */
export function notVisible(
  noun: AnyNoun,
  rowFilter: RowFilter | undefined,
  next: Values,
  previous: Values | undefined,
): Refusal | undefined {
  const fields = (rowFilter?.[noun.name] ?? [])
    .filter((condition) => !isFitting(condition, next, previous))
    .flatMap(({ fields: [field = ''] }) => field)
  return fields.length === 0 ? undefined : { reason: 'out-of-sight', fields: [...new Set(fields)] }
}

/** Fields that a change leaves alone still fit. An identity that the database will generate is not known yet. */
function isFitting(condition: Condition, next: Values, previous: Values | undefined): boolean {
  const [field = ''] = condition.fields
  const value = next[field] ?? null
  if (previous && previous[field] === next[field]) return true
  if (condition.kind === 'points') return value !== null || condition.isNullFitting
  return condition.kind === 'equal' && condition.values.includes(value)
}

/** The refusal of references to missing records, all of them at once. */
export function noTarget(missing: readonly Target[]): Refusal | undefined {
  if (missing.length === 0) return undefined
  return { reason: 'no-target', missing: missing.map(({ field, value }) => ({ field, value })) }
}

/** The links that demand a shared value which the change would alter. That is allowed only while nothing is linked. */
export function unsharedLinks({ links }: StoredNoun, next: Values, previous: Values): readonly AnyLink[] {
  return links.filter(({ sharing }) => sharing !== undefined && next[sharing] !== previous[sharing])
}

/** A number of records, and how many of them the caller sees; all of them if that is left out. */
export type Counted = readonly [count: number, visible?: number | undefined]

/** The refusal of a change after which a record would not share a value with records that it is linked with. */
export function notShared(link: AnyLink, noun: AnyNoun, [count, visible = count]: Counted): Refusal | undefined {
  const other = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  if (count === 0) return undefined
  return { reason: 'not-shared', field: link.sharing as string, noun: other.name, count: visible }
}

/** Records that point at one that is to be deleted, by a field of a noun. */
export interface Referrers {
  readonly noun: string
  readonly field: string
  readonly counted: Counted
}

/** The refusal of a delete that would leave references to nothing. Referrers that the caller sees are named first. */
export function stillReferenced(referrers: readonly Referrers[]): Refusal | undefined {
  const visible = ({ counted: [count, seen = count] }: Referrers) => seen
  const first = referrers.find((one) => visible(one) > 0) ?? referrers.find(({ counted: [count] }) => count > 0)
  return first && { reason: 'referenced', noun: first.noun, field: first.field, count: visible(first) }
}

/** Whether a change depends on nothing that the record holds, so that it need not be read. */
export function canSkipRead({ noun, links }: StoredNoun, { match, check, values, rowFilter }: ChangePlan): boolean {
  const fields = Object.keys(values)
  if (match || check || rowFilter || fields.length === 0) return false
  if (links.some(({ sharing }) => sharing !== undefined && sharing in values)) return false
  return fields.every((field) => noun.fields[field].spec.transitions === undefined)
}

/** The fields that a change gives another value. The others need not be written. */
export function changedFields(values: Values, previous: Values): readonly string[] {
  return Object.keys(values).filter((field) => values[field] !== previous[field])
}

/** The refusal of values that another record has; `record` is the whole of the one to be written. */
export function taken(fields: readonly string[], record: Values): Refusal {
  return { reason: 'taken', taken: fields.map((field) => ({ field, value: record[field] ?? null })) }
}
