/** What becomes of a row of a bulk load, decided from what is there, whatever the database. */
import { type AnyNoun, targetOf, type Value } from '@nomen/core'
import { uniqueSets } from '../migrate/schema.ts'
import type { Refusal } from '../outcome.ts'
import type { Values } from '../plan.ts'
import type { BulkRow, RowOutcome } from './bulk.ts'

type Missing = readonly { readonly field: string; readonly value: Value }[]

/** Whether the row names the record that it is about. A guid that was made for it does not count. */
export function isIdentified(noun: AnyNoun, { given }: BulkRow): boolean {
  return given.includes(noun.identity)
}

/** Whether a row can be told from others by the values of a unique set. Null may stand more than once. */
export function isTelling(set: readonly string[], values: Values): boolean {
  return set.every((field) => (values[field] ?? null) !== null)
}

/**
 * The record that a row without identity, or with one that is not there, is about: the one that has all of its unique
 * values. A refusal where others have some of them. `holders` are those that have the values of each of the unique sets.
 */
export function recordMeant(
  noun: AnyNoun,
  row: BulkRow,
  holders: readonly (Value | undefined)[],
): { readonly identity: Value } | Refusal | undefined {
  const sets = uniqueSets(noun)
  const found = holders.filter((holder) => holder !== undefined)
  const [first] = found
  if (first === undefined) return undefined
  const isOne = found.every((holder) => holder === first)
  const isWhole = sets.every((set, at) => holders[at] !== undefined || !isTelling(set, row.values))
  if (isOne && isWhole && !isIdentified(noun, row)) return { identity: first }
  const fields = new Set(sets.filter((_, at) => holders[at] !== undefined).flat())
  return { reason: 'taken', taken: [...fields].map((field) => ({ field, value: row.values[field] ?? null })) }
}

/** The given fields whose values are other than those of the record. */
export function differences(noun: AnyNoun, { values, given }: BulkRow, record: Values): readonly string[] {
  return given.filter((field) => field !== noun.identity && values[field] !== record[field])
}

/** The values that the record takes, with what is noted of a change. */
export function changeOf(noun: AnyNoun, { values, given }: BulkRow, fields: readonly string[]): Values {
  const noted = Object.keys(noun.fields).filter((field) => {
    const { managed } = noun.fields[field].spec
    return (managed === 'updated-at' || managed === 'updated-by') && !given.includes(field)
  })
  return Object.fromEntries([...fields, ...noted].map((field) => [field, values[field] as Value]))
}

/** A record of the row's own noun may still come; others do not. */
export function withoutTargets(noun: AnyNoun, missing: Missing): RowOutcome {
  const gone = missing.filter(({ field }) => targetOf(noun, field) !== noun)
  return gone.length > 0 ? refusedRow({ reason: 'no-target', missing: gone }) : { kind: 'waiting', missing }
}

export function refusedRow(refusal: Refusal): RowOutcome {
  return { kind: 'refused', refusal }
}
