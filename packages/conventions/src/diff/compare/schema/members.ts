/** Compares the elements of an array, and the fields of an object that are not named. */
import { codeOf, type NextPair, type Pair, type Use } from '../../pair.ts'
import type { AddRemark } from '../../report/remark.ts'
import type { Schema, Shape } from '../../shape.ts'

export function compareMembers({ old, next }: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  /** Compares two schemas. A missing one allows any value. */
  const compareParts = (oldSchema: Schema, nextSchema: Schema, step: string, subject: string): readonly NextPair[] => {
    if (oldSchema.length === 0 && nextSchema.length > 0)
      addRemark(
        codeOf(use, 'narrowed'),
        (name) => `${subject} of ${name()} had any type, and now have a schema.`,
        nextSchema[0],
      )
    if (oldSchema.length > 0 && nextSchema.length === 0)
      addRemark(
        codeOf(use, 'widened'),
        (name) => `${subject} of ${name()} had a schema, and may now have any type.`,
        oldSchema[0],
      )
    return [{ old: oldSchema, next: nextSchema, step }]
  }
  const addClosedRemark = (wasClosed: boolean, isClosed: boolean, subject: string) => {
    if (wasClosed !== isClosed)
      addRemark(
        codeOf(use, isClosed ? 'tightened' : 'loosened'),
        (name) => `${subject} of ${name()} are ${isClosed ? 'no longer allowed' : 'allowed'}.`,
        next.parts[0],
      )
  }
  /** An element of an array with a fixed length is like a field. */
  const addElementRemark = (isAdded: boolean, position: number) => {
    const code = isAdded ? 'response-field-added' : 'response-field-removed'
    addRemark(
      use.kind === 'response' ? code : codeOf(use, isAdded ? 'loosened' : 'tightened'),
      (name) => `Element ${position} of ${name()} ${isAdded ? 'is allowed' : 'is no longer allowed'}.`,
      next.parts[0],
    )
  }
  addClosedRemark(old.isArrayClosed, next.isArrayClosed, 'Further elements')
  addClosedRemark(old.isClosed, next.isClosed, 'Other fields')
  const pairs: NextPair[] = []
  for (let index = 0; index < Math.max(old.prefix.length, next.prefix.length); index++) {
    if (isElement(old, index) && isElement(next, index))
      pairs.push(...compareParts(elementAt(old, index), elementAt(next, index), `[${index}]`, `Elements ${index + 1}`))
    else if (old.isArrayClosed && next.isArrayClosed) addElementRemark(isElement(next, index), index + 1)
  }
  if (!old.isArrayClosed && !next.isArrayClosed) pairs.push(...compareParts(old.items, next.items, '[]', 'Elements'))
  for (const pattern of new Set([...old.patternFields.keys(), ...next.patternFields.keys()])) {
    const subject = `Fields that match ${pattern}`
    const [wasAllowed, isAllowed] = [old, next].map((shape) => isPatternField(shape, pattern))
    if (wasAllowed && isAllowed)
      pairs.push(...compareParts(patternField(old, pattern), patternField(next, pattern), `.${pattern}`, subject))
    else addClosedRemark(!wasAllowed, !isAllowed, subject)
  }
  if (!old.isClosed && !next.isClosed)
    pairs.push(...compareParts(old.otherFields, next.otherFields, '.*', 'Other fields'))
  return pairs
}

function isElement({ isArrayClosed, prefix }: Shape, index: number): boolean {
  return !isArrayClosed || index < prefix.length
}

function elementAt({ prefix, items }: Shape, index: number): Schema {
  return prefix[index] ?? items
}

function isPatternField({ isClosed, patternFields }: Shape, pattern: string): boolean {
  return !isClosed || patternFields.has(pattern)
}

function patternField({ patternFields, otherFields }: Shape, pattern: string): Schema {
  return patternFields.get(pattern) ?? otherFields
}
