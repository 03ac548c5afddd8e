/** The names of the tables, functions and triggers of a noun's tallies on PostgreSQL. */
import { derivedName } from '../../migrate/schema/derived-name.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import { changeTriggerParts } from '../../tally.ts'

export function tallyTable(noun: string): string {
  return tallyName(noun, [])
}

export function deltaTable(noun: string): string {
  return tallyName(noun, ['delta'])
}

/** Compacts the deltas into the counts, unless another instance is doing it; returns their number. */
export function compactFunction(noun: string): string {
  return tallyName(noun, ['fold'])
}

/** Finds the start of a page by the number of records before it. */
export function pageStartFunction(noun: string): string {
  return tallyName(noun, ['place'])
}

/** The primary key of the counts. */
export function tallyKeyName(noun: string): string {
  return tallyName(noun, ['primary', 'key'])
}

/** The index on the keys of the deltas. */
export function deltaIndex(noun: string): string {
  return tallyName(noun, ['delta', 'key'])
}

export function triggerName(noun: string, kind: readonly string[]): string {
  return tallyName(noun, ['on', ...kind])
}

/** The triggers that maintain a noun's tallies, by their name parts. */
export function triggerKinds({ tallies }: NounSchema): readonly (readonly string[])[] {
  if (tallies.length === 0) return []
  const changes = tallies.filter((fields) => fields.length > 0).map(changeTriggerParts)
  return [['insert'], ['delete'], ['truncate'], ['move'], ...changes]
}

function tallyName(noun: string, suffixes: readonly string[]): string {
  return derivedName(['', 'tally', noun, ...suffixes])
}
