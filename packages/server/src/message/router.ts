/** Finds the route of a path, segment by segment. */
import { ProblemError, problem } from '@nomen/core'
import { quoted } from '../foundation/quoted.ts'

interface Node<Route> {
  /** By length and first character: a lookup by the segment would cut it out of the path, and V8 would intern it. */
  readonly literals: Map<number, Literal<Route>[]>
  /** By method. */
  readonly routes: Map<string, Route>
  /** Any other segment. */
  parameter?: Node<Route>
  /** All further segments. */
  wildcard?: Node<Route>
}

interface Literal<Route> {
  readonly segment: string
  readonly node: Node<Route>
}

export interface Match<Route> {
  /** The routes at the path, by method. */
  readonly routes: ReadonlyMap<string, Route>
  /** The decoded values of the path, in order. */
  readonly parameters: readonly string[]
}

export class Router<Route> {
  readonly #root = emptyNode<Route>()

  /** Adds a route at a path such as `/user/{id}`, or `/console/*` for everything below. */
  add(method: string, path: string, route: Route): void {
    let current = this.#root
    for (const segment of path.split('/').slice(1)) current = child(current, segment)
    current.routes.set(method, route)
  }

  /**
   * A literal segment wins over a parameter, a parameter over a wildcard. Throws a problem if a segment is not percent-encoded
   * UTF-8.
   */
  find(path: string): Match<Route> | undefined {
    const search: Search = { path, isEncoded: path.includes('%'), parameters: [] }
    const match = find(this.#root, search, 1)
    return match && { routes: match.routes, parameters: search.parameters }
  }
}

interface Search {
  readonly path: string
  /** Whether a segment may have to be decoded. */
  readonly isEncoded: boolean
  readonly parameters: string[]
}

function find<Route>(current: Node<Route>, search: Search, start: number): Node<Route> | undefined {
  const { path, isEncoded, parameters } = search
  const slash = path.indexOf('/', start)
  const end = slash === -1 ? path.length : slash
  const decoded = isEncoded ? decodeSegment(path.slice(start, end)) : undefined
  const literal =
    decoded === undefined ? literalAt(current, path, start, end) : literalAt(current, decoded, 0, decoded.length)
  const match = literal && findBelow(literal, search, slash)
  if (match) return match
  if (current.parameter && start < end) {
    const count = parameters.push(decoded ?? path.slice(start, end))
    const valueMatch = findBelow(current.parameter, search, slash)
    if (valueMatch) return valueMatch
    parameters.length = count - 1
  }
  if (!current.wildcard) return undefined
  parameters.push(path.slice(start).split('/').map(decodeSegment).join('/'))
  return current.wildcard
}

function findBelow<Route>(current: Node<Route>, search: Search, slash: number): Node<Route> | undefined {
  if (slash !== -1) return find(current, search, slash + 1)
  return current.routes.size > 0 ? current : undefined
}

/** The node of the literal that is the text from `start` to `end`. */
function literalAt<Route>({ literals }: Node<Route>, text: string, start: number, end: number) {
  for (const { segment, node } of literals.get(literalKey(text, start, end)) ?? [])
    if (text.startsWith(segment, start)) return node
  return undefined
}

/** Equal for literals with the same length and first character. */
function literalKey(text: string, start: number, end: number): number {
  return start === end ? 0 : (end - start) * 65536 + text.charCodeAt(start)
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ProblemError(
      problem('malformed-url', {
        detail: `The path contains invalid percent-encoding: ${quoted(segment)}.`,
        hint: 'Encode it as UTF-8, and a percent sign as %25.',
      }),
    )
  }
}

function child<Route>(current: Node<Route>, segment: string): Node<Route> {
  if (segment === '*') {
    current.wildcard ??= emptyNode()
    return current.wildcard
  }
  if (segment.startsWith('{')) {
    current.parameter ??= emptyNode()
    return current.parameter
  }
  const existing = literalAt(current, segment, 0, segment.length)
  if (existing) return existing
  const node = emptyNode<Route>()
  const key = literalKey(segment, 0, segment.length)
  current.literals.set(key, [...(current.literals.get(key) ?? []), { segment, node }])
  return node
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map(), routes: new Map() }
}
