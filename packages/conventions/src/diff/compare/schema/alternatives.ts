/** Compares the alternatives of `oneOf` and `anyOf`. */

import { followReference, isReference, type Location, objectAt } from '../../location.ts'
import { codeOf, type NextPair, type Pair, type Use } from '../../pair.ts'
import type { AddRemark } from '../../report/remark.ts'
import { type Choice, type Schema, type Shape, shapeOf } from '../../shape.ts'
import { isWithin, overlaps } from './overlap.ts'
import { hasMovedField, schemaOfAlternative, schemasByType } from './single-value.ts'

/** Compares each choice with the most similar one, and returns pairs of alternatives for further comparison. */
export function compareAlternatives({ old, next }: Pair, use: Use, addRemark: AddRemark): readonly NextPair[] {
  const isOneSided = old.choices.length === 0 || next.choices.length === 0
  return pairedChoices(old.choices, next.choices).flatMap(([oldChoice, nextChoice], index) => {
    // If only one side has choices, the first one is compared with the schema of the other side.
    if ((oldChoice && nextChoice) || (isOneSided && index === 0))
      return compareChoice({ old, next, oldChoice, nextChoice }, use, addRemark)
    const text = (oldChoice ?? nextChoice)?.alternatives
      .map((alternative) => formText(formOf([alternative])))
      .join(' or ')
    if (nextChoice)
      addRemark(codeOf(use, 'tightened'), (name) => `${name()} must also be ${text}.`, nextChoice.alternatives[0])
    else
      addRemark(
        codeOf(use, use.kind === 'response' ? 'retyped' : 'loosened'),
        (name) => `${name()} may be other than ${text}.`,
        oldChoice?.alternatives[0],
      )
    return []
  })
}

type ChoicePair = readonly [old: Choice | undefined, next: Choice | undefined]

/** Pairs choices with a common alternative, and the others in their order. */
function pairedChoices(old: readonly Choice[], next: readonly Choice[]): readonly ChoicePair[] {
  const unpaired = [...next]
  const matches = old.map((choice) => {
    const index = unpaired.findIndex((candidate) => haveCommonAlternative(choice, candidate))
    return index < 0 ? undefined : unpaired.splice(index, 1)[0]
  })
  const pairs = old.map((choice, index): ChoicePair => [choice, matches[index] ?? unpaired.shift()])
  return [...pairs, ...unpaired.map((choice): ChoicePair => [undefined, choice])]
}

function haveCommonAlternative(a: Choice, b: Choice): boolean {
  const [forms, others] = [a, b].map(({ alternatives }) => alternatives.map((alternative) => formOf([alternative])))
  return (
    forms?.some((form) => others?.some((other) => haveSameTarget(form, other) || haveSameTexts(form, other))) ?? false
  )
}

interface ChoiceComparison extends Pick<Pair, 'old' | 'next'> {
  readonly oldChoice: Choice | undefined
  readonly nextChoice: Choice | undefined
}

/** Pairs equal alternatives, adds remarks about added and removed ones, and returns the pairs. */
function compareChoice(comparison: ChoiceComparison, use: Use, addRemark: AddRemark): readonly NextPair[] {
  const { old, next, oldChoice, nextChoice } = comparison
  const { pairs, removedForms, addedForms } = pairedForms(comparison)
  const isResponse = use.kind === 'response'
  for (const form of removedForms.filter((form) => nextChoice || !isWithin(shapeOf(form.schema), next)))
    addRemark(
      isResponse ? 'response-alternative-removed' : 'request-alternative-removed',
      (name) => `${name()} may no longer be ${formText(form)}.`,
      form.location,
    )
  for (const form of addedForms.filter((form) => oldChoice || !isWithin(shapeOf(form.schema), old)))
    addRemark(
      isResponse ? 'response-alternative-added' : 'request-alternative-added',
      (name) => `${name()} may be ${formText(form)}.`,
      form.location,
    )
  if (!isResponse && nextChoice?.isExclusive)
    addOverlaps(nextChoice, oldChoice?.isExclusive ? pairs : [], use, addRemark)
  return pairs
}

