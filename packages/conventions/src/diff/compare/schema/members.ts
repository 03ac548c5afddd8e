/** Compares the elements of an array, and the fields of an object that are not named. */
import { codeOf, type NextPair, type Pair, type Use } from '../../pair.ts'
import type { Remarks } from '../../report/remark.ts'
import type { Schema, Shape } from '../../shape.ts'

export function compareMembers({ old, next }: Pair, use: Use, note: Remarks): readonly NextPair[] {
  /** Compares two schemas. A missing one allows any value. */
  const compareParts = (was: Schema, is: Schema, step: string, what: string): readonly NextPair[] => {
    if (was.length === 0 && is.length > 0)
      note(codeOf(use, 'narrowed'), (name) => `${what} of ${name()} had any type, and now have a schema.`, is[0])
    if (was.length > 0 && is.length === 0)
      note(codeOf(use, 'widened'), (name) => `${what} of ${name()} had a schema, and may now have any type.`, was[0])
    return [{ old: was, next: is, step }]
  }
  const noteClosed = (wasClosed: boolean, isClosed: boolean, what: string) => {
    if (wasClosed !== isClosed)
      note(
        codeOf(use, isClosed ? 'tightened' : 'loosened'),
        (name) => `${what} of ${name()} are ${isClosed ? 'no longer allowed' : 'allowed'}.`,
        next.parts[0],
      )
  }
  /** An element of an array with a fixed length is like a field. */
  const noteElement = (isAdded: boolean, position: number) => {
    const code = isAdded ? 'response-field-added' : 'response-field-removed'
    note(
      use.kind === 'response' ? code : codeOf(use, isAdded ? 'loosened' : 'tightened'),
      (name) => `Element ${position} of ${name()} ${isAdded ? 'is allowed' : 'is no longer allowed'}.`,
      next.parts[0],
    )
  }
  noteClosed(old.isArrayClosed, next.isArrayClosed, 'Further elements')
  noteClosed(old.isClosed, next.isClosed, 'Other fields')
  const pairs: NextPair[] = []
  for (let at = 0; at < Math.max(old.prefix.length, next.prefix.length); at++) {
    if (isElement(old, at) && isElement(next, at))
      pairs.push(...compareParts(elementAt(old, at), elementAt(next, at), `[${at}]`, `Elements ${at + 1}`))
    else if (old.isArrayClosed && next.isArrayClosed) noteElement(isElement(next, at), at + 1)
  }
  if (!old.isArrayClosed && !next.isArrayClosed) pairs.push(...compareParts(old.items, next.items, '[]', 'Elements'))
  for (const pattern of new Set([...old.patternFields.keys(), ...next.patternFields.keys()])) {
    const what = `Fields that match ${pattern}`
    const [was, is] = [old, next].map((shape) => isPatternField(shape, pattern))
    if (was && is)
      pairs.push(...compareParts(patternField(old, pattern), patternField(next, pattern), `.${pattern}`, what))
    else noteClosed(!was, !is, what)
  }
  if (!old.isClosed && !next.isClosed)
    pairs.push(...compareParts(old.otherFields, next.otherFields, '.*', 'Other fields'))
  return pairs
}

function isElement({ isArrayClosed, prefix }: Shape, at: number): boolean {
  return !isArrayClosed || at < prefix.length
}

function elementAt({ prefix, items }: Shape, at: number): Schema {
  return prefix[at] ?? items
}

function isPatternField({ isClosed, patternFields }: Shape, pattern: string): boolean {
  return !isClosed || patternFields.has(pattern)
}

function patternField({ patternFields, otherFields }: Shape, pattern: string): Schema {
  return patternFields.get(pattern) ?? otherFields
}
