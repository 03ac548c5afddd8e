/** Finds the route of a path, segment by segment. */
import { ProblemError, problem } from '@nomen/core'
import { quoted } from '../foundation/quoted.ts'

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>
  /** By method. */
  readonly routes: Map<string, Route>
  /** Any other segment. */
  parameter?: Node<Route>
  /** All further segments. */
  wildcard?: Node<Route>
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
    const parameters: string[] = []
    const match = find(this.#root, path, 1, parameters)
    return match && { routes: match.routes, parameters }
  }
}

function find<Route>(current: Node<Route>, path: string, start: number, parameters: string[]): Node<Route> | undefined {
  const slash = path.indexOf('/', start)
  const segment = decodeSegment(slash === -1 ? path.slice(start) : path.slice(start, slash))
  const literal = current.literals.get(segment)
  const match = literal && findBelow(literal, path, slash, parameters)
  if (match) return match
  if (current.parameter && segment !== '') {
    const count = parameters.push(segment)
    const valueMatch = findBelow(current.parameter, path, slash, parameters)
    if (valueMatch) return valueMatch
    parameters.length = count - 1
  }
  if (!current.wildcard) return undefined
  parameters.push(path.slice(start).split('/').map(decodeSegment).join('/'))
  return current.wildcard
}

function findBelow<Route>(
  current: Node<Route>,
  path: string,
  slash: number,
  parameters: string[],
): Node<Route> | undefined {
  if (slash !== -1) return find(current, path, slash + 1, parameters)
  return current.routes.size > 0 ? current : undefined
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
  const childNode = current.literals.get(segment) ?? emptyNode<Route>()
  current.literals.set(segment, childNode)
  return childNode
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map(), routes: new Map() }
}
