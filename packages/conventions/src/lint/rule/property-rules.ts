/** Rules for the names of properties. */

import { isIdentifier, type Shape, wordsOf } from '@nomen/core/openapi'
import { isList, isSingle, propertiesOf, queryOf, recordOf, type View } from '../view.ts'
import { verbs } from '../word/verbs.ts'
import { camelCase } from '../word/words.ts'
import { allProperties, type OwnedProperty, recordProperties } from './owned-property.ts'
import type { Rule } from './rule.ts'

const camelCaseName: Rule = {
  code: 'camel-case-name',
  severity: 'warning',
  about: 'Properties and query parameters must be in camelCase.',
  *check(view) {
    const ownedProperties = [...recordProperties(view), ...allProperties(view)]
    const nounIn = repetitions(view)
    const repeated = new Map(
      ownedProperties.map((entry) => [entry.property, nounIn(entry)] as const).filter(([, noun]) => noun),
    )
    for (const { kind, name, pointer, property } of namedValues(view)) {
      if (/^[a-z][A-Za-z0-9]*$/.test(name)) continue
      // If the name also repeats its noun, suggest one new name without it.
      const newName = camelCase(wordsOf(name).slice((property && repeated.get(property)?.length) ?? 0))
      yield {
        pointer,
        message: `The ${kind} "${name}" is not in camelCase.`,
        fix: /^[a-z]/.test(newName) ? `Rename it to "${newName}".` : 'Start it with a lowercase ASCII letter.',
      }
    }
  },
}

/** The properties and the query parameters of a document; a parameter with the property that it filters by. */
function* namedValues(view: View) {
  for (const { property } of allProperties(view))
    yield { kind: 'property', name: property.name, pointer: property.pointer, property }
  const { operations, outgoingOperations } = view.table
  for (const operation of [...operations, ...outgoingOperations]) {
    const record = view.find('get', `${operation.key}/{}`)
    for (const { name, pointer } of queryOf(operation)) {
      const property = propertiesOf(record)?.get(name) ?? propertiesOf(operation)?.get(name)
      yield { kind: 'parameter', name, pointer, property }
    }
  }
}

/** Words next to which a plural is correct: `numberOfRecords`, `lengthInBytes`, `totalPages`. */
const connectors = new Set(['of', 'in', 'per', 'by', 'for', 'to', 'total', 'max', 'maximum', 'min', 'minimum'])

/** Units of numbers, also for numbers in strings. */
const units = new Set(['bytes', 'milliseconds', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'])

/** Words for one string or amount in the plural: `instructions`, `orderDetails`, `socialSecurityWages`, or the names of `fields`. */
const amountOrTextWords = new Set(
  [
    'arguments comments conditions contents details dimensions directions effects fields headers instructions limitations notes',
    'options pronouns remarks requirements settings terms translations variables',
    'advances benefits charges digits expenses fees reserves rewards steps tips wages',
  ].flatMap((line) => line.split(' ')),
)

/** Descriptions of a string that holds several values, or a number of them. */
const listDescription =
  /\b(separated|delimited|array|lists? of|one or more|multiple|JSON|key[- ]value pairs|number of)\b|\(s\)/i

/** A permission has the name of the resource that it is for: `{ "permissions": { "issues": "read" } }`. */
const permissionPointer = /permissions?(\/(items|additionalProperties))?\/properties\/[^/]*$/i

const pluralProperty: Rule = {
  code: 'plural-property',
  severity: 'warning',
  about: 'A property that holds a single string must have a singular name.',
  *check(view) {
    for (const { property } of allProperties(view)) {
      // Numbers may be counts, objects may have several values, and an enum may apply to several things.
      const { type, isChoice, description = '' } = property.shape
      const words = wordsOf(property.name)
      const isAmount = words.some((word) => connectors.has(word) || units.has(word))
      const mayHoldSeveral =
        isChoice ||
        isAmount ||
        amountOrTextWords.has(words.at(-1) ?? '') ||
        words.at(-1) === 'ids' ||
        listDescription.test(description)
      const holdsOneString = type === 'string' && !mayHoldSeveral && !permissionPointer.test(property.pointer)
      const singular = holdsOneString ? view.singular(property.name) : undefined
      if (!singular) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" has a plural name, but holds a single string.`,
        fix: `Rename it to "${camelCase(singular)}".`,
      }
    }
  },
}

/** Words that are not a noun at the start of a property's name: `downloadUrl`, `defaultForNewRepos`. */
const otherWords = new Set([
  'api',
  'convert',
  'current',
  'default',
  'download',
  'latest',
  'lock',
  'merge',
  'send',
  'sub',
  'upload',
])

function startsWithoutNoun([word = '', ...others]: readonly string[]): boolean {
  return others.length === 0 && (otherWords.has(word) || verbs.has(word))
}

/** Returns the redundant noun at the start of a property's name, as words. An ID may be named `{noun}Ref`. */
function repetitions(view: View): (owned: OwnedProperty) => readonly string[] | undefined {
  const names = nounNames(view)
  return (owned) => repeatedNoun(owned, (words) => names.has((view.singular(words.join('-')) ?? words).join(' ')))
}

/** The nouns of all paths, in the singular. */
function nounNames({ table, singular }: View): ReadonlySet<string> {
  const names = table.operations.flatMap(({ segments }) => segments.filter(({ isParameter }) => !isParameter))
  return new Set(names.map(({ text }) => (singular(text) ?? wordsOf(text)).join(' ')))
}

type IsNoun = (words: readonly string[]) => boolean

function repeatedNoun({ property, nouns }: OwnedProperty, isOtherNoun: IsNoun): readonly string[] | undefined {
  const words = wordsOf(property.name)
  // The whole name is another noun, or a reference to it: the `runnerGroupId` of a runner.
  if (isOtherNoun(words) || (isIdentifier(words.at(-1) ?? '') && isOtherNoun(words.slice(0, -1)) && words.length > 2))
    return undefined
  const isPrefix = (noun: readonly string[]) =>
    noun.length > 0 && noun.length < words.length && noun.every((word, index) => word === words[index])
  const noun = nouns.find((candidate) => isPrefix(candidate) && !startsWithoutNoun(candidate))
  return noun && words.slice(noun.length).join() !== 'ref' ? noun : undefined
}

const redundantPrefix: Rule = {
  code: 'redundant-prefix',
  severity: 'error',
  about: 'The name of a property must not repeat its noun, except for an ID named {noun}Ref.',
  *check(view) {
    const nounIn = repetitions(view)
    for (const owned of [...recordProperties(view), ...allProperties(view)]) {
      const { property } = owned
      const noun = nounIn(owned)
      if (!noun) continue
      const newWords = wordsOf(property.name).slice(noun.length)
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" repeats the noun "${noun.join(' ')}".`,
        fix: /^[a-z]/.test(newWords[0] ?? '')
          ? `Rename it to "${camelCase(newWords)}".`
          : 'Remove the noun from its name.',
      }
    }
  },
}

