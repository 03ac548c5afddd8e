/** A value of a document together with its JSON pointer, and the way from one value to the next. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export interface DocumentNode {
  /** `/paths/~1user/get`; in another file than the document itself, the file comes first: `user.yaml#/properties/id`. */
  readonly pointer: string
  readonly value: Json | undefined
}

/** The value that a reference leads to, or undefined if it leads nowhere. `from` holds the reference. */
export type Resolve = (reference: string, from: DocumentNode) => DocumentNode | undefined

/** Follows a chain of references to its end. A broken or circular chain ends in a node without a value. */
export type Follow = (node: DocumentNode) => DocumentNode

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function child({ pointer, value }: DocumentNode, name: string | number): DocumentNode {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  const escaped = `${name}`.replaceAll('~', '~0').replaceAll('/', '~1')
  return { pointer: `${pointer}/${escaped}`, value: isThere ? (value as JsonObject)[name] : undefined }
}

/** The members of an object by name; empty for any other value. */
export function members(node: DocumentNode): readonly [string, DocumentNode][] {
  return isObject(node.value) ? Object.keys(node.value).map((name) => [name, child(node, name)]) : []
}

export function elements(node: DocumentNode): readonly DocumentNode[] {
  return Array.isArray(node.value) ? node.value.map((_, index) => child(node, index)) : []
}

/** The names in a JSON pointer, without their escapes. */
export function namesOf(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Follows references by these rules. */
export function follower(resolve: Resolve): Follow {
  return (start) => {
    const seen = new Set<unknown>()
    let node = start
    while (isObject(node.value) && typeof node.value.$ref === 'string') {
      seen.add(node.value)
      const next = resolve(node.value.$ref, node)
      if (!next || seen.has(next.value)) return { pointer: node.pointer, value: undefined }
      node = next
    }
    return node
  }
}

/** References within a document. A pointer may lead through other references; references to other files lead nowhere. */
export function localReferences(document: unknown): Resolve {
  const known = new Map<string, DocumentNode | undefined>()
  const follow = follower((reference) => resolve(reference))
  const resolve = (reference: string): DocumentNode | undefined => {
    if (known.has(reference) || !/^#(\/|$)/.test(reference)) return known.get(reference)
    // A pointer that leads through itself leads nowhere.
    known.set(reference, undefined)
    let node: DocumentNode = { pointer: '', value: document as Json }
    for (const name of fragmentNames(reference.slice(1))) node = child(follow(node), name)
    if (node.value !== undefined) known.set(reference, node)
    return known.get(reference)
  }
  return resolve
}

/** The names in the part of a reference after its `#`, which is part of a URL. A name with a stray % is taken as it is. */
export function fragmentNames(fragment: string): readonly string[] {
  return namesOf(fragment).map((name) => {
    try {
      return decodeURIComponent(name)
    } catch {
      return name
    }
  })
}
