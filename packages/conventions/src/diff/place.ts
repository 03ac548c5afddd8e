/** A value together with where it stands, so that whatever is said of it can point at it. */
import type { Json, JsonObject, OpenApiDocument } from '../document/read-document.ts'

export type Side = 'old' | 'new'

export interface Place {
  readonly side: Side
  readonly document: OpenApiDocument
  /** A JSON pointer that leads through no reference. */
  readonly pointer: string
  readonly value: Json | undefined
  /** The same for all places of one reading of a document: what is found out about them is kept by it. */
  readonly reading: object
}

export function root(side: Side, document: OpenApiDocument): Place {
  return { side, document, pointer: '', value: document, reading: {} }
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
  return Object.keys(target.value).flatMap((name) => {
    const child = step(target, name)
    return child ? [[name, child] as const] : []
  })
}

/** The elements of an array; none of anything else. */
export function elementsOf(place: Place | undefined): readonly Place[] {
  return Array.isArray(place?.value) ? place.value.flatMap((_, index) => below(place, `${index}`) ?? []) : []
}

/** Where a reference leads in the end; the place itself where it holds none, or one that leads nowhere or in a circle. */
export function followed(place: Place): Place {
  return isReference(place.value) ? (chase(place, new Set()) ?? place) : place
}

/** What a place holds as an object, its reference followed; empty for anything else. */
export function objectAt(place: Place | undefined): JsonObject {
  const value = place && followed(place).value
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isReference(value: unknown): value is { readonly $ref: string } {
  return isObject(value) && typeof value.$ref === 'string'
}

function chase(place: Place, seen: Set<string>): Place | undefined {
  if (!isReference(place.value)) return place
  const { $ref } = place.value
  if (seen.has($ref) || !$ref.startsWith('#')) return undefined
  seen.add($ref)
  let found: Place | undefined = top(place)
  for (const part of $ref.slice(1).split('/').slice(1)) {
    const at: Place | undefined = found && chase(found, seen)
    found = at && step(at, unescaped(part))
  }
  return found && chase(found, seen)
}

function step(place: Place, name: string): Place | undefined {
  const { value } = place
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  const child = (value as JsonObject)[name]
  return { ...place, pointer: `${place.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: child }
}

function unescaped(part: string): string {
  return decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
