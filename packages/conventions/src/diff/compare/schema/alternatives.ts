/** Compares the alternatives of `oneOf` and `anyOf`. */

import { followReference, isReference, objectAt } from '../../location.ts'
import { codeOf, type NextPair, type Pair, type Use } from '../../pair.ts'
import type { AddRemark } from '../../report/remark.ts'
import { type Schema, type Shape, shapeOf } from '../../shape.ts'
import { overlaps } from './overlap.ts'

/** Pairs equal alternatives, adds remarks about added and removed ones, and returns the pairs for further comparison. */
export function compareAlternatives({ old, next }: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  if (old.alternatives.length === 0 && next.alternatives.length === 0) return []
  const removedForms = [...formsOf(old)]
  const addedForms = [...formsOf(next)]
  const pairs: NextPair[] = []
  for (const isSame of samenessCriteria) {
    for (const form of [...removedForms]) {
      const match = addedForms.find((candidate) => isSame(form, candidate))
      if (!match) continue
      removedForms.splice(removedForms.indexOf(form), 1)
      addedForms.splice(addedForms.indexOf(match), 1)
      pairs.push({ old: form.schema, next: match.schema, step: '' })
    }
  }
  const isResponse = use.kind === 'response'
  for (const form of removedForms)
    addRemark(
      isResponse ? 'response-alternative-removed' : 'request-alternative-removed',
      (name) => `${name()} may no longer be ${formText(form)}.`,
      form.schema[0],
    )
  for (const form of addedForms)
    addRemark(
      isResponse ? 'response-alternative-added' : 'request-alternative-added',
      (name) => `${name()} may be ${formText(form)}.`,
      form.schema[0],
    )
  if (!isResponse && next.isExclusive) addOverlaps(next, old.isExclusive ? pairs : [], use, addRemark)
  return pairs
}

/** Adds remarks about alternatives that one value may match together, unless they were alternatives before. */
function addOverlaps(
  { alternatives }: Shape,
  unchangedPairs: readonly NextPair[],
  use: Use,
  addRemark: AddRemark,
): void {
  const pointers = new Set(unchangedPairs.map(({ next: [location] }) => location?.pointer))
  for (const [index, first] of alternatives.entries())
    for (const second of alternatives.slice(index + 1)) {
      if (pointers.has(first.pointer) && pointers.has(second.pointer)) continue
      const [a, b] = [[first], [second]]
      if (overlaps(shapeOf(a), shapeOf(b)))
        addRemark(
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
const samenessCriteria: readonly ((a: Form, b: Form) => boolean)[] = [
  (a, b) => a.target !== undefined && a.target === b.target,
  (a, b) => a.texts.size === b.texts.size && [...a.texts].every((text) => b.texts.has(text)),
  (a, b) => isPartOf(a.target, b) || isPartOf(b.target, a),
  (a, b) => [...a.texts].some((text) => text !== '{}' && b.texts.has(text)),
  (a, b) => a.title !== undefined && a.title === b.title,
  (a, b) => a.target === undefined && b.target === undefined && a.types === b.types,
]

function isPartOf(target: string | undefined, { pointers }: Form): boolean {
  return target !== undefined && pointers.has(target)
}

function formText({ schema: [location], title, target }: Form): string {
  return title ?? target?.split('/').at(-1) ?? `the schema at ${location?.pointer ?? 'its root'}`
}
