/** The values that a schema allows, with resolved references, merged `allOf`, and both notations of null. */

import { isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../document/read-document.ts'
import { type Limit, limitsOf } from './compare/schema/limit.ts'
import { below, childrenOf, elementsOf, followReference, isReference, type Location } from './location.ts'
import { isUnrestricted, restrictionsOf } from './restriction.ts'
import { ownTypes, typeOf, typesOf } from './schema-type.ts'

/** The schemas of a value: one, or several that all apply. */
export type Schema = readonly Location[]

export interface Shape {
  readonly schema: Schema
  /** All schemas that apply, with `allOf` and references resolved. */
  readonly parts: readonly Location[]
  /** Without null; undefined for any type. */
  readonly types: ReadonlySet<string> | undefined
  readonly isNullable: boolean
  /** The values of `enum` and `const` without null, as JSON. */
  readonly values: ReadonlySet<string> | undefined
  /** Whether the schema has `x-extensible-enum`, also beside an `enum`: values may be added at any time. */
  readonly isExtensible: boolean
  /** Whether `x-extensible-enum` is the only list of values, so that other values are valid too. */
  readonly isOpenEnum: boolean
  readonly format: string | undefined
  /** Restrictions that have no order, such as `pattern`: each with its value as a JSON string. */
  readonly restrictions: ReadonlyMap<string, string>
  readonly limits: ReadonlyMap<string, Limit>
  readonly fields: ReadonlyMap<string, Schema>
  readonly required: ReadonlySet<string>
  /** Whether additional fields are rejected. */
  readonly isClosed: boolean
  /** The schema of additional fields. */
  readonly otherFields: Schema
  /** The schemas of fields by the pattern of their names. */
  readonly patternFields: ReadonlyMap<string, Schema>
  readonly items: Schema
  /** The schemas of the first elements of an array. */
  readonly prefix: readonly Schema[]
  /** Whether elements after the first ones are rejected. */
  readonly isArrayClosed: boolean
  /** Each `oneOf` or `anyOf` with more than one schema that is not null. A value must match all of them. */
  readonly choices: readonly Choice[]
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
  readonly isDeprecated: boolean
  readonly default: Json | undefined
  /** The allowed next values of each value; undefined if all are allowed. */
  readonly transitions: JsonObject | undefined
}

export interface Choice {
  readonly alternatives: readonly Location[]
  /** Whether a value must match only one of the alternatives, as in `oneOf`. */
  readonly isExclusive: boolean
}

/** Caches shapes, because many operations use the same component. */
const shapesByDocument = new WeakMap<object, Map<string, Shape>>()

export function shapeOf(schema: Schema): Shape {
  const [location] = schema
  if (!location || schema.length > 1) return readShape(schema)
  const shapes = shapesByDocument.get(location.reading) ?? new Map<string, Shape>()
  shapesByDocument.set(location.reading, shapes)
  const shape = shapes.get(location.pointer) ?? readShape(schema)
  shapes.set(location.pointer, shape)
  return shape
}

function readShape(schema: Schema): Shape {
  const collected = partsOf(schema)
  const { parts } = collected
  const objects = parts.map(({ value }) => value).filter(isObject)
  const types = typesOf(parts, collected.choices.length > 0)
  const isInteger = types?.has('integer') === true && types.size === 1
  const isExtensible = objects.some((schema) => schema['x-extensible-enum'] !== undefined)
  const values = intersection([...collected.values, ...objects.flatMap(valuesOf)])
  return {
    schema,
    parts,
    types: types ?? (values && new Set([...values].map((text) => typeOf(JSON.parse(text) as Json)))),
    isNullable: isNullable(objects, collected),
    values,
    isExtensible,
    isOpenEnum: isExtensible && collected.values.length === 0 && !objects.some((schema) => schema.enum ?? schema.const),
    format: objects.map((object) => object.format).find((format) => typeof format === 'string'),
    restrictions: restrictionsOf(parts, isInteger),
    limits: limitsOf(objects, isInteger),
    fields: fieldsOf(parts, 'properties'),
    required: new Set(parts.flatMap((part) => elementsOf(below(part, 'required')).map(({ value }) => `${value}`))),
    isClosed: objects.some((schema) => schema.additionalProperties === false || schema.unevaluatedProperties === false),
    otherFields: parts.flatMap((part) => schemaBelow(part, 'additionalProperties', 'unevaluatedProperties')),
    patternFields: fieldsOf(parts, 'patternProperties'),
    items: parts.flatMap((part) => schemaBelow(part, 'items', 'unevaluatedItems')),
    prefix: prefixOf(parts),
    isArrayClosed: objects.some((schema) => schema.items === false || schema.unevaluatedItems === false),
    choices: collected.choices,
    isReadOnly: objects.some((schema) => schema.readOnly === true),
    isWriteOnly: objects.some((schema) => schema.writeOnly === true),
    isDeprecated: objects.some((schema) => schema.deprecated === true),
    default: objects.map((object) => object.default).find((value) => value !== undefined),
    transitions: objects.map((object) => object['x-nomen-transitions']).find(isObject),
  }
}

/** The location of a keyword of a shape, or else of the schema. */
export function keywordLocation(shape: Shape, keyword: string): Location | undefined {
  for (const part of shape.parts) {
    const location = isObject(part.value) && Object.hasOwn(part.value, keyword) && ownChild(part, keyword)
    if (location) return location
  }
  return shape.parts[0]
}

/** The child of the location itself, even if it also has a reference. */
function ownChild(part: Location, keyword: string): Location | undefined {
  const { $ref: _, ...more } = part.value as JsonObject
  return below({ ...part, value: more }, keyword)
}

interface SchemaParts {
  readonly parts: Location[]
  readonly choices: Choice[]
  readonly values: ReadonlySet<string>[]
  hasNull: boolean
  readonly visited: Set<string>
}

function partsOf(schema: Schema): SchemaParts {
  const collected: SchemaParts = { parts: [], choices: [], values: [], hasNull: false, visited: new Set() }
  for (const location of schema) collectParts(location, collected)
  return collected
}

function collectParts(location: Location, collected: SchemaParts): void {
  if (collected.visited.has(location.pointer)) return
  collected.visited.add(location.pointer)
  if (isReference(location.value)) {
    const target = followReference(location)
    if (target !== location) collectParts(target, collected)
    const { $ref: _, ...more } = location.value as JsonObject
    // In OpenAPI 3.1, keywords next to a reference apply too.
    if (Object.keys(more).length > 0 || target === location) collectOwnParts({ ...location, value: more }, collected)
  } else collectOwnParts(location, collected)
}

function collectOwnParts(location: Location, collected: SchemaParts): void {
  collected.parts.push(location)
  for (const part of elementsOf(below(location, 'allOf'))) collectParts(part, collected)
  for (const keyword of ['oneOf', 'anyOf'] as const) collectChoice(location, keyword, collected)
}

/** One alternative besides null is a nullable schema; alternatives that are constants are an enum. */
function collectChoice(location: Location, keyword: 'oneOf' | 'anyOf', collected: SchemaParts): void {
  const alternatives = elementsOf(below(location, keyword))
  const hasEmptyNull = isEmptyNull(location.value)
  const nonNull = alternatives.filter((location) => !isNull(followReference(location).value, hasEmptyNull))
  if (nonNull.length < alternatives.length) collected.hasNull = true
  const values = nonNull.map((location) => plainValues(followReference(location).value))
  if (nonNull.length === 1 && nonNull[0]) collectParts(nonNull[0], collected)
  else if (nonNull.length > 1 && values.every((list) => list !== undefined))
    collected.values.push(new Set(values.flat()))
  else if (nonNull.length > 1) collected.choices.push({ alternatives: nonNull, isExclusive: keyword === 'oneOf' })
}

/** Whether the empty string stands for null, as in a query. */
function isEmptyNull(value: Json | undefined): boolean {
  return isObject(value) && value['x-nomen-null'] === ''
}

function isNull(value: Json | undefined, hasEmptyNull = false): boolean {
  if (!isObject(value)) return false
  if (hasEmptyNull && `${JSON.stringify(value.enum)}` === '[""]') return true
  return value.type === 'null' || value.const === null || `${JSON.stringify(value.type)}` === '["null"]'
}

const keywordsBesideValues = new Set(['type', 'const', 'enum', 'title', 'description', 'deprecated'])

function plainValues(value: Json | undefined): readonly string[] | undefined {
  if (!isObject(value) || !Object.keys(value).every((keyword) => keywordsBesideValues.has(keyword))) return undefined
  const [values] = valuesOf(value)
  return values && [...values]
}

function valuesOf(schema: JsonObject): readonly ReadonlySet<string>[] {
  const values = schema.enum ?? schema['x-extensible-enum']
  const lists = [Array.isArray(values) ? values : undefined, 'const' in schema ? [schema.const] : undefined]
  return lists.flatMap((list) =>
    list ? [new Set((list as Json[]).filter((value) => value !== null).map((value) => JSON.stringify(value)))] : [],
  )
}

/** Accepts `nullable` of OpenAPI 3.0 anywhere, also next to a reference or `allOf`. */
function isNullable(objects: readonly JsonObject[], collected: SchemaParts): boolean {
  if (collected.hasNull || objects.some((object) => object.nullable === true || isEmptyNull(object))) return true
  const nullAllowances = objects.flatMap((schema) => {
    const { type, enum: values } = schema
    const listed = Array.isArray(values) ? values.includes(null) : 'const' in schema ? schema.const === null : undefined
    const isNullType =
      type === undefined ? undefined : type === 'null' || (Array.isArray(type) && type.includes('null'))
    const inferred = isNullType ?? (ownTypes(schema, false) ? false : undefined)
    return [listed, inferred].filter((opinion) => opinion !== undefined)
  })
  return nullAllowances.every(Boolean) && collected.choices.length === 0 && collected.values.length === 0
}

function fieldsOf(parts: readonly Location[], keyword: string): ReadonlyMap<string, Schema> {
  const fields = new Map<string, Location[]>()
  for (const part of parts)
    for (const [name, location] of childrenOf(below(part, keyword)))
      fields.set(name, [...(fields.get(name) ?? []), location])
  return fields
}

function prefixOf(parts: readonly Location[]): readonly Schema[] {
  const elementLists = parts.map((part) => elementsOf(below(part, 'prefixItems')))
  const length = Math.max(0, ...elementLists.map((elements) => elements.length))
  return Array.from({ length }, (_, index) => elementLists.flatMap((elements) => elements[index] ?? []))
}

/** The schema of the first of the keywords that is there, unless it allows any value. */
function schemaBelow(part: Location, ...keywords: readonly string[]): Schema {
  const location = keywords.map((keyword) => below(part, keyword)).find((candidate) => candidate !== undefined)
  return location && isObject(location.value) && !isUnrestricted(location.value) ? [location] : []
}

function intersection(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> | undefined {
  const [first, ...others] = sets
  return first && new Set([...first].filter((value) => others.every((set) => set.has(value))))
}
