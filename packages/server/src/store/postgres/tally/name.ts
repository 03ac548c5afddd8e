/** The names of the tables, functions and triggers of a noun's tallies on PostgreSQL. */
import { derivedName, edition } from '../../migrate/schema/derived-name.ts'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import { changeParts } from '../../tally.ts'

export function tallyTable(noun: string, of?: number): string {
  return tallyName(noun, [], of)
}

export function deltaTable(noun: string, of?: number): string {
  return tallyName(noun, ['delta'], of)
}

/** Compacts the deltas into the counts, unless another instance is doing it; returns their number. */
export function compactFunction(noun: string, of?: number): string {
  return tallyName(noun, ['fold'], of)
}

/** Finds the start of a page by the number of records before it. */
export function pageStartFunction(noun: string, of?: number): string {
  return tallyName(noun, ['place'], of)
}

/** The primary key of the counts. */
export function tallyKeyName(noun: string): string {
  return tallyName(noun, ['primary', 'key'])
}

/** The index on the keys of the deltas. */
export function deltaIndex(noun: string): string {
  return tallyName(noun, ['delta', 'key'])
}

export function triggerName(noun: string, kind: readonly string[], of?: number): string {
  return tallyName(noun, ['on', ...kind], of)
}

/** The triggers that maintain a noun's tallies, by their name parts. Edition 1 had fewer. */
export function triggerKinds({ tallies = [], adopted, edition: of = 1 }: NounSchema): readonly (readonly string[])[] {
  if (tallies.length === 0) return []
  const later = adopted || of > 1 ? [['truncate'], ['move']] : []
  return [['insert'], ['delete'], ...later, ...tallies.filter((fields) => fields.length > 0).map(changeParts)]
}

/** The name of a part of a noun's tallies (default: in the current edition). */
function tallyName(noun: string, parts: readonly string[], of: number = edition): string {
  return derivedName(['', 'tally', noun, ...parts], of)
}