const reservedNames = ['pageNumber', 'pageSize', 'include', 'sort', 'search']

/** Whether an object describes a page, such as `{ page, pageSize, pageCount }`. */
function isPageInfo({ properties }: Shape): boolean {
  return (
    properties.has('pageSize') &&
    [...properties.keys()].some((name) => /^(page|(page|item|total)[A-Z].*)$/.test(name) && name !== 'pageSize')
  )
}

const reservedProperty: Rule = {
  code: 'reserved-property',
  severity: 'error',
  about: `A property must not have the name of a list parameter: ${reservedNames.join(', ')}.`,
  *check(view) {
    // Only responses of reads are certainly records: a request body may contain page parameters.
    for (const { property, owner } of recordProperties(
      view,
      (operation) => operation.method === 'get' && (isSingle(operation) || isList(operation)),
    )) {
      if (!reservedNames.includes(property.name) || isPageInfo(owner)) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" has the name of a list parameter.`,
        fix: `Use a name other than ${reservedNames.join(', ')}.`,
      }
    }
  },
}

const metadataNames = new Set(['requestId', 'transactionId', 'correlationId', 'authorization'])

/** Records about requests have metadata of those requests: `AuditEvent`, `webhook-delivery`. */
const isAboutRequests = (nouns: OwnedProperty['nouns']) =>
  nouns.flat().some((word) => /^(activity|audit|change|delivery|event|history|log|request|trace|webhook)s?$/.test(word))

const metadataProperty: Rule = {
  code: 'metadata-property',
  severity: 'warning',
  about: 'Metadata of a request must be in headers, not in records.',
  *check(view) {
    const segments = new Set(view.table.operations.flatMap((operation) => operation.segments.map(({ text }) => text)))
    const returnedNames = new Set(
      view.table.operations.flatMap((operation) =>
        operation.success?.shape ? [...recordOf(operation, operation.success.shape).properties.keys()] : [],
      ),
    )
    for (const { property, nouns } of recordProperties(view)) {
      const [noun = ''] = wordsOf(property.name)
      if (!metadataNames.has(camelCase(wordsOf(property.name))) || isAboutRequests(nouns)) continue
      // If the api has a noun such as transaction, the property is a reference to it.
      if (segments.has(noun) || segments.has(`${noun}s`)) continue
      // An ID that is only sent names a request of another kind: { "requestId": "Req1" } approves it.
      if (noun !== 'authorization' && !returnedNames.has(property.name)) continue
      yield {
        pointer: property.pointer,
        message: `The property "${property.name}" is metadata of the request, not of the record.`,
        fix: 'Send it in a header.',
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
]
