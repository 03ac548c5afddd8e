/** Restrictions of a schema that are compared as a whole, such as `pattern` and `not`. */
import { isObject } from '@nomen/core/openapi'
import type { Json } from '../document/read-document.ts'
import { below, followed, isReference, type Location } from './location.ts'

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
  return Object.keys(value).every((keyword) => annotations.has(keyword) || keyword.startsWith('x-'))
}

/** The restrictions of all parts of a schema, each with its value as text. */
export function restrictionsOf(parts: readonly Location[]): ReadonlyMap<string, string> {
  const restrictions = [...plainRestrictions, ...typeRestrictions].flatMap((keyword) => {
    const values = parts.flatMap((part) => (isReference(part.value) ? [] : (below(part, keyword) ?? [])))
    const texts = values.filter(({ value }) => !isIdle(keyword, value)).map((location) => schemaText(location))
    return texts.length > 0 ? [[keyword, [...new Set(texts)].sort().join(' and ')] as const] : []
  })
  return new Map(restrictions)
}

/** Whether a keyword restricts nothing: a pattern that every text matches, or `uniqueItems: false`. */
function isIdle(keyword: string, value: Json | undefined): boolean {
  if (value === false) return keyword !== 'contains' && keyword !== 'then' && keyword !== 'else'
  if (keyword === 'pattern') return ['', '.*', '^.*$', '^', '$'].includes(`${value}`)
  return keyword === 'propertyNames' && isUnrestricted(value)
}

/** A value as text, with the targets of references instead of their names, and without annotations. */
function schemaText(location: Location, above: readonly string[] = []): string {
  const target = followed(location)
  const { value, pointer } = target
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  // A reference to a schema around it.
  if (above.includes(pointer)) return `"${above.length - above.indexOf(pointer)} levels up"`
  const inside = (name: string) => {
    const member = below(target, name)
    return member ? schemaText(member, [...above, pointer]) : 'null'
  }
  if (Array.isArray(value)) return `[${value.map((_, index) => inside(`${index}`)).join(',')}]`
  const names = Object.keys(value).filter((name) => !annotations.has(name))
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${inside(name)}`)
    .join(',')}}`
}
