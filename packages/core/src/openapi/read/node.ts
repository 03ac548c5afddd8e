/** Values of a JSON document with their JSON pointers, and references between them. */

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json }

/** A value of a document with its JSON pointer. */
export interface DocumentNode {
  /** `/paths/~1user/get`; in another file than the document, with the file: `user.yaml#/properties/id`. */
  readonly pointer: string
  readonly value: Json | undefined
}

/** Resolves a `$ref`; undefined if its target does not exist. `from` is the object with the reference. */
export type Resolve = (reference: string, from: DocumentNode) => DocumentNode | undefined

/** Follows a chain of references to its end. A broken or circular chain ends in a node without a value. */
export type Follow = (node: DocumentNode) => DocumentNode

/**
 * Returns whether a value is a JSON object, not an array or null.
 *
 * @example
 * ```ts
 * isObject({}) // true
 * isObject([]) // false
 * ```
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a member of an object or an element of an array, with its JSON pointer.
 *
 * @example
 * ```ts
 * child({ pointer: '', value: { paths: {} } }, 'paths') // { pointer: '/paths', value: {} }
 * ```
 */
export function child({ pointer, value }: DocumentNode, name: string | number): DocumentNode {
  const exists = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  const escaped = `${name}`.replaceAll('~', '~0').replaceAll('/', '~1')
  return { pointer: `${pointer}/${escaped}`, value: exists ? (value as JsonObject)[name] : undefined }
}

/** The members of an object by name; empty for any other value. */
export function members(node: DocumentNode): readonly [string, DocumentNode][] {
  return isObject(node.value) ? Object.keys(node.value).map((name) => [name, child(node, name)]) : []
}

export function elements(node: DocumentNode): readonly DocumentNode[] {
  return Array.isArray(node.value) ? node.value.map((_, index) => child(node, index)) : []
}

/**
 * Splits a JSON pointer into unescaped names.
 *
 * @example
 * ```ts
 * namesOf('/paths/~1user/get') // ['paths', '/user', 'get']
 * ```
 */
export function namesOf(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/**
 * Creates a function that follows chains of `$ref` references.
 *
 * @example
 * ```ts
 * const follow = follower(localReferences({ a: { $ref: '#/b' }, b: { type: 'string' } }))
 * follow({ pointer: '/a', value: { $ref: '#/b' } }) // { pointer: '/b', value: { type: 'string' } }
 * ```
 */
export function follower(resolve: Resolve): Follow {
  return (start) => {
    const visited = new Set<unknown>()
    let node = start
    while (isObject(node.value) && typeof node.value.$ref === 'string') {
      visited.add(node.value)
      const next = resolve(node.value.$ref, node)
      if (!next || visited.has(next.value)) return { pointer: node.pointer, value: undefined }
      node = next
    }
    return node
  }
}

/**
 * Creates a resolver for `$ref` references within a document. A pointer may lead through other references. References to
 * other files are not resolved.
 *
 * @example
 * ```ts
 * const resolve = localReferences({ components: { schemas: { User: { type: 'object' } } } })
 * resolve('#/components/schemas/User', { pointer: '', value: undefined })?.value // { type: 'object' }
 * ```
 */
export function localReferences(document: unknown): Resolve {
  const cache = new Map<string, DocumentNode | undefined>()
  const follow = follower((reference) => resolve(reference))
  const resolve = (reference: string): DocumentNode | undefined => {
    if (cache.has(reference) || !/^#(\/|$)/.test(reference)) return cache.get(reference)
    // A circular pointer has no target.
    cache.set(reference, undefined)
    let node: DocumentNode = { pointer: '', value: document as Json }
    for (const name of fragmentNames(reference.slice(1))) node = child(follow(node), name)
    if (node.value !== undefined) cache.set(reference, node)
    return cache.get(reference)
  }
  return resolve
}

/**
 * Splits the URL fragment of a `$ref` into unescaped names. A name with an invalid percent escape stays as it is.
 *
 * @example
 * ```ts
 * fragmentNames('/paths/~1user%7Bid%7D') // ['paths', '/user{id}']
 * ```
 */
export function fragmentNames(fragment: string): readonly string[] {
  return namesOf(fragment).map((name) => {
    try {
      return decodeURIComponent(name)
    } catch {
      return name
    }
  })
}
