/** Restrictions of a schema that are compared as a whole, such as `pattern` and `not`. */
import { isObject } from '@nomen/core/openapi'
import type { Json } from '../document/read-document.ts'
import { below, followReference, isReference, type Location } from './location.ts'

/** Restrictions on a value of the same type: callers read it as before. */
export const plainRestrictions: ReadonlySet<string> = new Set([
  'pattern',
  'multipleOf',
  'uniqueItems',
  'propertyNames',
  'x-nomen-unique',
])

/** Restrictions that may change the type of a value or of a part of it. */
const typeRestrictions = [
  ...['not', 'if', 'then', 'else', 'contains', 'dependentRequired', 'dependentSchemas', '$dynamicRef'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
]

/** Keywords with no effect on values. */
const annotations = new Set([
  ...['title', 'description', '$comment', 'examples', 'example', 'default', 'deprecated', 'externalDocs'],
  ...['$id', '$schema', '$anchor', '$dynamicAnchor', '$vocabulary', '$defs', 'definitions'],
])

/** Whether a schema allows every value, as `{}` does. */
export function isUnrestricted(value: Json | undefined): boolean {
  if (!isObject(value)) return value === true
  return Object.keys(value).every(
    (keyword) => annotations.has(keyword) || /^x-(?!extensible-enum|nomen-)/.test(keyword),
  )
}

/** The restrictions of all parts of a schema, each with its value as a JSON string. */
export function restrictionsOf(parts: readonly Location[], isInteger: boolean): ReadonlyMap<string, string> {
  const restrictions = [...plainRestrictions, ...typeRestrictions].flatMap((keyword) => {
    const values = parts.flatMap((part) => (isReference(part.value) ? [] : (below(part, keyword) ?? [])))
    const texts = values
      .filter(({ value }) => !hasNoEffect(keyword, value, isInteger))
      .map((location) => schemaText(keyword, location))
    return texts.length > 0 ? [[keyword, [...new Set(texts)].sort().join(' and ')] as const] : []
  })
  return new Map(restrictions)
}

/** Whether a keyword restricts nothing, such as a pattern that every string matches, or `multipleOf: 1` of an integer. */
function hasNoEffect(keyword: string, value: Json | undefined, isInteger: boolean): boolean {
  if (value === false) return keyword !== 'contains' && keyword !== 'then' && keyword !== 'else'
  if (keyword === 'pattern') return ['', '.*', '^.*$', '^', '$'].includes(`${value}`)
  if (keyword === 'multipleOf') return isInteger && value === 1
  return keyword === 'propertyNames' && isUnrestricted(value)
}

/** Keywords with names for schemas, in which every member counts. */
const namedKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired'])
/** Keywords with values of the api. */
const dataKeywords = new Set(['const', 'enum'])
/** Keywords with an array whose order has no meaning. */
const unorderedKeywords = new Set(['required', 'type', 'enum'])

/** The content of a keyword as a JSON string: references are replaced by their targets, and annotations are left out. */
function schemaText(keyword: string, location: Location, ancestorPointers: readonly string[] = []): string {
  const target = dataKeywords.has(keyword) ? location : followReference(location)
  const { value, pointer } = target
  if (typeof value !== 'object' || value === null || dataKeywords.has(keyword)) return JSON.stringify(value)
  // A reference to a schema around it.
  if (ancestorPointers.includes(pointer))
    return `"${ancestorPointers.length - ancestorPointers.indexOf(pointer)} levels up"`
  const textOf = (name: string, memberKeyword: string) => {
    const member = below(target, name)
    return member ? schemaText(memberKeyword, member, [...ancestorPointers, pointer]) : 'null'
  }
  if (Array.isArray(value)) {
    const texts = value.map((_, index) => textOf(`${index}`, ''))
    return `[${(unorderedKeywords.has(keyword) ? texts.sort() : texts).join(',')}]`
  }
  const isNames = namedKeywords.has(keyword)
  const names = Object.keys(value).filter((name) => isNames || !annotations.has(name))
  const memberKeyword = (name: string) => (keyword === 'dependentRequired' ? 'required' : isNames ? '' : name)
  const members = names.sort().map((name) => `${JSON.stringify(name)}:${textOf(name, memberKeyword(name))}`)
  return `{${members.join(',')}}`
}
