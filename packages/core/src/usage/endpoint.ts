/** Finds the endpoint of a request by method and path, in the bytes of a log. */
import type { Deprecation } from '../declaration/deprecation.ts'
import type { Operation } from '../operation/operation.ts'
import { percent, slash } from './log-bytes.ts'

/** An endpoint in a usage report: an operation of a declared api or of any OpenAPI document. */
export interface Endpoint {
  readonly id: string
  readonly method: string
  /** The path template: `/v1/user/{id}`. */
  readonly path: string
  /** Present if the endpoint is deprecated. */
  readonly deprecation?: Deprecation
}

/**
 * Converts an operation of a declared api to an endpoint of a usage report.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * ```
 */
export function endpointOf({ api, id, method, path, deprecation }: Operation): Endpoint {
  return { id: `${api}.${id}`, method, path, ...(deprecation && { deprecation }) }
}

interface Node {
  readonly literals: Map<number, { readonly bytes: Uint8Array; readonly node: Node }[]>
  /** The child for a parameter, which any other segment matches. */
  parameter?: Node
  /** Indexes of endpoints, by method. */
  readonly endpoints: Map<string, number>
}

/** The path has escapes and must be decoded before it can be found. */
export const needsDecoding = -2
const notFound = -1
/** A page of the service itself; such requests are not counted as usage. */
export const ownPage = -3

/**
 * Returns the paths of a service's own pages, which are not counted as usage: start page, documents, console and metrics.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * const reader = new LineReader(endpoints, undefined, pagesOf(endpoints))
 * ```
 */
export function pagesOf(endpoints: readonly Endpoint[]): readonly string[] {
  const versions = new Set(endpoints.flatMap(({ path }) => /^\/v\d+(?=\/)/.exec(path)?.[0] ?? []))
  return [
    ...['/', '/docs', '/docs/', '/docs/js/scalar.js', '/usage', '/metrics', '/favicon.ico'],
    ...['/console', '/console/{a}', '/console/{a}/{b}', '/console/{a}/{b}/{c}'],
    ...['', ...versions].map((version) => `${version}/openapi.json`),
  ]
}

/**
 * A prefix tree (router) that finds the endpoint of a request by method and path.
 *
 * @example
 * ```ts
 * const endpoints = operations(directory).map(endpointOf)
 * endpoints[new EndpointTree(endpoints).at('GET', '/user/7?sort=id')]?.path // '/user/{id}'
 * ```
 */
export class EndpointTree {
  readonly #root: Node = emptyNode()

  constructor(endpoints: readonly Endpoint[], pages: readonly string[] = []) {
    for (const path of pages) this.#endsOf(path).set('GET', ownPage)
    endpoints.forEach(({ method, path }, index) => {
      this.#endsOf(path).set(method, index)
    })
  }

  #endsOf(path: string): Node['endpoints'] {
    let node = this.#root
    for (const segment of path.split('/').slice(1))
      node = segment.startsWith('{') ? parameterChild(node) : literalChild(node, segment)
    return node.endpoints
  }

  /** The index of the endpoint of a request, by its whole target; negative if there is none. */
  at(method: string, target: string): number {
    // The target may be an absolute URL.
    const path = decodePath(target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''))
    const bytes = new TextEncoder().encode(path)
    const endpoint = this.find(method === 'HEAD' ? 'GET' : method, bytes, 0, bytes.length)
    return endpoint === needsDecoding ? notFound : endpoint
  }

  /** The index of the endpoint of the path between two positions; negative if there is none. */
  find(method: string, bytes: Uint8Array, start: number, end: number): number {
    if (bytes[start] !== slash) return needsDecoding
    const endpoint = this.#findDirectly(method, bytes, start, end)
    // A literal segment may lead to no endpoint although a parameter would.
    return endpoint === notFound ? this.#findByBacktracking(this.#root, method, bytes, start + 1, end) : endpoint
  }

  /** Prefers literal segments to parameters, without backtracking. */
  #findDirectly(method: string, bytes: Uint8Array, start: number, end: number): number {
    let node: Node = this.#root
    let segmentStart = start + 1
    let hash = 0
    for (let position = segmentStart; position <= end; position++) {
      const byte = position === end ? slash : (bytes[position] as number)
      if (byte === percent) return needsDecoding
      if (byte !== slash) {
        hash = (hash * 31 + byte) | 0
        continue
      }
      const next =
        findLiteralChild(node, hash, bytes, segmentStart, position) ??
        (position > segmentStart ? node.parameter : undefined)
      if (!next) return notFound
      node = next
      segmentStart = position + 1
      hash = 0
    }
    return node.endpoints.get(method) ?? notFound
  }

  #findByBacktracking(node: Node, method: string, bytes: Uint8Array, segmentStart: number, end: number): number {
    let position = segmentStart
    while (position < end && bytes[position] !== slash) position++
    const name = findLiteralChild(node, hashOf(bytes.subarray(segmentStart, position)), bytes, segmentStart, position)
    for (const next of [name, position > segmentStart ? node.parameter : undefined]) {
      if (!next) continue
      const isLast = position === end
      const endpoint = isLast
        ? (next.endpoints.get(method) ?? notFound)
        : this.#findByBacktracking(next, method, bytes, position + 1, end)
      if (endpoint !== notFound) return endpoint
    }
    return notFound
  }
}

function emptyNode(): Node {
  return { literals: new Map(), endpoints: new Map() }
}

function parameterChild(node: Node): Node {
  node.parameter ??= emptyNode()
  return node.parameter
}

function literalChild(parent: Node, name: string): Node {
  const bytes = new TextEncoder().encode(name)
  const existing = findLiteralChild(parent, hashOf(bytes), bytes, 0, bytes.length)
  if (existing) return existing
  const node = emptyNode()
  parent.literals.set(hashOf(bytes), [...(parent.literals.get(hashOf(bytes)) ?? []), { bytes, node }])
  return node
}

function findLiteralChild(node: Node, hash: number, bytes: Uint8Array, start: number, end: number): Node | undefined {
  const sameHash = node.literals.get(hash)
  return sameHash?.find((name) => isSame(name.bytes, bytes, start, end))?.node
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = (hash * 31 + byte) | 0
  return hash
}

/** Whether the bytes between two positions are the expected ones. */
export function isSame(expected: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (expected.length !== end - start) return false
  for (let index = 0; index < expected.length; index++) if (expected[index] !== bytes[start + index]) return false
  return true
}

function decodePath(path: string): string {
  try {
    // An encoded slash belongs to its segment.
    return path.replaceAll(/%2f/gi, '-').split('/').map(decodeURIComponent).join('/').replaceAll('%', '-')
  } catch {
    return path.replaceAll('%', '-')
  }
}
