/** A value of a document with its location, for the pointer of a change. */
import {
  child,
  type DocumentNode,
  type Follow,
  follower,
  isObject,
  type JsonObject,
  localReferences,
} from '@nomen/core/openapi'
import type { OpenApiDocument } from '../document/read-document.ts'

export type Side = 'old' | 'new'

export interface Location extends DocumentNode {
  readonly side: Side
  readonly document: OpenApiDocument
  /** One object per document, which is the key of caches. */
  readonly reading: { readonly follow: Follow }
}

export function root(side: Side, document: OpenApiDocument): Location {
  return { side, document, pointer: '', value: document, reading: { follow: follower(localReferences(document)) } }
}

/** The document of a location. */
export function documentRoot(location: Location): Location {
  return { ...location, pointer: '', value: location.document }
}

/** The child of a value, or of the target of its reference; undefined if it does not exist. */
export function below(location: Location, ...names: readonly string[]): Location | undefined {
  let target: Location | undefined = location
  for (const name of names) target = target && childAt(followReference(target), name)
  return target
}

/** The same, but of the value itself, if it has members beside its reference. References below it are resolved. */
export function ownBelow(location: Location, ...[name = '', ...names]: readonly string[]): Location | undefined {
  const first = childAt(location, name)
  return first && below(first, ...names)
}

/** The members of an object by name; empty for other values. */
export function childrenOf(location: Location | undefined): readonly (readonly [string, Location])[] {
  const target = location && followReference(location)
  if (!target || !isObject(target.value)) return []
  return Object.keys(target.value).map((name) => [name, { ...target, ...child(target, name) }])
}

/** The elements of an array; empty for other values. */
export function elementsOf(location: Location | undefined): readonly Location[] {
  return Array.isArray(location?.value) ? location.value.flatMap((_, index) => below(location, `${index}`) ?? []) : []
}

/** The final target of a reference; the location itself if it has no reference, or one without a target. */
export function followReference(location: Location): Location {
  if (!isReference(location.value)) return location
  const target = location.reading.follow(location)
  return target.value === undefined ? location : { ...location, ...target }
}

/** The object at a location, with its reference resolved; empty for other values. */
export function objectAt(location: Location | undefined): JsonObject {
  const value = location && followReference(location).value
  return isObject(value) ? value : {}
}

export function isReference(value: unknown): value is { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === 'string'
}

function childAt(location: Location, name: string): Location | undefined {
  const next = child(location, name)
  return next.value === undefined ? undefined : { ...location, ...next }
}
