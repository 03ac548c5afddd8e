/** What the tallies of a noun on PostgreSQL are called: their tables, functions and triggers. */
import { derivedName, edition } from '../../migrate/derived-name.ts'
import type { NounSchema } from '../../migrate/schema.ts'
import { changeParts } from '../../tally.ts'

export function tallyTable(noun: string, of?: number): string {
  return tallyName(noun, [], of)
}

export function deltaTable(noun: string, of?: number): string {
  return tallyName(noun, ['delta'], of)
}

/** Moves the differences into the counts, unless another instance is at it; gives how many there were. */
export function foldFunction(noun: string, of?: number): string {
  return tallyName(noun, ['fold'], of)
}

/** Where the record lies that has so many others before it. */
export function placeFunction(noun: string, of?: number): string {
  return tallyName(noun, ['place'], of)
}

/** What keeps two rows of the counts from counting the same. */
export function tallyKeyName(noun: string): string {
  return tallyName(noun, ['primary', 'key'])
}

/** The index by which the differences of a key are found. */
export function deltaIndex(noun: string): string {
  return tallyName(noun, ['delta', 'key'])
}

export function triggerName(noun: string, kind: readonly string[], of?: number): string {
  return tallyName(noun, ['on', ...kind], of)
}

/** The triggers that keep a noun's tallies, by what they are called after; the first edition had fewer. */
export function triggerKinds({ tallies = [], adopted, edition: of = 1 }: NounSchema): readonly (readonly string[])[] {
  if (tallies.length === 0) return []
  const later = adopted || of > 1 ? [['truncate'], ['move']] : []
  return [['insert'], ['delete'], ...later, ...tallies.filter((fields) => fields.length > 0).map(changeParts)]
}

/** What is made for a noun's tallies; without an edition, in the one that services use. */
function tallyName(noun: string, parts: readonly string[], of: number = edition): string {
  return derivedName(['', 'tally', noun, ...parts], of)
}
