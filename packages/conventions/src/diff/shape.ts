/** What values a schema admits: its references followed, its `allOf` merged, both spellings of null understood. */

import { isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../document/read-document.ts'
import { type Limit, limitsOf } from './compare/limit.ts'
import { below, childrenOf, elementsOf, followed, isReference, type Place } from './place.ts'

/** The places whose keywords hold together: one schema, or several that describe the same value. */
export type Schema = readonly Place[]

export interface Shape {
  readonly schema: Schema
  /** Every place that has a say, `allOf` and references resolved. */
  readonly parts: readonly Place[]
  /** Without null; undefined where any type will do. */
  readonly types: ReadonlySet<string> | undefined
  readonly isNullable: boolean
  /** The values of `enum` and `const` but null, as JSON texts. */
  readonly values: ReadonlySet<string> | undefined
  /** Values may be added at any time, as `x-extensible-enum` says. */
  readonly isExtensible: boolean
  readonly format: string | undefined
  /** Keywords that let less through, but by how much cannot be told from them: each with its value as text. */
  readonly restrictions: ReadonlyMap<string, string>
  readonly limits: ReadonlyMap<string, Limit>
  readonly fields: ReadonlyMap<string, Schema>
  readonly required: ReadonlySet<string>
  /** Fields that are not named are refused. */
  readonly isClosed: boolean
  /** The schema of fields that are not named. */
  readonly otherFields: Schema
  readonly items: Schema
  /** Of `oneOf` and `anyOf`, where more than one is left without null. */
  readonly alternatives: readonly Place[]
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
  readonly isDeprecated: boolean
  readonly default: Json | undefined
  /** From each value, those that may follow; undefined where every one may. */
  readonly transitions: JsonObject | undefined
}

/** A component is asked for by every operation that uses it. */
const known = new WeakMap<object, Map<string, Shape>>()

export function shapeOf(schema: Schema): Shape {
  const [place] = schema
  if (!place || schema.length > 1) return readShape(schema)
  const shapes = known.get(place.reading) ?? new Map<string, Shape>()
  known.set(place.reading, shapes)
  const shape = shapes.get(place.pointer) ?? readShape(schema)
  shapes.set(place.pointer, shape)
  return shape
}

function readShape(schema: Schema): Shape {
  const found: Found = { parts: [], alternatives: [], values: [], hasNull: false, seen: new Set() }
  for (const place of schema) gather(place, found)
  const { parts } = found
  const objects = parts.map(({ value }) => value).filter(isObject)
  const types = typesOf(parts, found.alternatives.length > 0)
  const values = intersection([...found.values, ...objects.flatMap(valuesOf)])
  return {
    schema,
    parts,
    types: types ?? (values && new Set([...values].map((text) => typeOf(JSON.parse(text) as Json)))),
    isNullable: isNullable(objects, found),
    values,
    isExtensible: objects.some((one) => one['x-extensible-enum'] !== undefined),
    format: objects.map((one) => one.format).find((one) => typeof one === 'string'),
    restrictions: restrictionsOf(objects),
    limits: limitsOf(objects, types?.has('integer') === true && types.size === 1),
    fields: fieldsOf(parts),
    required: new Set(parts.flatMap((part) => elementsOf(below(part, 'required')).map(({ value }) => `${value}`))),
    isClosed: objects.some((one) => one.additionalProperties === false || one.unevaluatedProperties === false),
    otherFields: parts.flatMap((part) => schemaBelow(part, 'additionalProperties')),
    items: parts.flatMap((part) => schemaBelow(part, 'items')),
    alternatives: found.alternatives,
    isReadOnly: objects.some((one) => one.readOnly === true),
    isWriteOnly: objects.some((one) => one.writeOnly === true),
    isDeprecated: objects.some((one) => one.deprecated === true),
    default: objects.map((one) => one.default).find((one) => one !== undefined),
    transitions: objects.map((one) => one['x-nomen-transitions']).find(isObject),
  }
}

/** Where a keyword of a shape stands; where it has none, the schema itself. */
export function keywordPlace(shape: Shape, keyword: string): Place | undefined {
  for (const part of shape.parts) {
    const found = isObject(part.value) && Object.hasOwn(part.value, keyword) && bare(part, keyword)
    if (found) return found
  }
  return shape.parts[0]
}

/** The child of the place itself, even where a reference stands beside it. */
function bare(part: Place, keyword: string): Place | undefined {
  const { $ref: _, ...more } = part.value as JsonObject
  return below({ ...part, value: more }, keyword)
}

interface Found {
  readonly parts: Place[]
  readonly alternatives: Place[]
  readonly values: ReadonlySet<string>[]
  hasNull: boolean
  readonly seen: Set<string>
}

function gather(place: Place, found: Found): void {
  if (found.seen.has(place.pointer)) return
  found.seen.add(place.pointer)
  if (isReference(place.value)) {
    const target = followed(place)
    if (target !== place) gather(target, found)
    const { $ref: _, ...more } = place.value as JsonObject
    // OpenAPI 3.1 lets other keywords stand beside a reference: they hold as well.
    if (Object.keys(more).length > 0 || target === place) gatherOwn({ ...place, value: more }, found)
  } else gatherOwn(place, found)
}

function gatherOwn(place: Place, found: Found): void {
  found.parts.push(place)
  for (const part of elementsOf(below(place, 'allOf'))) gather(part, found)
  for (const keyword of ['oneOf', 'anyOf']) gatherAlternatives(elementsOf(below(place, keyword)), found)
}

/** One alternative beside null is that one, nullable; alternatives that are plain values are an enum. */
function gatherAlternatives(all: readonly Place[], found: Found): void {
  const some = all.filter((one) => !isNull(followed(one).value))
  if (some.length < all.length) found.hasNull = true
  const values = some.map((one) => plainValues(followed(one).value))
  if (some.length === 1 && some[0]) gather(some[0], found)
  else if (some.length > 1 && values.every((one) => one !== undefined)) found.values.push(new Set(values.flat()))
  else found.alternatives.push(...some)
}

function isNull(value: Json | undefined): boolean {
  if (!isObject(value)) return false
  return value.type === 'null' || value.const === null || `${JSON.stringify(value.type)}` === '["null"]'
}

const besideValues = new Set(['type', 'const', 'enum', 'title', 'description', 'deprecated'])

function plainValues(value: Json | undefined): readonly string[] | undefined {
  if (!isObject(value) || !Object.keys(value).every((keyword) => besideValues.has(keyword))) return undefined
  const [values] = valuesOf(value)
  return values && [...values]
}

function valuesOf(schema: JsonObject): readonly ReadonlySet<string>[] {
  const lists = [Array.isArray(schema.enum) ? schema.enum : undefined, 'const' in schema ? [schema.const] : undefined]
  return lists.flatMap((list) =>
    list ? [new Set((list as Json[]).filter((one) => one !== null).map((one) => JSON.stringify(one)))] : [],
  )
}

function typesOf(parts: readonly Place[], hasAlternatives: boolean): ReadonlySet<string> | undefined {
  let types: ReadonlySet<string> | undefined
  for (const { value } of parts) {
    const own = value === false ? [] : isObject(value) ? ownTypes(value, hasAlternatives) : undefined
    if (!own) continue
    const set = new Set(own)
    types = types
      ? new Set([...types].filter((type) => set.has(type) || (type === 'integer' && set.has('number'))))
      : set
  }
  return types
}

/** Properties speak of an object and items of an array, also where nobody wrote the type. */
function ownTypes(schema: JsonObject, hasAlternatives: boolean): readonly string[] | undefined {
  const { type } = schema
  if (typeof type === 'string') return type === 'null' ? [] : [type]
  if (Array.isArray(type)) return type.map((one) => `${one}`).filter((one) => one !== 'null')
  if (hasAlternatives) return undefined
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return ['object']
  return schema.items !== undefined ? ['array'] : undefined
}

/** `nullable` of OpenAPI 3.0 is taken as it is meant wherever it stands, also beside a reference or `allOf`. */
function isNullable(objects: readonly JsonObject[], found: Found): boolean {
  if (found.hasNull || objects.some((one) => one.nullable === true)) return true
  const opinions = objects.flatMap((one) => {
    const { type } = one
    const listed = Array.isArray(one.enum) ? one.enum.includes(null) : 'const' in one ? one.const === null : undefined
    const typed = type === undefined ? undefined : type === 'null' || (Array.isArray(type) && type.includes('null'))
    const inferred = typed ?? (ownTypes(one, false) ? false : undefined)
    return [listed, inferred].filter((opinion) => opinion !== undefined)
  })
  return opinions.every(Boolean) && found.alternatives.length === 0 && found.values.length === 0
}

const restricting = [
  ...['pattern', 'multipleOf', 'uniqueItems', 'not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains'],
  ...['prefixItems', 'propertyNames', 'patternProperties', 'dependentRequired', 'dependentSchemas', 'x-nomen-unique'],
]

function restrictionsOf(objects: readonly JsonObject[]): ReadonlyMap<string, string> {
  const found = restricting.flatMap((keyword) => {
    const given = objects.map((one) => one[keyword]).filter((value) => value !== undefined && value !== false)
    const texts = [...new Set(given.map((value) => JSON.stringify(value)))].sort()
    return texts.length > 0 ? [[keyword, texts.join(' and ')] as const] : []
  })
  return new Map(found)
}

function fieldsOf(parts: readonly Place[]): ReadonlyMap<string, Schema> {
  const fields = new Map<string, Place[]>()
  for (const part of parts)
    for (const [name, place] of childrenOf(below(part, 'properties')))
      fields.set(name, [...(fields.get(name) ?? []), place])
  return fields
}

function schemaBelow(part: Place, keyword: string): Schema {
  const place = below(part, keyword)
  return place && isObject(place.value) ? [place] : []
}

function intersection(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> | undefined {
  const [first, ...others] = sets
  return first && new Set([...first].filter((one) => others.every((other) => other.has(one))))
}

function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
