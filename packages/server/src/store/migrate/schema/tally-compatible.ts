/** Whether existing tallies stay valid when the declaration of a noun changes. */

import { previousFieldNames } from '../change/field-renames.ts'
import { isSameForm } from '../convert.ts'
import { fieldOf, type NounSchema } from './schema.ts'

/** Whether the tallies and the identity are the same, on fields that keep their name and form. */
export function isTallyCompatible(before: NounSchema, after: NounSchema): boolean {
  const { tallies } = after
  const previousNames = previousFieldNames(before, after)
  const isUnchanged = (name: string) =>
    previousNames.get(name) === name && isSameForm(fieldOf(before, name), fieldOf(after, name))
  return (
    before.blocks === after.blocks &&
    JSON.stringify(before.tallies) === JSON.stringify(tallies) &&
    [after.identity, ...tallies.flat()].every(isUnchanged)
  )
}
