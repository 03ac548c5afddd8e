/** Checks of custom operations. */

import { checkDeprecation } from '../declaration/deprecation.ts'
import { checkDescription } from '../declaration/description.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkOneOf, checkOptionNames, formatValue } from '../declaration/known-option.ts'
import { checkScope } from '../declaration/scope.ts'
import { isSettable } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'
import { camelCase, isCamelCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/singular.ts'
import { suggestedCamelCase } from '../naming/suggested-name.ts'
import { checkField, checkPropertyName } from '../noun/field-check/field-check.ts'
import type { AnyNoun } from '../noun/noun.ts'
import type { Fields } from '../noun/noun-option.ts'
import { problems } from '../wire/problem.ts'
import {
  isListResponse,
  type NamedOperation,
  type NamedOperations,
  namedOperations,
  responseFields,
} from './operation.ts'

/** The parts of a resource that its operations must not conflict with. */
interface ResourceParts {
  readonly noun: AnyNoun
  /** The path segments of its children. */
  readonly children: readonly string[]
}

/** Methods of a collection in the client, whose names operations cannot use. */
const clientMethods = [
  ...['list', 'pages', 'records', 'summary', 'detail', 'read', 'by', 'create', 'replace', 'update', 'delete'],
  ...['restore', 'eraseHistory', 'link', 'unlink', 'of'],
]

export function checkOperations(resource: string, operations: NamedOperations | undefined, parts: ResourceParts): void {
  const keys = new Set<string>()
  for (const operation of namedOperations(operations)) {
    const { name, declaration } = operation
    const subject = `${resource}, operation "${name}"`
    if (declaration?.kind !== 'operation') {
      const fix = "declare it: operation({ method: 'POST', on: 'record' })."
      throw new DeclarationError(subject, `must be an operation, not ${formatValue(declaration)}.`, fix)
    }
    const { method, on } = declaration.options
    checkOneOf(subject, 'method', method, ['GET', 'POST', 'PUT', 'DELETE'])
    checkOneOf(subject, 'on', on, ['record', 'collection'])
    checkName(subject, operation, parts)
    checkParts(subject, operation, parts.noun)
    const key = `${method} ${name}`
    if (keys.has(key))
      throw new DeclarationError(
        subject,
        `two operations with this name have the method ${method}.`,
        'remove one of them.',
      )
    keys.add(key)
  }
}

function checkName(subject: string, operation: NamedOperation, { noun, children }: ResourceParts): void {
  const { name, segment, declaration } = operation
  const fail = (mistake: string, fix: string): never => {
    throw new DeclarationError(subject, mistake, fix)
  }
  // The client derives the path segment from the name, so the conversion must be reversible.
  if (!isCamelCase(name) || camelCase(segment) !== name) {
    const newName = suggestedCamelCase(name)
    fail(
      'the name of an operation must be in camelCase.',
      newName
        ? `rename it to "${newName}".`
        : 'start every word after the first with a capital letter: "costEstimate".',
    )
  }
  const singular = singularOf(segment)
  if (singular)
    fail(`the path segment "${segment}" looks like a plural; path segments must be singular.`, `use "${singular}".`)
  if (segment.startsWith('by-'))
    fail(`the path segment "${segment}" is reserved for lookups.`, 'use a name that does not begin with "by".')
  if (children.includes(segment))
    fail(`the path segment "${segment}" is already used by a child resource.`, 'use another name.')
  const isOnCollection = declaration.options.on === 'collection'
  if (name === 'then' || name in Object.prototype)
    fail(`the name "${name}" is reserved: JavaScript uses a member of this name.`, 'use another name.')
  if (isOnCollection && clientMethods.includes(name))
    fail(`the client already has a method "${name}".`, `use a name other than ${clientMethods.join(', ')}.`)
  if (isOnCollection && 'value' in readValue(noun.fields[noun.identity].spec, segment))
    fail(`the path segment "${segment}" could be the ID of a record.`, 'use another name.')
}

const optionNames = [
  'method',
  'on',
  'query',
  'body',
  'response',
  'problems',
  'summary',
  'description',
  'scope',
  'deprecated',
]

function checkParts(subject: string, { segment, declaration: { options } }: NamedOperation, noun: AnyNoun): void {
  const { method, query, body, response, problems: codes = [], scope, deprecated } = options
  checkOptionNames(subject, options, optionNames)
  checkDescription(subject, options.description)
  if (query && method !== 'GET')
    throw new DeclarationError(subject, `a ${method} cannot have query parameters.`, 'declare these fields in body.')
  if (body && method !== 'POST' && method !== 'PUT')
    throw new DeclarationError(
      subject,
      `a ${method} cannot have a body.`,
      'use POST or PUT, or declare a query for a GET.',
    )
  if (method === 'GET' && !response)
    throw new DeclarationError(subject, 'a GET must have a response.', 'declare it: response: { count: integer() }.')
  if (isListResponse(response)) checkList(subject, response)
  for (const [location, fields] of Object.entries({ query, body, response: response && responseFields(response) }))
    if (fields) checkFields(subject, location, fields, [noun.name, segment])
  const unknownCode = codes.find((code) => !Object.hasOwn(problems, code))
  if (unknownCode !== undefined)
    throw new DeclarationError(
      subject,
      `the problem code "${unknownCode}" does not exist.`,
      `use one of ${Object.keys(problems).join(', ')}.`,
    )
  if (scope !== undefined) checkScope(subject, scope)
  if (deprecated) checkDeprecation(subject, deprecated)
}

function checkList(subject: string, shapes: readonly Fields[]): void {
  if (shapes.length === 1) return
  throw new DeclarationError(
    subject,
    `the response array has ${shapes.length} shapes; it must have one.`,
    'declare one shape for all elements: response: [{ count: integer() }].',
  )
}

function checkFields(subject: string, location: string, fields: Fields, nouns: readonly string[]): void {
  const names = Object.keys(fields)
  if (names.length === 0)
    throw new DeclarationError(subject, `${location} is empty.`, `add a field, or remove ${location}.`)
  for (const name of names) {
    const spec = fields[name]?.spec
    const owner = `${subject}, ${location}`
    if (spec === undefined)
      throw new DeclarationError(
        owner,
        `"${name}" must be a field, not ${formatValue(fields[name])}.`,
        'declare it with a field type, such as text() or integer().',
      )
    for (const noun of nouns) checkPropertyName(owner, noun, name, spec)
    checkField(`${owner}, field "${name}"`, spec, fields)
    if (spec.databaseDefault)
      throw new DeclarationError(owner, `"${name}" has databaseDefault(), but is not stored.`, 'use default().')
    if (location !== 'response' && !isSettable(spec)) {
      throw new DeclarationError(
        owner,
        `"${name}" has a field type that only the server can set.`,
        'use a field type that clients can set, such as integer(), timestamp() or reference().',
      )
    }
  }
}
