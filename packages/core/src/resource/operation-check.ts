/** What operations of a service's own must satisfy; every breach stops the start with the rule and its fix. */

import { checkDeprecation } from '../declaration/deprecation.ts'
import { DeclarationError } from '../declaration/error.ts'
import { checkKnown, checkOneOf } from '../declaration/known-option.ts'
import { isMutable } from '../field/field.ts'
import { readValue } from '../field/read-value.ts'
import { camelCase, isCamelCase } from '../naming/kebab-case.ts'
import { singularOf } from '../naming/plural.ts'
import { checkField, checkPropertyName } from '../noun/check.ts'
import type { AnyNoun, Fields } from '../noun/noun.ts'
import { problems } from '../wire/problem.ts'
import { answerFields, isListAnswer, type NamedOperation, type NamedOperations, namedOperations } from './operation.ts'

/** The parts of a resource that its operations must get along with. */
interface Beside {
  readonly noun: AnyNoun
  /** The segments below a single record that are those of its children. */
  readonly children: readonly string[]
}

/** What a client calls by these names already, at a collection. */
const taken = [
  ...['list', 'pages', 'records', 'summary', 'detail', 'read', 'by', 'create', 'replace', 'update', 'delete'],
  ...['link', 'unlink', 'of'],
]

export function checkOperations(subject: string, given: NamedOperations | undefined, beside: Beside): void {
  const seen = new Set<string>()
  for (const one of namedOperations(given)) {
    const own = `${subject}, operation "${one.name}"`
    if (one.declared?.kind !== 'operation') {
      throw new DeclarationError(own, 'is no operation.', "declare it: operation({ method: 'POST', on: 'record' }).")
    }
    const { method, on } = one.declared.options
    checkOneOf(own, 'method', method, ['GET', 'POST', 'PUT', 'DELETE'])
    checkOneOf(own, 'on', on, ['record', 'collection'])
    checkName(own, one, beside)
    checkParts(own, one, beside.noun)
    const key = `${method} ${one.name}`
    if (seen.has(key)) throw new DeclarationError(own, `has two operations for ${method}.`, 'leave one out.')
    seen.add(key)
  }
}

function checkName(subject: string, { name, segment, declared: { options } }: NamedOperation, beside: Beside): void {
  const refuse = (rule: string, fix: string): never => {
    throw new DeclarationError(subject, rule, fix)
  }
  // A client makes the segment of the name again, letter by letter.
  if (!isCamelCase(name) || camelCase(segment) !== name)
    refuse('an operation is named in camelCase.', 'use one capital for each further word, such as "costEstimate".')
  const singular = singularOf(segment)
  if (singular) refuse(`the path segment "${segment}" looks like a plural (spec 2.6 rule 1).`, `use "${singular}".`)
  if (segment.startsWith('by-')) refuse('its path is that of a lookup.', 'choose a name that does not begin with "by".')
  if (beside.children.includes(segment))
    refuse(`the path segment "${segment}" is that of a child.`, 'choose another name.')
  if (name === 'then' || name in Object.prototype || (options.on === 'collection' && taken.includes(name)))
    refuse('a client calls something else by this name.', `choose another name than ${taken.join(', ')}.`)
  const { noun } = beside
  if (options.on === 'collection' && 'value' in readValue(noun.fields[noun.identity].spec, segment))
    refuse(`the path segment "${segment}" could be the identity of a record.`, 'choose another name.')
}

const optionNames = ['method', 'on', 'query', 'body', 'answer', 'problems', 'summary', 'deprecated']

function checkParts(subject: string, { segment, declared: { options } }: NamedOperation, noun: AnyNoun): void {
  const { method, query, body, answer, problems: codes = [], deprecated } = options
  checkKnown(subject, options, optionNames)
  if (query && method !== 'GET')
    throw new DeclarationError(subject, `a ${method} with query parameters.`, 'take these values in the body.')
  if (body && method !== 'POST' && method !== 'PUT')
    throw new DeclarationError(subject, `a ${method} with a body (spec 4.2 rule 3).`, 'use POST or PUT, or a query.')
  if (method === 'GET' && !answer)
    throw new DeclarationError(subject, 'a GET that answers nothing.', 'say what: answer: { count: integer() }.')
  if (isListAnswer(answer)) checkList(subject, answer)
  for (const [part, fields] of Object.entries({ query, body, answer: answer && answerFields(answer) }))
    if (fields) checkFields(subject, part, fields, [noun.name, segment])
  const unknown = codes.find((code) => !Object.hasOwn(problems, code))
  if (unknown !== undefined)
    throw new DeclarationError(subject, `there is no problem "${unknown}".`, 'use a code of docs/problems.md.')
  if (deprecated) checkDeprecation(subject, deprecated)
}

function checkList(subject: string, shapes: readonly Fields[]): void {
  if (shapes.length === 1) return
  throw new DeclarationError(
    subject,
    `its answer is a list of ${shapes.length} shapes.`,
    'say the one that all of its objects have: answer: [{ count: integer() }].',
  )
}

function checkFields(subject: string, part: string, fields: Fields, nouns: readonly string[]): void {
  const names = Object.keys(fields)
  if (names.length === 0) throw new DeclarationError(subject, `its ${part} is empty.`, 'leave it out.')
  for (const name of names) {
    const spec = fields[name]?.spec
    const place = `${subject}, ${part}`
    if (spec === undefined)
      throw new DeclarationError(
        place,
        `"${name}" is no field.`,
        'declare it by its kind, such as text() or integer().',
      )
    for (const noun of nouns) checkPropertyName(place, noun, name, spec)
    checkField(`${place}, field "${name}"`, spec, fields)
    if (part !== 'answer' && !isMutable(spec)) {
      throw new DeclarationError(
        place,
        `"${name}" is a field that only the server sets.`,
        'use a kind that a request can give, such as integer(), timestamp() or reference().',
      )
    }
  }
}
