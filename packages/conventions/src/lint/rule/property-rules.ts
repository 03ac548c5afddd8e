/** Rules of properties: what they are called, and that records are flat. */

import {
  type DescribedOperation,
  type DocumentOperation,
  isIdentifier,
  isSuccess,
  type Shape,
  type ShapeProperty,
  wordsOf,
} from '@nomen/core/openapi'
import { isList, isSingle, nounOf, propertiesOf, queryOf, recordOf, type View } from '../view.ts'
import { camelCase } from '../word/words.ts'
import type { Rule } from './rule.ts'

interface Owned {
  readonly property: ShapeProperty
  readonly owner: Shape
  /** What the owner is a record of, by the path or by the name of its schema; as words. */
  readonly nouns: readonly (readonly string[])[]
}

/** What requests and answers carry. Answers that tell of a fault are not the api's own. */
function* contents<Operation extends DescribedOperation>(operations: readonly Operation[]) {
  for (const operation of operations) {
    const answers = [...operation.responses].filter(([status]) => isSuccess(status)).map(([, content]) => content)
    for (const { shape } of [...(operation.body ? [operation.body] : []), ...answers]) {
      if (shape) yield { operation, shape }
    }
  }
}

/** The properties of every record that is sent or answered, each once. */
function* recordProperties(view: View, isMeant = (_: DocumentOperation) => true): Generator<Owned> {
  const seen = new Set<Shape>()
  for (const { operation, shape } of contents(view.table.operations)) {
    if (!isMeant(operation)) continue
    const owner = recordOf(operation, shape)
    if (seen.has(owner)) continue
    seen.add(owner)
    const noun = nounOf(operation)
    const words = noun && (view.singular(noun.words.join('-')) ?? noun.words)
    const nouns = [...(words ? [words] : []), ...(owner.name === undefined ? [] : [wordsOf(owner.name)])]
    for (const property of owner.properties.values()) yield { property, owner, nouns }
  }
}

/** The properties of everything that is sent or answered, also to and by others, however deep, each once. */
function* allProperties({ table: { operations, messages } }: View): Generator<Owned> {
  const seen = new Set<Shape>()
  const waiting = [...contents([...operations, ...messages])].map(({ shape }) => shape).reverse()
  for (let owner = waiting.pop(); owner; owner = waiting.pop()) {
    if (seen.has(owner)) continue
    seen.add(owner)
    if (owner.items) waiting.push(owner.items)
    const nouns = owner.name === undefined ? [] : [wordsOf(owner.name)]
    for (const property of owner.properties.values()) {
      yield { property, owner, nouns }
      waiting.push(property.shape)
    }
  }
}

const camelCaseName: Rule = {
  code: 'camel-case-name',
  severity: 'warning',
  about: 'Properties and query parameters are in camelCase.',
  *check(view) {
    const owned = [...recordProperties(view), ...allProperties(view)]
    const repeated = new Map(owned.map((one) => [one.property, repeatedNoun(one)] as const).filter(([, noun]) => noun))
    const filtered = (operation: DescribedOperation, name: string) =>
      propertiesOf(view.find('get', `${operation.key}/{}`))?.get(name) ?? propertiesOf(operation)?.get(name)
    const { operations, messages } = view.table
    const parameters = [...operations, ...messages].flatMap((operation) =>
      queryOf(operation).map(({ name, pointer }) => ({
        name,
        pointer,
        what: 'parameter',
        of: filtered(operation, name),
      })),
    )
    const named = [
      ...[...allProperties(view)].map(({ property }) => ({
        name: property.name,
        pointer: property.pointer,
        what: 'property',
        of: property,
      })),
      ...parameters,
    ]
    for (const { name, pointer, what, of } of named) {
      if (/^[a-z][A-Za-z0-9]*$/.test(name)) continue
      // What also repeats its noun is renamed once, and without it.
      const better = camelCase(wordsOf(name).slice((of && repeated.get(of)?.length) ?? 0))
      yield {
        pointer,
        message: `The ${what} "${name}" is not in camelCase.`,
        fix: /^[a-z]/.test(better) ? `Call it "${better}".` : 'Begin it with a small ASCII letter.',
      }
    }
  },
}

/** Words after or before which a plural is rightly one: `numberOfRecords`, `lengthInBytes`, `totalPages`. */
const joints = new Set(['of', 'in', 'per', 'by', 'for', 'total', 'max', 'maximum', 'min', 'minimum'])

