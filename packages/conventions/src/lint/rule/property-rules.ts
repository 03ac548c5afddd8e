/** Rules for properties: names, and flat records. */

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
  /** The nouns of the owner, from the path and from the name of its schema, as words. */
  readonly nouns: readonly (readonly string[])[]
}

/** The bodies of requests and successful responses. Error responses are not checked. */
function* contents<Operation extends DescribedOperation>(operations: readonly Operation[]) {
  for (const operation of operations) {
    const responses = [...operation.responses].filter(([status]) => isSuccess(status)).map(([, content]) => content)
    for (const { shape } of [...(operation.body ? [operation.body] : []), ...responses]) {
      if (shape) yield { operation, shape }
    }
  }
}

/** The properties of every record in requests and responses, each once. */
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

/** The properties of all bodies at any depth, including those of webhooks and callbacks, each once. */
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
    const repeated = new Map(
      owned.map((entry) => [entry.property, repeatedNoun(entry)] as const).filter(([, noun]) => noun),
    )
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
      // If the name also repeats its noun, suggest one new name without it.
      const better = camelCase(wordsOf(name).slice((of && repeated.get(of)?.length) ?? 0))
      yield {
        pointer,
        message: `The ${what} "${name}" is not in camelCase.`,
        fix: /^[a-z]/.test(better) ? `Rename it to "${better}".` : 'Start it with a lowercase ASCII letter.',
      }
    }
  },
}

/** Words next to which a plural is correct: `numberOfRecords`, `lengthInBytes`, `totalPages`. */
const joints = new Set(['of', 'in', 'per', 'by', 'for', 'total', 'max', 'maximum', 'min', 'minimum'])

/** Units of numbers, also for numbers in strings. */
const units = new Set(['bytes', 'milliseconds', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'])

const pluralProperty: Rule = {
  code: 'plural-property',
  severity: 'warning',
  about: 'A property that holds a single string has a singular name.',
  *check(view) {
    for (const { property } of allProperties(view)) {
      // Numbers may be counts, objects may have several values, and an enum may apply to several things.
      const { type, isChoice } = property.shape
      const isFigure = wordsOf(property.name).some((word) => joints.has(word) || units.has(word))
      const isOne = type === 'string' && !isChoice && !isFigure
      const singular = isOne ? view.singular(property.name) : undefined
      if (!singular) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" has a plural name, but holds a single string.`,
        fix: `Rename it to "${camelCase(singular)}".`,
      }
    }
  },
}

/** The redundant noun at the start of a property's name, as words. An ID may be named `{noun}Ref`. */
function repeatedNoun({ property, nouns }: Owned): readonly string[] | undefined {
  const words = wordsOf(property.name)
  const isPrefix = (noun: readonly string[]) => noun.every((word, index) => word === words[index])
  const noun = nouns.find((candidate) => candidate.length > 0 && candidate.length < words.length && isPrefix(candidate))
  return noun && words.slice(noun.length).join() !== 'ref' ? noun : undefined
}

const redundantPrefix: Rule = {
  code: 'redundant-prefix',
  severity: 'error',
  about: 'The name of a property does not repeat its noun; only an ID may, as {noun}Ref.',
  *check(view) {
    for (const owned of [...recordProperties(view), ...allProperties(view)]) {
      const { property } = owned
      const noun = repeatedNoun(owned)
      if (!noun) continue
      const shorter = wordsOf(property.name).slice(noun.length)
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" repeats the noun "${noun.join(' ')}".`,
        fix: /^[a-z]/.test(shorter[0] ?? '')
          ? `Rename it to "${camelCase(shorter)}".`
          : 'Remove the noun from its name.',
      }
    }
  },
}

const reserved = ['pageNumber', 'pageSize', 'include', 'sort', 'search']

const reservedProperty: Rule = {
  code: 'reserved-property',
  severity: 'error',
  about: `No property has the name of a list parameter: ${reserved.join(', ')}.`,
  *check(view) {
    // Only responses of reads are certainly records: a request body may contain page parameters.
    for (const { property } of recordProperties(
      view,
      (operation) => operation.method === 'get' && (isSingle(operation) || isList(operation)),
    )) {
      if (!reserved.includes(property.name)) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" has the name of a list parameter.`,
        fix: `Use a name other than ${reserved.join(', ')}.`,
      }
    }
  },
}

const metadata = new Set(['requestId', 'transactionId', 'correlationId', 'authorization'])

const metadataProperty: Rule = {
  code: 'metadata-property',
  severity: 'warning',
  about: 'Metadata of a request is in headers, not in records.',
  *check(view) {
    const nouns = new Set(view.table.operations.flatMap(({ segments }) => segments.map(({ text }) => text)))
    for (const { property } of recordProperties(view)) {
      const [noun = ''] = wordsOf(property.name)
      // If the api has a noun such as transaction, the property is a reference to it.
      if (nouns.has(noun) || nouns.has(`${noun}s`)) continue
      if (!metadata.has(camelCase(wordsOf(property.name)))) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is metadata of the request, not of the record.`,
        fix: 'Send it in a header.',
      }
    }
  },
}

const labels = new Set(['name', 'label', 'title', 'value', 'text', 'description', 'display'])

/** Whether an object has only an ID and a label. */
function isReference({ properties }: Shape): boolean {
  const names = [...properties.keys()]
  const shown = names.filter((name) => !isIdentifier(name))
  return names.length === 2 && shown.length === 1 && labels.has(wordsOf(shown[0] ?? '').at(-1) ?? '')
}

const isObject = ({ type, properties }: Shape) => type === 'object' && properties.size > 0

const referenceObject: Rule = {
  code: 'reference-object',
  severity: 'error',
  about: 'A reference is one property: the ID in a single record, the label in a list.',
  *check(view) {
    for (const { property } of recordProperties(view)) {
      if (!isObject(property.shape) || property.shape.isOpen || !isReference(property.shape)) continue
      const names = [...property.shape.properties.keys()].map((name) => `"${name}"`).join(' and ')
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is an object with only ${names}.`,
        fix: 'Use one value: the ID in a single record, the label in a list.',
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
        message: `The property "${property.name}" is an object with ${size} ${size === 1 ? 'property' : 'properties'}.`,
        fix: 'Make its properties part of the record, or make it a nested resource.',
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
