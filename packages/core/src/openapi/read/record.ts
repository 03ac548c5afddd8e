/** Finds the records in a response: in a page, in a plain array, or in a wrapper object. */
import { isIdentifier, wordsOf } from '../../naming/words.ts'
import type { DocumentContent } from './operation.ts'
import type { Shape, ShapeProperty } from './shape.ts'

/** The form of a list response, and the records in it. */
export interface ListForm {
  /** `page` has pageInfo or results, `wrapped` has the records elsewhere in an object, `unknown` is not described. */
  readonly form: 'page' | 'array' | 'wrapped' | 'unknown'
  /** The property of the response with the records; undefined for a plain array. */
  readonly property: string | undefined
  /** One record; undefined if it is not described. */
  readonly items: Shape | undefined
}

/** Names of an array that holds records, apart from the name of their noun. */
const arrayNames = new Set([
  'data',
  'items',
  'records',
  'entries',
  'elements',
  'rows',
  'list',
  'value',
  'values',
  'content',
])

/** The form of a response that lists records. `isExpected`: other paths suggest a list, such as that of a single record below. */
export function listForm(
  content: DocumentContent | undefined,
  noun: string,
  isExpected: boolean,
): ListForm | undefined {
  const shape = content?.isJson ? content.shape : undefined
  if (shape?.type === 'array') return { form: 'array', property: undefined, items: shape.items }
  const results = shape?.properties.get('results')
  const isResultsArray = results?.shape.type === 'array' || (results && results.shape.types.size === 0)
  const array = isResultsArray ? results : shape && arrayIn(shape)
  const records = { property: array?.name, items: array?.shape.items }
  if (isResultsArray || shape?.properties.has('pageInfo')) return { form: 'page', ...records }
  if (array && (isExpected || arrayNames.has(array.name) || isSameNoun(array.name, noun)))
    return { form: 'wrapped', ...records }
  return !isExpected || isDescribed(content) ? undefined : { form: 'unknown', ...records }
}

/** The one array of objects in an object that is not a record itself. */
function arrayIn({ properties }: Shape): ShapeProperty | undefined {
  const candidates = [...properties.values()].filter(({ name, shape }) => {
    const isUndescribed = shape.type === 'array' && (shape.items?.types.size ?? 0) === 0
    return shape.items?.type === 'object' || (isUndescribed && arrayNames.has(name))
  })
  return candidates.length === 1 && ![...properties.keys()].some(isIdentifier) ? candidates[0] : undefined
}

function isDescribed(content: DocumentContent | undefined): boolean {
  if (!content || content.media.size === 0) return false
  const { isJson, shape } = content
  return !isJson || (shape !== undefined && (shape.properties.size > 0 || (shape.type ?? 'object') !== 'object'))
}

/** Names of wrapper properties, apart from the name of the noun: `{ "data": { … } }`. */
const wrapperNames = new Set(['data', 'result', 'item', 'record', 'entity', 'payload', 'response'])

/**
 * Returns the shape of one record in a request or response body, without a wrapper, page or array around it. Pass `noun` for
 * a body with a single record.
 *
 * @example
 * ```ts
 * const page = readShape({ properties: { results: { type: 'array', items: { properties: { id: {} } } } } })
 * recordIn(page, undefined).properties.has('id') // true
 * ```
 */
export function recordIn(shape: Shape, noun: string | undefined): Shape {
  if (noun !== undefined) return unwrapped(shape, noun)
  if (shape.type === 'array') return shape.items ?? shape
  const results = shape.properties.get('results')?.shape
  return (results?.type === 'array' ? results : arrayIn(shape)?.shape)?.items ?? shape
}

/** The record in a response such as `{ "user": { … } }`, else the response itself. */
export function unwrapped(shape: Shape, noun: string): Shape {
  const objects = [...shape.properties.values()].filter((candidate) => candidate.shape.properties.size > 0)
  const [wrapper] = objects
  if (!wrapper || objects.length > 1 || [...shape.properties.keys()].some(isIdentifier)) return shape
  return shape.properties.size === 1 || wrapperNames.has(wrapper.name) || isSameNoun(wrapper.name, noun)
    ? wrapper.shape
    : shape
}

/** Whether two names are of one noun: in any case, singular or with a plural s. */
export function isSameNoun(name: string, noun: string): boolean {
  const [left, right] = [wordsOf(name).join(), wordsOf(noun).join()]
  return left === right || `${left}s` === right || left === `${right}s`
}
