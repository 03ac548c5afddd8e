/** Finds the route of a path, segment by segment. */
import { ProblemError, problem } from '@nomen/core'
import { quoted } from '../foundation/quoted.ts'

interface Node<Route> {
  readonly names: Map<string, Node<Route>>
  /** By method. */
  readonly routes: Map<string, Route>
  /** Any other segment. */
  value?: Node<Route>
  /** All further segments. */
  rest?: Node<Route>
}

export interface Match<Route> {
  /** The routes at the path, by method. */
  readonly routes: ReadonlyMap<string, Route>
  /** The decoded values of the path, in order. */
  readonly parameters: readonly string[]
}

export class Router<Route> {
  readonly #root = node<Route>()

  /** Adds a route at a path such as `/user/{id}`, or `/console/*` for everything below. */
  add(method: string, path: string, route: Route): void {
    let at = this.#root
    for (const segment of path.split('/').slice(1)) at = child(at, segment)
    at.routes.set(method, route)
  }

  /** A name wins over a value, a value over the rest. Throws a problem if a segment is not percent-encoded UTF-8. */
  find(path: string): Match<Route> | undefined {
    const parameters: string[] = []
    const match = find(this.#root, path, 1, parameters)
    return match && { routes: match.routes, parameters }
  }
}

function find<Route>(at: Node<Route>, path: string, start: number, parameters: string[]): Node<Route> | undefined {
  const slash = path.indexOf('/', start)
  const segment = decodeSegment(slash === -1 ? path.slice(start) : path.slice(start, slash))
  const named = at.names.get(segment)
  const match = named && below(named, path, slash, parameters)
  if (match) return match
  if (at.value && segment !== '') {
    const number = parameters.push(segment)
    const valueMatch = below(at.value, path, slash, parameters)
    if (valueMatch) return valueMatch
    parameters.length = number - 1
  }
  if (!at.rest) return undefined
  parameters.push(path.slice(start).split('/').map(decodeSegment).join('/'))
  return at.rest
}

function below<Route>(at: Node<Route>, path: string, slash: number, parameters: string[]): Node<Route> | undefined {
  if (slash !== -1) return find(at, path, slash + 1, parameters)
  return at.routes.size > 0 ? at : undefined
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

function child<Route>(at: Node<Route>, segment: string): Node<Route> {
  if (segment === '*') {
    at.rest ??= node()
    return at.rest
  }
  if (segment.startsWith('{')) {
    at.value ??= node()
    return at.value
  }
  const known = at.names.get(segment) ?? node<Route>()
  at.names.set(segment, known)
  return known
}

function node<Route>(): Node<Route> {
  return { names: new Map(), routes: new Map() }
}
