/** The shape that a schema of a document describes. */

import { keyOf, namesOf } from '../place.ts'
import type { Shape, ShapeProperty } from '../surface.ts'
import { isObject } from './json-object.ts'
import { child, type DocumentNode, elements, type Follow, members } from './node.ts'

/** Shapes are made when they are looked at, and once each: schemas may contain themselves. */
export function shapeReader(follow: Follow): (schema: DocumentNode) => Shape {
  const made = new Map<string, Shape>()
  const read = (given: DocumentNode): Shape => {
    const schema = isExtended(given) ? given : follow(given)
    const key = keyOf(schema.place)
    const known = made.get(key)
    if (known) return known
    const parts = partsOf(schema, follow)
    const name = componentName(schema)
    const type = typeOf(parts)
    const shape: Shape = {
      place: schema.place,
      type,
      ...(name !== undefined && { name }),
      isChoice: parts.some(({ node }) => Array.isArray(child(node, 'enum').value)),
      isOpen: parts.some(({ isOneOfSeveral, node }) => isOneOfSeveral || isMap(node)),
      get properties() {
        return once(this, 'properties', propertiesOf(parts, read, follow))
      },
      get items() {
        const items = parts.map(({ node }) => child(node, 'items')).find(({ value }) => isObject(value))
        return once(this, 'items', items && read(items))
      },
    }
    made.set(key, shape)
    return shape
  }
  return read
}

/** A getter that has been asked becomes a value. */
function once<T>(shape: Shape, name: 'properties' | 'items', value: T): T {
  Object.defineProperty(shape, name, { value })
  return value
}

interface Part {
  readonly node: DocumentNode
  /** Whether another part may stand in its stead. */
  readonly isOneOfSeveral: boolean
}

/** A schema and all that it is put together from. */
function partsOf(schema: DocumentNode, follow: Follow): readonly Part[] {
  const parts: Part[] = []
  const seen = new Set<string>()
  const add = (given: DocumentNode, isOneOfSeveral: boolean) => {
    const node = isExtended(given) ? given : follow(given)
    const key = keyOf(node.place)
    if (!isObject(node.value) || seen.has(key)) return
    seen.add(key)
    parts.push({ node, isOneOfSeveral })
    if (node === given && isExtended(given)) add(follow(given), isOneOfSeveral)
    for (const one of elements(child(node, 'allOf'))) add(one, isOneOfSeveral)
    for (const keyword of ['oneOf', 'anyOf']) {
      // A choice between something and null is that thing.
      const choices = elements(child(node, keyword)).filter((one) => !isNull(follow(one)))
      for (const one of choices) add(one, isOneOfSeveral || choices.length > 1)
    }
  }
  add(schema, false)
  return parts
}

/** OpenAPI 3.1 lets other keywords stand beside a reference. */
function isExtended({ value }: DocumentNode): boolean {
  if (!isObject(value) || typeof value.$ref !== 'string') return false
  return ['properties', 'required', 'items', 'allOf', 'oneOf', 'anyOf'].some((keyword) => Object.hasOwn(value, keyword))
}

function isNull({ value }: DocumentNode): boolean {
  return isObject(value) && (value.type === 'null' || value.const === null)
}

function isMap({ value }: DocumentNode): boolean {
  return isObject(value) && (value.additionalProperties === true || isObject(value.additionalProperties))
}

const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const

function typeOf(parts: readonly Part[]): Shape['type'] {
  for (const { node } of parts) {
    const { type, properties, items } = isObject(node.value) ? node.value : {}
    const named = [type].flat().filter((one) => one !== 'null')
    const known = named.length === 1 ? types.find((one) => one === named[0]) : undefined
    if (known) return known
    if (isObject(properties)) return 'object'
    if (isObject(items)) return 'array'
  }
  return undefined
}

function propertiesOf(
  parts: readonly Part[],
  read: (schema: DocumentNode) => Shape,
  follow: Follow,
): Map<string, ShapeProperty> {
  const found = new Map<string, ShapeProperty>()
  // What is required may be said in another part than the one that has the property.
  const required = new Set(
    parts.flatMap(({ node, isOneOfSeveral }) => {
      return isOneOfSeveral ? [] : elements(child(node, 'required')).map(({ value }) => `${value}`)
    }),
  )
  for (const { node } of parts) {
    for (const [name, schema] of members(child(node, 'properties'))) {
      const has = (keyword: string) => [schema, follow(schema)].some((one) => child(one, keyword).value === true)
      found.set(name, {
        name,
        place: schema.place,
        isRequired: required.has(name),
        isReadOnly: has('readOnly'),
        isWriteOnly: has('writeOnly'),
        get shape() {
          return read(schema)
        },
      })
    }
  }
  return found
}

function componentName({ place }: DocumentNode): string | undefined {
  const [first, second, name, more] = namesOf(place.pointer)
  return first === 'components' && second === 'schemas' && more === undefined ? name : undefined
}