/** What a figure is counted in, also where it is written as a text. */
const units = new Set(['bytes', 'milliseconds', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'])

const pluralProperty: Rule = {
  code: 'plural-property',
  severity: 'warning',
  about: 'A property that holds one text is in the singular.',
  *check(view) {
    for (const { property } of allProperties(view)) {
      // A number may count what it names, an object may hold several of it, and a choice may be made for all of it.
      const { type, isChoice } = property.shape
      const isFigure = wordsOf(property.name).some((word) => joints.has(word) || units.has(word))
      const isOne = type === 'string' && !isChoice && !isFigure
      const singular = isOne ? view.singular(property.name) : undefined
      if (!singular) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is plural and holds one string.`,
        fix: `Call it "${camelCase(singular)}".`,
      }
    }
  },
}

/** The noun that a property's name begins with and need not, as words; `{noun}Ref` is what an identifier may be called. */
function repeatedNoun({ property, nouns }: Owned): readonly string[] | undefined {
  const words = wordsOf(property.name)
  const isBeginning = (noun: readonly string[]) => noun.every((word, index) => word === words[index])
  const noun = nouns.find((one) => one.length > 0 && one.length < words.length && isBeginning(one))
  return noun && words.slice(noun.length).join() !== 'ref' ? noun : undefined
}

const redundantPrefix: Rule = {
  code: 'redundant-prefix',
  severity: 'error',
  about: 'A property does not repeat the name of its noun; only an identifier may, as {noun}Ref.',
  *check(view) {
    for (const owned of [...recordProperties(view), ...allProperties(view)]) {
      const { property } = owned
      const noun = repeatedNoun(owned)
      if (!noun) continue
      const rest = wordsOf(property.name).slice(noun.length)
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" repeats the noun "${noun.join(' ')}".`,
        fix: /^[a-z]/.test(rest[0] ?? '') ? `Call it "${camelCase(rest)}".` : 'Name it without the noun.',
      }
    }
  },
}

const reserved = ['pageNumber', 'pageSize', 'include', 'sort', 'search']

const reservedProperty: Rule = {
  code: 'reserved-property',
  severity: 'error',
  about: `No property of a record is called as a query parameter of every list: ${reserved.join(', ')}.`,
  *check(view) {
    // Only what is read is surely a record: a body may ask for a page of them.
    for (const { property } of recordProperties(
      view,
      (one) => one.method === 'get' && (isSingle(one) || isList(one)),
    )) {
      if (!reserved.includes(property.name)) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" bears the name of a query parameter of every list.`,
        fix: `Choose another name than ${reserved.join(', ')}.`,
      }
    }
  },
}

const metadata = new Set(['requestId', 'transactionId', 'correlationId', 'authorization'])

const metadataProperty: Rule = {
  code: 'metadata-property',
  severity: 'warning',
  about: 'What concerns the request and not the record travels in headers.',
  *check(view) {
    const nouns = new Set(view.table.operations.flatMap(({ segments }) => segments.map(({ text }) => text)))
    for (const { property } of recordProperties(view)) {
      const [noun = ''] = wordsOf(property.name)
      // Where a transaction is a noun of the api, its id is a reference to it.
      if (nouns.has(noun) || nouns.has(`${noun}s`)) continue
      if (!metadata.has(camelCase(wordsOf(property.name)))) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" tells of the request, not of the record.`,
        fix: 'Send it in a header.',
      }
    }
  },
}

const labels = new Set(['name', 'label', 'title', 'value', 'text', 'description', 'display'])

/** An id or ref and what is shown for it, and nothing else. */
function isReference({ properties }: Shape): boolean {
  const names = [...properties.keys()]
  const shown = names.filter((name) => !isIdentifier(name))
  return names.length === 2 && shown.length === 1 && labels.has(wordsOf(shown[0] ?? '').at(-1) ?? '')
}

const isObject = ({ type, properties }: Shape) => type === 'object' && properties.size > 0

const referenceObject: Rule = {
  code: 'reference-object',
  severity: 'error',
  about: 'A reference is one property: the id where it is chosen, what it is called where it is only shown.',
  *check(view) {
    for (const { property } of recordProperties(view)) {
      if (!isObject(property.shape) || property.shape.isOpen || !isReference(property.shape)) continue
      const names = [...property.shape.properties.keys()].map((name) => `"${name}"`).join(' and ')
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is an object of ${names} only.`,
        fix: 'Return one value: the id in a form, what it is called in a list.',
      }
    }
  },
}

const nestedObject: Rule = {
  code: 'nested-object',
  severity: 'warning',
  about: 'Records are flat.',
  *check(view) {
    for (const { property, owner } of recordProperties(view)) {
      if (!isObject(property.shape) || property.name === 'pageInfo' || owner.isOpen) continue
      if (isReference(property.shape)) continue
      const { size } = property.shape.properties
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is an object of ${size} ${size === 1 ? 'property' : 'properties'}.`,
        fix: 'Put what belongs to the record beside its other properties, and what stands for itself below it.',
      }
    }
  },
}

export const propertyRules: readonly Rule[] = [
  camelCaseName,
  pluralProperty,
  redundantPrefix,
  reservedProperty,
  metadataProperty,
  referenceObject,
  nestedObject,
]
