/** Rebuilds a deleted record from its history entry. */
import { type AnyNoun, readText, readValue, specOf, targetOf, type Value } from '@nomen/core'
import { versionProperty } from '../../store/migrate/history.ts'
import type { Rejection } from '../../store/outcome.ts'
import type { Values } from '../../store/plan.ts'
import { type Entry, recordName, stateOf } from './entry-reads.ts'
import { invalidValue } from './restore-problem.ts'

/** A deleted record, and the values that it had. */
export interface DeletedRecord {
  readonly noun: AnyNoun
  readonly identity: Value
  readonly values: Values
  readonly version: number
}

/** The identity in the name of a record: `user/7`. */
export function identityIn(noun: AnyNoun, record: string): Value {
  const result = readText(specOf(noun, noun.identity), record.slice(noun.name.length + 1))
  return 'value' in result ? result.value : null
}

/** The record of an entry. A field that was declared after the deletion has its default. */
export function deletedRecord(
  noun: AnyNoun,
  identity: Value,
  entry: Entry,
  isShown: (field: string) => boolean,
): DeletedRecord {
  const state = stateOf(entry)
  const values: Record<string, Value> = {}
  for (const field of Object.keys(noun.fields)) {
    const spec = specOf(noun, field)
    const value = state.get(field)
    if (value !== undefined) {
      const result = readValue(spec, value)
      if ('fault' in result && value !== null)
        throw invalidValue(noun, identity, isShown(field) ? { field, value, fault: result.fault } : undefined)
      values[field] = 'value' in result ? result.value : value
    } else if (!spec.databaseDefault) values[field] = spec.default ?? null
  }
  return { noun, identity, values, version: Number(state.get(versionProperty) ?? 1) }
}

/** Whether a record is rejected only because a record that will be restored is missing. */
export function isWaitingFor(noun: AnyNoun, rejection: Rejection, pending: ReadonlySet<string>): boolean {
  return (
    rejection.reason === 'no-target' &&
    rejection.missing.every(({ field, value }) => pending.has(recordName(targetOf(noun, field), value)))
  )
}
