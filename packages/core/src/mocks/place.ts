/** Where a request stands: the names and refs of its path, in turn. */

/** `/role/1/action` has the names role and action, and the ref 1. */
export interface Place {
  readonly names: readonly string[]
  readonly refs: readonly string[]
}

/**
 * Reads the place of an address below the base. What stands for `*` at the end of the base ends before the first name
 * of a collection, and holds nothing that could be a ref: `/role/1/action` is never the root of `action`.
 */
export function placeReader(root: string, names: readonly string[]): (url: string) => Place | undefined {
  const base = root.replace(/\/+$/, '')
  const any = base.endsWith('*') ? '(?:(?!/\\d+/).)*?' : '.*?'
  const { location } = globalThis as { location?: { origin: string } }
  // Under Node no address is our own, and a path stands for itself at any.
  const here = location && !base.startsWith('*') ? exact(location.origin) : '[^/]+//[^/]+'
  const before = (base.includes('://') ? '' : here) + base.split('*').map(exact).join(any)
  const pattern = new RegExp(`^${before}/((?:${names.join('|')})(?:/.*)?)$`)
  return (url) => {
    const path = pattern.exec(url.replace(/\/?([?#].*)?$/, ''))?.[1]
    const segments = path?.split('/')
    return (
      segments && { names: segments.filter((_, at) => at % 2 === 0), refs: segments.filter((_, at) => at % 2 === 1) }
    )
  }
}

function exact(text: string): string {
  return text.replace(/[^\w/-]/g, '\\$&')
}
