/** The URL of a view with the records that are open in the drawer above it. */

/** No property of a service begins with an underscore. */
const drawerParameter = '_record'

export interface Address {
  readonly path: string
  readonly query: URLSearchParams
  /** The paths of the records in the drawer, each opened from the one before. */
  readonly drawer: readonly string[]
}

/** `/user?sort=id&_record=/user/7` is the list of users with the drawer of user 7. */
export function parseAddress(text: string): Address {
  const [path = '', search = ''] = text.split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  const drawer = query.getAll(drawerParameter)
  query.delete(drawerParameter)
  return { path: path || '/', query, drawer }
}

export function addressText({ path, query, drawer }: Address): string {
  const parameters = new URLSearchParams([...query, ...drawer.map((record) => [drawerParameter, record])])
  // A path is easier to read with its slashes, which are allowed in a fragment.
  const text = `${parameters}`.replaceAll('%2F', '/')
  return text === '' ? path : `${path}?${text}`
}

/** The number of levels that stay: 0 is the page, 1 the first record in the drawer. Negative if the page changes. */
export function unchangedLevels(before: Address, next: Address): number {
  if (before.path !== next.path) return -1
  const firstDifference = before.drawer.findIndex((path, index) => next.drawer[index] !== path)
  return firstDifference === -1 ? before.drawer.length : firstDifference
}
