/** Endpoints of an API, and finding them by method and path in the bytes of a log. */
import type { Deprecation } from '../declaration/deprecation.ts'
import type { Operation } from '../operation/operation.ts'

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
  readonly names: Map<number, { readonly bytes: Uint8Array; readonly node: Node }[]>
  /** Where any other segment leads. */
  value?: Node
  /** Indexes of endpoints, by method. */
  readonly ends: Map<string, number>
}

const slash = 0x2f
const percent = 0x25

/** The path has escapes and must be decoded before it can be found. */
export const unsure = -2
const nowhere = -1
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
    ...['/', '/docs', '/docs/', '/docs/js/scalar.js', '/usage', '/metrics'],
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
  readonly #root: Node = branch()

  constructor(endpoints: readonly Endpoint[], pages: readonly string[] = []) {
    for (const path of pages) this.#endOf(path).set('GET', ownPage)
    endpoints.forEach(({ method, path }, index) => {
      this.#endOf(path).set(method, index)
    })
  }

  #endOf(path: string): Node['ends'] {
    let at = this.#root
    for (const segment of path.split('/').slice(1))
      at = segment.startsWith('{') ? anyValue(at) : childNamed(at, segment)
    return at.ends
  }

  /** The index of the endpoint that a request is for, by its whole target; below 0 where it is for none. */
  at(method: string, target: string): number {
    // The target may be a whole address.
    const path = decodePath(target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''))
    const bytes = new TextEncoder().encode(path)
    const endpoint = this.find(method === 'HEAD' ? 'GET' : method, bytes, 0, bytes.length)
    return endpoint === unsure ? nowhere : endpoint
  }

  /** The index of the endpoint of the path between two positions; negative if there is none. */
  find(method: string, bytes: Uint8Array, start: number, end: number): number {
    if (bytes[start] !== slash) return unsure
    const endpoint = this.#findDirectly(method, bytes, start, end)
    // A name may lead nowhere where a value would have led somewhere.
    return endpoint === nowhere ? this.#findByBacktracking(this.#root, method, bytes, start + 1, end) : endpoint
  }

  /** Names count before values, and no way is tried twice. */
  #findDirectly(method: string, bytes: Uint8Array, start: number, end: number): number {
    let at: Node = this.#root
    let from = start + 1
    let hash = 0
    for (let position = from; position <= end; position++) {
      const byte = position === end ? slash : (bytes[position] as number)
      if (byte === percent) return unsure
      if (byte !== slash) {
        hash = (hash * 31 + byte) | 0
        continue
      }
      const next = namedAt(at, hash, bytes, from, position) ?? (position > from ? at.value : undefined)
      if (!next) return nowhere
      at = next
      from = position + 1
      hash = 0
    }
    return at.ends.get(method) ?? nowhere
  }

  #findByBacktracking(at: Node, method: string, bytes: Uint8Array, from: number, end: number): number {
    let position = from
    while (position < end && bytes[position] !== slash) position++
    const name = namedAt(at, hashOf(bytes.subarray(from, position)), bytes, from, position)
    for (const next of [name, position > from ? at.value : undefined]) {
      if (!next) continue
      const isLast = position === end
      const endpoint = isLast
        ? (next.ends.get(method) ?? nowhere)
        : this.#findByBacktracking(next, method, bytes, position + 1, end)
      if (endpoint !== nowhere) return endpoint
    }
    return nowhere
  }
}

function branch(): Node {
  return { names: new Map(), ends: new Map() }
}

function anyValue(at: Node): Node {
  at.value ??= branch()
  return at.value
}

function childNamed(at: Node, name: string): Node {
  const bytes = new TextEncoder().encode(name)
  const known = namedAt(at, hashOf(bytes), bytes, 0, bytes.length)
  if (known) return known
  const node = branch()
  at.names.set(hashOf(bytes), [...(at.names.get(hashOf(bytes)) ?? []), { bytes, node }])
  return node
}

function namedAt(at: Node, hash: number, bytes: Uint8Array, start: number, end: number): Node | undefined {
  const sameHash = at.names.get(hash)
  return sameHash?.find((name) => isSame(name.bytes, bytes, start, end))?.node
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = (hash * 31 + byte) | 0
  return hash
}

/** Whether some bytes are those between two positions of others. */
export function isSame(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false
  for (let index = 0; index < known.length; index++) if (known[index] !== bytes[start + index]) return false
  return true
}

function decodePath(path: string): string {
  try {
    // A slash that was encoded stands within a segment.
    return path.replaceAll(/%2f/gi, '-').split('/').map(decodeURIComponent).join('/').replaceAll('%', '-')
  } catch {
    return path.replaceAll('%', '-')
  }
}
