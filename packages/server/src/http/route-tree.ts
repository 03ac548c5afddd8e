/** What stands at a path: found segment by segment, each of which is a name, or any value. */

interface Branch<Route> {
  readonly names: Map<string, Branch<Route>>
  readonly routes: Map<string, Route>
  /** Where a value leads. */
  value?: Branch<Route>
}

interface Found<Route> {
  readonly route: Route
  /** The values of the path, in order, as they were sent. */
  readonly parameters: readonly string[]
}

export class RouteTree<Route> {
  readonly #root = branch<Route>()

  /** Adds a route at a path such as `/user/{id}`. */
  add(method: string, path: string, route: Route): void {
    let at = this.#root
    for (const segment of path.split('/').slice(1)) at = segment.startsWith('{') ? anyValue(at) : named(at, segment)
    at.routes.set(method, route)
  }

  /** Names count before values, and no way is tried twice: undefined does not mean that nothing stands there. */
  find(method: string, path: string): Found<Route> | undefined {
    const parameters: string[] = []
    let at: Branch<Route> | undefined = this.#root
    let start = 1
    while (at) {
      const slash = path.indexOf('/', start)
      const segment = slash === -1 ? path.slice(start) : path.slice(start, slash)
      const next: Branch<Route> | undefined = at.names.get(segment)
      if (!next) parameters.push(segment)
      at = next ?? (segment === '' ? undefined : at.value)
      if (slash === -1) break
      start = slash + 1
    }
    const route = at?.routes.get(method)
    return route && { route, parameters }
  }
}

function branch<Route>(): Branch<Route> {
  return { names: new Map(), routes: new Map() }
}

function anyValue<Route>(at: Branch<Route>): Branch<Route> {
  at.value ??= branch<Route>()
  return at.value
}

function named<Route>(at: Branch<Route>, name: string): Branch<Route> {
  const known = at.names.get(name) ?? branch<Route>()
  at.names.set(name, known)
  return known
}
