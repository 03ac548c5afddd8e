/** A value of a document together with its place, and the way from one to the next. */
import type { Json, JsonObject } from '../../document/read-document.ts'
import { below, type Place } from '../place.ts'
import { isObject } from './json-object.ts'

export interface DocumentNode {
  readonly place: Place
  readonly value: Json | undefined
}

/** What a reference leads to; where it leads nowhere, its place and no value. */
export type Follow = (node: DocumentNode) => DocumentNode

export function child({ place, value }: DocumentNode, name: string | number): DocumentNode {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return { place: below(place, name), value: isThere ? (value as JsonObject)[name] : undefined }
}

/** Every member of an object, by its name; none of anything else. */
export function members(node: DocumentNode): [string, DocumentNode][] {
  return isObject(node.value) ? Object.keys(node.value).map((name) => [name, child(node, name)]) : []
}

export function elements(node: DocumentNode): DocumentNode[] {
  return Array.isArray(node.value) ? node.value.map((_, index) => child(node, index)) : []
}
