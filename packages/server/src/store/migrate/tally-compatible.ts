/** Whether what is counted of a noun's records stays right when its declaration changes. */
import { isSameForm } from './convert.ts'
import { keptFieldNames } from './field-renames.ts'
import { fieldOf, type NounSchema } from './schema.ts'

/** The same tallies, by fields that bear the name that they bore and hold what they held, and the same identity. */
export function isCountedAlike(before: NounSchema, after: NounSchema): boolean {
  const { tallies = [] } = after
  const kept = keptFieldNames(before, after)
  const isKept = (name: string) => kept.get(name) === name && isSameForm(fieldOf(before, name), fieldOf(after, name))
  return (
    JSON.stringify(before.tallies ?? []) === JSON.stringify(tallies) &&
    [after.identity, ...tallies.flat()].every(isKept)
  )
}
