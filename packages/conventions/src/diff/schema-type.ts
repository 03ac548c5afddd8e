/** The types of the values that a schema allows. */
import { isObject } from '@nomen/core/openapi'
import type { Json, JsonObject } from '../document/read-document.ts'
import type { Location } from './location.ts'

/** The types that all parts of a schema have; undefined for any type. */
export function typesOf(parts: readonly Location[], hasAlternatives: boolean): ReadonlySet<string> | undefined {
  let types: ReadonlySet<string> | undefined
  for (const { value } of parts) {
    const partTypes = value === false ? [] : isObject(value) ? ownTypes(value, hasAlternatives) : undefined
    if (!partTypes) continue
    const set = new Set(partTypes)
    types = types
      ? new Set([...types].filter((type) => set.has(type) || (type === 'integer' && set.has('number'))))
      : set
  }
  return types
}

/** Properties imply an object and items an array, even without a type. */
export function ownTypes(schema: JsonObject, hasAlternatives: boolean): readonly string[] | undefined {
  const { type } = schema
  if (typeof type === 'string') return type === 'null' ? [] : [type]
  if (Array.isArray(type)) return type.map((name) => `${name}`).filter((name) => name !== 'null')
  if (hasAlternatives) return undefined
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return ['object']
  return schema.items !== undefined ? ['array'] : undefined
}

/** The type of a value. */
export function typeOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
