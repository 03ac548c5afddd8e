/** What a write decides before it changes anything, whatever the database. */
import {
  type AnyLink,
  type AnyNoun,
  isMutable,
  type Level,
  type Operation,
  specOf,
  targetOf,
  type Value,
} from '@nomen/core'
import type { StoredNoun } from './model.ts'
import type { Outcome, Refusal } from './outcome.ts'
import type { ChangePlan, Check, Condition, RowFilter, Values } from './plan.ts'

export function refused(refusal: Refusal): Outcome {
  return { kind: 'refused', refusal }
}

/** The last record of the path is not there, or not related to those above it. */
export function missingHere({ levels }: Operation): Outcome {
  return { kind: 'missing', level: levels.length - 1 }
}

export function brokenRule(check: Check | undefined, next: Values, previous: Values | undefined): Refusal | undefined {
  const breach = check?.(next, previous)
  return breach && { reason: 'rule', breach }
}

/** A choice that cannot become what it is to be. */
export function wrongTransition(noun: AnyNoun, values: Values, previous: Values): Refusal | undefined {
  for (const [field, to] of Object.entries(values)) {
    const { transitions } = specOf(noun, field)
    const from = previous[field] ?? null
    if (!transitions || from === to) continue
    if (!transitions[`${from}`]?.some((next) => next === to)) return { reason: 'transition', field, from, to }
  }
  return undefined
}

/** A reference that a write sets, and the noun in which its record must be there. */
export interface Target {
  readonly field: string
  readonly value: Value
  readonly noun: AnyNoun
}

/** The references among values, those that are null left out. */
export function targetsIn(noun: AnyNoun, values: Values): readonly Target[] {
  return Object.entries(values).flatMap(([field, value]) =>
    value === null || noun.fields[field].spec.kind !== 'reference'
      ? []
      : [{ field, value, noun: targetOf(noun, field) }],
  )
}

/**
 * Whether the record that a write points at must be one that the caller sees. What the record points at already may be
 * sent back, and what the service itself sets is none of the caller's doing.
 */
export function mustBeSeen(noun: AnyNoun, { field, value }: Target, previous: Values | undefined): boolean {
  return isMutable(specOf(noun, field)) && previous?.[field] !== value
}

/**
 * The refusal of a record that its own caller would not see. Targets are judged before: what a changed reference points
 * at is seen.
 */
export function notVisible(
  noun: AnyNoun,
  sight: RowFilter | undefined,
  next: Values,
  previous: Values | undefined,
): Refusal | undefined {
  const fields = (sight?.[noun.name] ?? [])
    .filter((condition) => !isFitting(condition, next, previous))
    .flatMap(({ fields: [field = ''] }) => field)
  return fields.length === 0 ? undefined : { reason: 'out-of-sight', fields: [...new Set(fields)] }
}

/** What a change leaves as it was goes on fitting. An identity that the database will count up is not known yet. */
function isFitting(condition: Condition, next: Values, previous: Values | undefined): boolean {
  const [field = ''] = condition.fields
  const value = next[field] ?? null
  if (previous && previous[field] === next[field]) return true
  if (condition.kind === 'points') return value !== null || condition.isNullFitting
  return condition.kind === 'equal' && condition.values.includes(value)
}

/** The refusal of references to nothing, all of them at once. */
export function noTarget(missing: readonly Target[]): Refusal | undefined {
  if (missing.length === 0) return undefined
  return { reason: 'no-target', missing: missing.map(({ field, value }) => ({ field, value })) }
}

/** The links whose records would share no longer what they share. They may only change while nothing is linked. */
export function unsharedLinks({ links }: StoredNoun, next: Values, previous: Values): readonly AnyLink[] {
  return links.filter(({ sharing }) => sharing !== undefined && next[sharing] !== previous[sharing])
}

/** The refusal of a change that would part a record from those that it is linked with; the caller sees some of them. */
export function notShared(link: AnyLink, noun: AnyNoun, count: number, seen = count): Refusal | undefined {
  const other = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  return count > 0 ? { reason: 'not-shared', field: link.sharing as string, noun: other.name, count: seen } : undefined
}

/** How many records point at one that is to be deleted, by which field of which noun, and how many of them are seen. */
export interface Pointing {
  readonly noun: string
  readonly field: string
  readonly count: number
  readonly seen: number
}

/** The refusal of a delete that would leave references to nothing. What the caller sees is told first. */
export function stillReferenced(pointing: readonly Pointing[]): Refusal | undefined {
  const found = pointing.find(({ seen }) => seen > 0) ?? pointing.find(({ count }) => count > 0)
  return found && { reason: 'referenced', noun: found.noun, field: found.field, count: found.seen }
}

/** Whether nothing about a change depends on what the record is now. */
export function isBlind({ noun, links }: StoredNoun, { match, check, values, sight }: ChangePlan): boolean {
  const fields = Object.keys(values)
  if (match || check || sight || fields.length === 0) return false
  if (links.some(({ sharing }) => sharing !== undefined && sharing in values)) return false
  return fields.every((field) => noun.fields[field].spec.transitions === undefined)
}

/** The fields that a change gives another value. What stays as it is need not be written. */
export function changedFields(values: Values, previous: Values): readonly string[] {
  return Object.keys(values).filter((field) => values[field] !== previous[field])
}

/** The refusal of values that another record has; `record` is the whole of the one to be written. */
export function taken(fields: readonly string[], record: Values): Refusal {
  return { reason: 'taken', taken: fields.map((field) => ({ field, value: record[field] ?? null })) }
}

/** The link of an operation, and its two nouns: `near` is the parent in the path. */
export function linkOf({ link, levels }: Operation): { link: AnyLink; near: AnyNoun; far: AnyNoun } {
  const [far, near] = [levels.at(-1) as Level, levels.at(-2) as Level]
  return { link: link as AnyLink, near: near.resource.noun, far: far.resource.noun }
}