/** Pairs the forms of both sides by the most reliable criterion, and returns the others as removed and added. */
function pairedForms({ old, next, oldChoice, nextChoice }: ChoiceComparison) {
  const isSeparate = oldChoice !== undefined && nextChoice !== undefined && !hasMovedField(old, next)
  const removedForms = formsOf(oldChoice, old, isSeparate)
  const addedForms = formsOf(nextChoice, next, isSeparate)
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
  return { pairs, removedForms, addedForms }
}

/** Adds remarks about alternatives that one value may match together, unless they were alternatives before. */
function addOverlaps(
  { alternatives }: Choice,
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
  /** The schemas to compare, which a value of this form matches. */
  readonly schema: Schema
  /** The location for the change. */
  readonly location: Location | undefined
  /** Whether it is only one of the types of the schema at its location. */
  readonly isPart: boolean
  /** The referenced component. */
  readonly target: string | undefined
  /** All schemas that describe it, with their locations. */
  readonly pointers: ReadonlySet<string>
  readonly texts: ReadonlySet<string>
  readonly title: string | undefined
  readonly types: string
  /** Its fields that have only one value, such as `kind: "dog"`. */
  readonly constants: string
}

/** The alternatives of a choice, or else the shape itself. `isSeparate`: the schema beside the choice is compared separately. */
function formsOf(choice: Choice | undefined, shape: Shape, isSeparate: boolean): Form[] {
  if (!choice) return schemasByType(shape).map((schema) => formOf(shape.schema, schema, schema !== shape.schema))
  return choice.alternatives.map((alternative) =>
    formOf([alternative], isSeparate ? [alternative] : schemaOfAlternative(alternative, shape)),
  )
}

function formOf(declared: Schema, schema = declared, isPart = false): Form {
  const { parts } = shapeOf(declared)
  const { types, fields } = shapeOf(schema)
  const [location] = declared
  const { title } = objectAt(location)
  return {
    schema,
    location,
    isPart,
    target: location && isReference(location.value) ? followReference(location).pointer : undefined,
    pointers: new Set(parts.map(({ pointer }) => pointer)),
    texts: new Set(parts.map(({ value }) => JSON.stringify(value))),
    title: typeof title === 'string' ? title : undefined,
    types: [...(types ?? ['any'])].sort().join(),
    constants: constantsIn(fields).sort().join(),
  }
}

function constantsIn(fields: Shape['fields']): string[] {
  return [...fields].flatMap(([name, schema]) => {
    const [value, ...others] = shapeOf(schema).values ?? []
    return value === undefined || others.length > 0 ? [] : [`${name}: ${value}`]
  })
}

const haveSameTarget = (a: Form, b: Form) => a.target !== undefined && a.target === b.target
const haveSameTexts = (a: Form, b: Form) =>
  a.texts.size === b.texts.size && [...a.texts].every((text) => b.texts.has(text))

/** Criteria that two alternatives are the same, the most reliable first. */
const samenessCriteria: readonly ((a: Form, b: Form) => boolean)[] = [
  haveSameTarget,
  haveSameTexts,
  (a, b) => isPartOf(a.target, b) || isPartOf(b.target, a),
  (a, b) => [...a.texts].some((text) => text !== '{}' && b.texts.has(text)),
  (a, b) => a.title !== undefined && a.title === b.title,
  (a, b) => a.constants !== '' && a.constants === b.constants && isUnnamed(a, b),
  (a, b) => a.types === b.types && isUnnamed(a, b) && (a.constants === '' || b.constants === ''),
]

function isUnnamed(a: Form, b: Form): boolean {
  return a.isPart || b.isPart || (a.target === undefined && b.target === undefined)
}

function isPartOf(target: string | undefined, { pointers }: Form): boolean {
  return target !== undefined && pointers.has(target)
}

function formText({ location, title, target }: Form): string {
  return title ?? target?.split('/').at(-1) ?? `the schema at ${location?.pointer ?? 'its root'}`
}
