/** Endpoints: what could be called, found by method and path in the bytes of a log. */
import type { Deprecation } from '../declaration/deprecation.ts'
import type { Operation } from '../operation/operation.ts'

/** One operation as usage knows it; those of any document will do. */
export interface Endpoint {
  readonly id: string
  readonly method: string
  /** The template: `/v1/user/{id}`. */
  readonly path: string
  /** Present where it should not be called any more. */
  readonly deprecation?: Deprecation
}

/** The endpoint that an operation of a declared api is. */
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

/** The path cannot be told from its bytes as they stand. */
export const unsure = -2
const nowhere = -1

export class EndpointTree {
  readonly #root: Node = branch()

  constructor(endpoints: readonly Endpoint[]) {
    endpoints.forEach(({ method, path }, index) => {
      let at = this.#root
      for (const segment of path.split('/').slice(1)) at = segment.startsWith('{') ? anyValue(at) : named(at, segment)
      at.ends.set(method, index)
    })
  }

  /** The index of the endpoint that a request is for, by its whole target; below 0 where it is for none. */
  at(method: string, target: string): number {
    // The target may be a whole address.
    const path = decoded(target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''))
    const bytes = new TextEncoder().encode(path)
    return Math.max(nowhere, this.find(method === 'HEAD' ? 'GET' : method, bytes, 0, bytes.length))
  }

  /** The index of the endpoint at the path that lies between two positions; below 0 where there is none. */
  find(method: string, bytes: Uint8Array, start: number, end: number): number {
    if (bytes[start] !== slash) return unsure
    const found = this.#along(method, bytes, start, end)
    // A name may lead nowhere where a value would have led somewhere.
    return found === nowhere ? this.#anywhere(this.#root, method, bytes, start + 1, end) : found
  }

  /** Names count before values, and no way is tried twice. */
  #along(method: string, bytes: Uint8Array, start: number, end: number): number {
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

  #anywhere(at: Node, method: string, bytes: Uint8Array, from: number, end: number): number {
    let position = from
    while (position < end && bytes[position] !== slash) position++
    const name = namedAt(at, hashOf(bytes.subarray(from, position)), bytes, from, position)
    for (const next of [name, position > from ? at.value : undefined]) {
      if (!next) continue
      const isLast = position === end
      const found = isLast ? (next.ends.get(method) ?? nowhere) : this.#anywhere(next, method, bytes, position + 1, end)
      if (found !== nowhere) return found
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

function named(at: Node, name: string): Node {
  const bytes = new TextEncoder().encode(name)
  const known = namedAt(at, hashOf(bytes), bytes, 0, bytes.length)
  if (known) return known
  const node = branch()
  at.names.set(hashOf(bytes), [...(at.names.get(hashOf(bytes)) ?? []), { bytes, node }])
  return node
}

function namedAt(at: Node, hash: number, bytes: Uint8Array, start: number, end: number): Node | undefined {
  const found = at.names.get(hash)
  return found?.find((one) => isSame(one.bytes, bytes, start, end))?.node
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

function decoded(path: string): string {
  try {
    // A slash that was encoded stands within a segment.
    return path.replaceAll(/%2f/gi, '-').split('/').map(decodeURIComponent).join('/').replaceAll('%', '-')
  } catch {
    return path.replaceAll('%', '-')
  }
}
