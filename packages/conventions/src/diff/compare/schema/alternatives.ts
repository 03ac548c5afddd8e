/** Compares the alternatives of `oneOf` and `anyOf`. */

import { followReference, isReference, objectAt } from '../../location.ts'
import { codeOf, type NextPair, type Pair, type Use } from '../../pair.ts'
import type { Remarks } from '../../report/remark.ts'
import { type Schema, type Shape, shapeOf } from '../../shape.ts'
import { overlaps } from './overlap.ts'

/** Pairs equal alternatives, notes added and removed ones, and returns the pairs for further comparison. */
export function compareAlternatives({ old, next }: Pair, use: Use, note: Remarks): readonly NextPair[] {
  if (old.alternatives.length === 0 && next.alternatives.length === 0) return []
  const gone = [...formsOf(old)]
  const come = [...formsOf(next)]
  const pairs: NextPair[] = []
  for (const isSame of comparisons) {
    for (const form of [...gone]) {
      const match = come.find((candidate) => isSame(form, candidate))
      if (!match) continue
      gone.splice(gone.indexOf(form), 1)
      come.splice(come.indexOf(match), 1)
      pairs.push({ old: form.schema, next: match.schema, step: '' })
    }
  }
  const isResponse = use.kind === 'response'
  for (const form of gone)
    note(
      isResponse ? 'response-alternative-removed' : 'request-alternative-removed',
      (name) => `${name()} may no longer be ${formText(form)}.`,
      form.schema[0],
    )
  for (const form of come)
    note(
      isResponse ? 'response-alternative-added' : 'request-alternative-added',
      (name) => `${name()} may be ${formText(form)}.`,
      form.schema[0],
    )
  if (!isResponse && next.isExclusive) noteOverlaps(next, old.isExclusive ? pairs : [], use, note)
  return pairs
}

/** Notes alternatives that a value may match together, unless they were alternatives before. */
function noteOverlaps({ alternatives }: Shape, known: readonly NextPair[], use: Use, note: Remarks): void {
  const pointers = new Set(known.map(({ next: [location] }) => location?.pointer))
  for (const [index, first] of alternatives.entries())
    for (const second of alternatives.slice(index + 1)) {
      if (pointers.has(first.pointer) && pointers.has(second.pointer)) continue
      const [a, b] = [[first], [second]]
      if (overlaps(shapeOf(a), shapeOf(b)))
        note(
          codeOf(use, 'tightened'),
          (name) => `${name()} is rejected if it matches both ${formText(formOf(a))} and ${formText(formOf(b))}.`,
          second,
        )
    }
}

interface Form {
  readonly schema: Schema
  /** The referenced component. */
  readonly target: string | undefined
  /** All schemas that describe it, with their locations. */
  readonly pointers: ReadonlySet<string>
  readonly texts: ReadonlySet<string>
  readonly title: string | undefined
  readonly types: string
}

/** The alternatives of a shape, or else the shape itself. */
function formsOf({ alternatives, schema }: Shape): readonly Form[] {
  return (alternatives.length > 0 ? alternatives.map((alternative) => [alternative]) : [schema]).map(formOf)
}

function formOf(schema: Schema): Form {
  const { parts, types } = shapeOf(schema)
  const [location] = schema
  const { title } = objectAt(location)
  return {
    schema,
    target: location && isReference(location.value) ? followReference(location).pointer : undefined,
    pointers: new Set(parts.map(({ pointer }) => pointer)),
    texts: new Set(parts.map(({ value }) => JSON.stringify(value))),
    title: typeof title === 'string' ? title : undefined,
    types: [...(types ?? ['any'])].sort().join(),
  }
}

/** Criteria that two alternatives are the same, the most reliable first. */
const comparisons: readonly ((a: Form, b: Form) => boolean)[] = [
  (a, b) => a.target !== undefined && a.target === b.target,
  (a, b) => a.texts.size === b.texts.size && [...a.texts].every((text) => b.texts.has(text)),
  (a, b) => isAmong(a.target, b) || isAmong(b.target, a),
  (a, b) => [...a.texts].some((text) => text !== '{}' && b.texts.has(text)),
  (a, b) => a.title !== undefined && a.title === b.title,
  (a, b) => a.target === undefined && b.target === undefined && a.types === b.types,
]

function isAmong(target: string | undefined, { pointers }: Form): boolean {
  return target !== undefined && pointers.has(target)
}

function formText({ schema: [location], title, target }: Form): string {
  return title ?? target?.split('/').at(-1) ?? `the schema at ${location?.pointer ?? 'its root'}`
}
