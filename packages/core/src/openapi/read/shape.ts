/** The shape that a schema of a document describes, with its references resolved and its parts merged. */
import { descriptionIn, exampleIn, valueDescriptionsIn } from './description.ts'
import {
  child,
  type DocumentNode,
  type Follow,
  isObject,
  type Json,
  type JsonObject,
  members,
  namesOf,
} from './node.ts'
import { hasSiblings, type Part, type Parts, partsOf } from './schema-part.ts'

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const
export type ShapeType = (typeof types)[number]

/** A JSON Schema, with references and `allOf` resolved. */
export interface Shape {
  readonly pointer: string
  /** The name of a component: `User` of `#/components/schemas/User`. */
  readonly name: string | undefined
  /** The type; undefined if the schema has none or several. */
  readonly type: ShapeType | undefined
  /** All allowed types except null. */
  readonly types: ReadonlySet<ShapeType>
  readonly isNullable: boolean
  /** Whether it has an `enum`. */
  readonly isChoice: boolean
  /** Whether it has several alternatives (`oneOf` or `anyOf`), apart from null. */
  readonly isUnion: boolean
  /** Whether additional properties are allowed. */
  readonly isOpen: boolean
  /** The properties of all parts, and of each alternative of a union. */
  readonly properties: ReadonlyMap<string, ShapeProperty>
  readonly items: Shape | undefined
  readonly description: string | undefined
  /** The first example of a value. */
  readonly example: Json | undefined
  /** Descriptions of enum values, by value. */
  readonly valueDescriptions: ReadonlyMap<string, string>
  /** The keywords of the schema and of its parts in one object, without alternatives of a union. */
  readonly schema: JsonObject
  /** The schema of the document, for validators. Only a reference at its top is resolved. */
  readonly raw: JsonObject
}

/** A property of a shape. */
export interface ShapeProperty {
  readonly name: string
  readonly pointer: string
  readonly shape: Shape
  readonly isRequired: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
}

export type ReadShape = (schema: DocumentNode) => Shape

/** Reads schemas lazily and each once, because a schema may contain itself. */
export function shapeReader(follow: Follow): ReadShape {
  const shapesByPointer = new Map<string, Shape>()
  const shapesByValue = new Map<unknown, Shape[]>()
  const read = (schema: DocumentNode): Shape => {
    const target = follow(schema)
    const key = hasSiblings(schema) ? schema.pointer : target.pointer
    const shapesOfValue = shapesByValue.get(target.value) ?? []
    // With a YAML alias, a schema can contain itself.
    const existing = shapesByPointer.get(key) ?? shapesOfValue.find(({ pointer }) => key.startsWith(`${pointer}/`))
    if (existing) return existing
    const { pointer } = isExtended(schema) ? schema : target
    const shape = shapeOf(pointer, rawSchema(schema, target), partsOf(schema, follow), read)
    shapesByPointer.set(key, shape)
    if (isObject(target.value)) shapesByValue.set(target.value, [...shapesOfValue, shape])
    return shape
  }
  return read
}

function shapeOf(pointer: string, raw: JsonObject, { parts, hasNull }: Parts, read: ReadShape): Shape {
  const commonParts = parts.filter(({ isAlternative }) => !isAlternative)
  const isUnion = commonParts.length < parts.length
  const lists = parts.map(({ value }) => typesOf(value))
  const shape: Shape = {
    pointer,
    name: componentName(pointer),
    type: typeOf(parts),
    types: new Set(lists.flat().filter((type) => type !== 'null') as ShapeType[]),
    get isNullable() {
      return hasNull || isNullableBy(this.schema) || lists.flat().includes('null') || listsNull(this.schema)
    },
    isChoice: parts.some(({ value }) => Array.isArray(value.enum)),
    isUnion,
    isOpen: isUnion || parts.some(({ value }) => isMap(value)),
    raw,
    get schema() {
      return defineValue(this, 'schema', mergedSchema(commonParts))
    },
    get description() {
      return descriptionIn(this.schema)
    },
    get example() {
      return exampleIn(this.schema)
    },
    get valueDescriptions() {
      return valueDescriptionsIn(this.schema)
    },
    get properties() {
      return defineValue(this, 'properties', propertiesOf(parts, read))
    },
    get items() {
      const part = parts.findLast(({ value }) => isObject(value.items))
      return defineValue(this, 'items', part && read(child(part.node, 'items')))
    },
  }
  return shape
}

