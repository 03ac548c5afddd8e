/** A value together with where it stands, so that whatever is said of it can point at it. */
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

export interface Place extends DocumentNode {
  readonly side: Side
  readonly document: OpenApiDocument
  /** The same for all places of one reading of a document: what is found out about them is kept by it. */
  readonly reading: { readonly follow: Follow }
}

export function root(side: Side, document: OpenApiDocument): Place {
  return { side, document, pointer: '', value: document, reading: { follow: follower(localReferences(document)) } }
}

/** The whole document that a place stands in. */
export function top(place: Place): Place {
  return { ...place, pointer: '', value: place.document }
}

/** What stands below a place, or below what its reference leads to. Undefined where nothing does. */
export function below(place: Place, ...names: readonly string[]): Place | undefined {
  let found: Place | undefined = place
  for (const name of names) found = found && step(followed(found), name)
  return found
}

/** The children of an object, each with its name; none of anything else. */
export function childrenOf(place: Place | undefined): readonly (readonly [string, Place])[] {
  const target = place && followed(place)
  if (!target || !isObject(target.value)) return []
  return Object.keys(target.value).map((name) => [name, { ...target, ...child(target, name) }])
}

/** The elements of an array; none of anything else. */
export function elementsOf(place: Place | undefined): readonly Place[] {
  return Array.isArray(place?.value) ? place.value.flatMap((_, index) => below(place, `${index}`) ?? []) : []
}

/** Where a reference leads in the end; the place itself where it holds none, or one that leads nowhere or in a circle. */
export function followed(place: Place): Place {
  if (!isReference(place.value)) return place
  const target = place.reading.follow(place)
  return target.value === undefined ? place : { ...place, ...target }
}

/** What a place holds as an object, its reference followed; empty for anything else. */
export function objectAt(place: Place | undefined): JsonObject {
  const value = place && followed(place).value
  return isObject(value) ? value : {}
}

export function isReference(value: unknown): value is { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === 'string'
}

function step(place: Place, name: string): Place | undefined {
  const next = child(place, name)
  return next.value === undefined ? undefined : { ...place, ...next }
}
