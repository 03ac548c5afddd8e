/** Compares the elements of an array, and the fields of an object that are not named. */
import { codeOf, type NextPair, type Pair, type Use } from '../../pair.ts'
import type { AddRemark } from '../../report/remark.ts'
import type { Schema, Shape } from '../../shape.ts'

export function compareMembers(pair: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  return [...compareElements(pair, use, addRemark), ...compareOtherFields(pair, use, addRemark)]
}

function compareElements({ old, next }: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  const compareParts = partComparison(use, addRemark)
  compareAllowed([!old.isArrayClosed, !next.isArrayClosed], 'Further elements', next, use, addRemark)
  const pairs: NextPair[] = []
  for (let index = 0; index < Math.max(old.prefix.length, next.prefix.length); index++) {
    if (isElement(old, index) && isElement(next, index))
      pairs.push(...compareParts(elementAt(old, index), elementAt(next, index), `[${index}]`, `Elements ${index + 1}`))
    else if (old.isArrayClosed && next.isArrayClosed) addElementRemark(next, index, use, addRemark)
  }
  if (!old.isArrayClosed && !next.isArrayClosed) pairs.push(...compareParts(old.items, next.items, '[]', 'Elements'))
  return pairs
}

function compareOtherFields({ old, next }: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  const compareParts = partComparison(use, addRemark)
  compareAllowed([!old.isClosed, !next.isClosed], 'Other fields', next, use, addRemark)
  const pairs: NextPair[] = []
  for (const pattern of new Set([...old.patternFields.keys(), ...next.patternFields.keys()])) {
    const subject = `Fields that match ${pattern}`
    const [wasAllowed, isAllowed] = [isPatternField(old, pattern), isPatternField(next, pattern)]
    if (wasAllowed && isAllowed)
      pairs.push(...compareParts(patternField(old, pattern), patternField(next, pattern), `.${pattern}`, subject))
    else compareAllowed([wasAllowed, isAllowed], subject, next, use, addRemark)
  }
  if (!old.isClosed && !next.isClosed)
    pairs.push(...compareParts(old.otherFields, next.otherFields, '.*', 'Other fields'))
  return pairs
}

/** Returns a function that compares two schemas. A missing one allows any value. */
function partComparison(use: Use, addRemark: AddRemark) {
  return (old: Schema, next: Schema, step: string, subject: string): readonly NextPair[] => {
    if (old.length === 0 && next.length > 0)
      addRemark(
        codeOf(use, 'narrowed'),
        (name) => `${subject} of ${name()} had any type, and now have a schema.`,
        next[0],
      )
    if (old.length > 0 && next.length === 0)
      addRemark(
        codeOf(use, 'widened'),
        (name) => `${subject} of ${name()} had a schema, and may now have any type.`,
        old[0],
      )
    return [{ old, next, step }]
  }
}

function compareAllowed(
  [wasAllowed, isAllowed]: readonly [old: boolean, next: boolean],
  subject: string,
  next: Shape,
  use: Use,
  addRemark: AddRemark,
): void {
  if (wasAllowed === isAllowed) return
  addRemark(
    codeOf(use, isAllowed ? 'loosened' : 'tightened'),
    (name) => `${subject} of ${name()} are ${isAllowed ? 'allowed' : 'no longer allowed'}.`,
    next.parts[0],
  )
}

/** An element of an array with a fixed length is like a field. */
function addElementRemark(next: Shape, index: number, use: Use, addRemark: AddRemark): void {
  const isAdded = isElement(next, index)
  const code = isAdded ? 'response-field-added' : 'response-field-removed'
  addRemark(
    use.kind === 'response' ? code : codeOf(use, isAdded ? 'loosened' : 'tightened'),
    (name) => `Element ${index + 1} of ${name()} ${isAdded ? 'is allowed' : 'is no longer allowed'}.`,
    next.parts[0],
  )
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