/** Replaces a getter by its value after the first call. */
function defineValue<T>(shape: Shape, name: 'properties' | 'items' | 'schema', value: T): T {
  Object.defineProperty(shape, name, { value })
  return value
}

/** Whether keywords beside a reference change the structure, so that the schema is not the referenced one. */
function isExtended({ value }: DocumentNode): boolean {
  if (!isObject(value) || typeof value.$ref !== 'string') return false
  return ['properties', 'required', 'items', 'allOf', 'oneOf', 'anyOf'].some((keyword) => Object.hasOwn(value, keyword))
}

/** Whether OpenAPI 3.0 or an extension says that null is allowed. */
function isNullableBy(schema: JsonObject): boolean {
  return schema.nullable === true || schema['x-nomen-null'] !== undefined
}

function listsNull({ enum: values }: JsonObject): boolean {
  return Array.isArray(values) && values.includes(null)
}

function isMap({ additionalProperties }: JsonObject): boolean {
  return additionalProperties === true || isObject(additionalProperties)
}

/** The types that one part names, `null` included; a part may name them by its keywords alone. */
function typesOf({ type, properties, items }: JsonObject): readonly string[] {
  const namedTypes = [type]
    .flat()
    .filter((name) => name === 'null' || types.some((shapeType) => shapeType === name)) as string[]
  if (namedTypes.length > 0) return namedTypes
  return isObject(properties) ? ['object'] : isObject(items) ? ['array'] : []
}

/** The one type that the schema or what it extends names, else the one that all members of its union share. */
function typeOf(parts: readonly Part[]): ShapeType | undefined {
  const typesByPart = parts.toReversed().map(({ value, isAlternative }) => {
    return { isAlternative, list: typesOf(value).filter((type) => type !== 'null') }
  })
  const singleType = typesByPart.find(({ isAlternative, list }) => !isAlternative && list.length === 1)
  if (singleType) return singleType.list[0] as ShapeType
  const allTypes = new Set(typesByPart.flatMap(({ list }) => list))
  return allTypes.size === 1 && typesByPart.some(({ isAlternative }) => isAlternative)
    ? ([...allTypes][0] as ShapeType)
    : undefined
}

function mergedSchema(parts: readonly Part[]): JsonObject {
  const { $ref, allOf, oneOf, anyOf, ...keywords } = Object.assign({}, ...parts.map(({ value }) => value)) as JsonObject
  return keywords
}

function rawSchema({ value }: DocumentNode, target: DocumentNode): JsonObject {
  if (!isObject(target.value)) return {}
  if (target.value === value || !isObject(value)) return target.value
  const { $ref, ...siblings } = value
  return Object.keys(siblings).length > 0 ? { ...target.value, ...siblings } : target.value
}

function propertiesOf(parts: readonly Part[], read: ReadShape): ReadonlyMap<string, ShapeProperty> {
  // The part that requires a property may be another one than the part that describes it.
  const required = new Set(parts.flatMap(({ value, isAlternative }) => (isAlternative ? [] : requiredOf(value))))
  const properties = new Map<string, ShapeProperty>()
  for (const { node } of parts) {
    for (const [name, schema] of members(child(node, 'properties'))) {
      properties.set(name, {
        name,
        pointer: schema.pointer,
        isRequired: required.has(name),
        get shape() {
          return read(schema)
        },
        get isReadOnly() {
          return read(schema).schema.readOnly === true
        },
        get isWriteOnly() {
          return read(schema).schema.writeOnly === true
        },
      })
    }
  }
  return properties
}

function requiredOf({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function componentName(pointer: string): string | undefined {
  const [first, second, name, more] = namesOf(
    pointer.startsWith('/') ? pointer : pointer.slice(pointer.indexOf('#') + 1),
  )
  return first === 'components' && second === 'schemas' && more === undefined ? name : undefined
}
