/** What a write decides before it changes anything, whatever the database. */
import { type AnyLink, type AnyNoun, type Level, type Operation, specOf, targetOf, type Value } from '@nomen/core'
import type { StoredNoun } from './model.ts'
import type { ChangePlan, Check, Outcome, Refusal, Values } from './plan.ts'

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
    if (!transitions || from === to || from === null || to === null) continue
    if (!transitions[`${from}`]?.includes(`${to}`)) return { reason: 'transition', field, from, to }
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

/** The refusal of references to nothing, all of them at once. */
export function noTarget(missing: readonly Target[]): Refusal | undefined {
  if (missing.length === 0) return undefined
  return { reason: 'no-target', missing: missing.map(({ field, value }) => ({ field, value })) }
}

/** The links whose records would share no longer what they share. They may only change while nothing is linked. */
export function unsharedLinks({ links }: StoredNoun, next: Values, previous: Values): readonly AnyLink[] {
  return links.filter(({ sharing }) => sharing !== undefined && next[sharing] !== previous[sharing])
}

/** The refusal of a change that would part a record from those that it is linked with. */
export function notShared(link: AnyLink, noun: AnyNoun, count: number): Refusal | undefined {
  const other = link.nouns.find(({ name }) => name !== noun.name) as AnyNoun
  return count > 0 ? { reason: 'not-shared', field: link.sharing as string, noun: other.name, count } : undefined
}

/** Whether nothing about a change depends on what the record is now. */
export function isBlind({ noun, links }: StoredNoun, { match, check, values }: ChangePlan): boolean {
  const fields = Object.keys(values)
  if (match || check || fields.length === 0) return false
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
