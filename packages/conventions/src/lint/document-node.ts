/** A value of a document together with its place, and the way from one to the next. */
import type { Json, JsonObject } from '../document/read-document.ts'
import type { DocumentFiles } from './document-files.ts'
import { isObject } from './json-object.ts'
import { below, keyOf, namesOf, type Place } from './place.ts'

export interface DocumentNode {
  readonly place: Place
  readonly value: Json | undefined
}

/** What a reference leads to, or the reference itself where it leads nowhere. */
export type Follow = (node: DocumentNode) => DocumentNode

/** `miss` is told of each reference that leads nowhere. */
export function follower(files: DocumentFiles, miss: (node: DocumentNode, reference: string) => void): Follow {
  const target = (from: DocumentNode, reference: string): DocumentNode | undefined => {
    const [uri = '', fragment = ''] = splitOnce(reference)
    const file = uri === '' ? from.place.file : files.find(from.place.file, uri)
    if (!file) return undefined
    let node: DocumentNode = { place: { file, pointer: '' }, value: file.parsed }
    for (const name of namesOf(decoded(fragment))) node = child(node, name)
    return node.value === undefined ? undefined : node
  }
  return (given) => {
    const seen = new Set<string>()
    let node = given
    while (isObject(node.value) && typeof node.value.$ref === 'string' && !seen.has(keyOf(node.place))) {
      seen.add(keyOf(node.place))
      const next = target(node, node.value.$ref)
      if (!next || seen.has(keyOf(next.place))) {
        miss(node, node.value.$ref)
        return { place: node.place, value: undefined }
      }
      node = next
    }
    return node
  }
}

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

function splitOnce(reference: string): [string, string] {
  const at = reference.indexOf('#')
  return at === -1 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)]
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
