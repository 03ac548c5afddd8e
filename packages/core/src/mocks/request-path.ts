/** Parses the URL of a mocked request into names and IDs. */

/** The parts of a path: `/role/1/action` has the names role and action, and the ID 1. */
export interface RequestPath {
  readonly names: readonly string[]
  readonly refs: readonly string[]
}

/**
 * Creates a parser of URLs below the base. A `*` at the end of the base matches up to the first name of a collection, and
 * nothing with an ID: `/role/1/action` is never the root of `action`.
 */
export function requestPathReader(root: string, names: readonly string[]): (url: string) => RequestPath | undefined {
  const base = root.replace(/\/+$/, '')
  const wildcard = base.endsWith('*') ? '(?:(?!/\\d+/).)*?' : '.*?'
  const { location } = globalThis as { location?: { origin: string } }
  // Node.js has no own origin, so a path matches any.
  const originPattern = location && !base.startsWith('*') ? escapePattern(location.origin) : '[^/]+//[^/]+'
  const prefixPattern = (base.includes('://') ? '' : originPattern) + base.split('*').map(escapePattern).join(wildcard)
  const pattern = new RegExp(`^${prefixPattern}/((?:${names.join('|')})(?:/.*)?)$`)
  return (url) => {
    const path = pattern.exec(url.replace(/\/?([?#].*)?$/, ''))?.[1]
    const segments = path?.split('/')
    const everySecond = (first: 0 | 1) => segments?.filter((_, index) => index % 2 === first) ?? []
    return segments && { names: everySecond(0), refs: everySecond(1) }
  }
}

function escapePattern(text: string): string {
  return text.replace(/[^\w/-]/g, '\\$&')
}
