/** The parts of a path template, and the version in it. */

export interface Segment {
  readonly text: string
  readonly isParameter: boolean
  /** The path up to here with unnamed parameters: `/user/{}/role`. */
  readonly prefix: string
}

/** The text after a slash at the end is a segment too, an empty one. */
export function segmentsOf(path: string): readonly Segment[] {
  let prefix = ''
  return path
    .replace(/^\//, '')
    .split('/')
    .map((text) => {
      const isParameter = /^\{[^{}]*\}$/.test(text)
      prefix += isParameter ? '/{}' : `/${text}`
      return { text, isParameter, prefix }
    })
}

/** Templates that differ only in the names of their parameters, or in a slash at the end, are one path. */
export function pathKey(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1')
}

/** The names of the parameters in a path template. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `${name}`)
}

const isVersion = (segment: string) => /^v\d{1,6}$/.test(segment)

export interface PathVersion {
  /** The number in `/v2`. */
  readonly version: number
  /** The path before it, such as `/api`. */
  readonly mount: string
  /** The path after it. */
  readonly rest: string
}

/** The version in a path; it stands before the first parameter. */
export function versionOf(path: string): PathVersion | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const index = segments.findIndex((segment) => isVersion(segment) || segment.startsWith('{'))
  const segment = segments[index]
  if (segment === undefined || !isVersion(segment)) return undefined
  const [before, after] = [segments.slice(0, index), segments.slice(index + 1)]
  const joined = (names: readonly string[]) => names.map((name) => `/${name}`).join('')
  return { version: Number(segment.slice(1)), mount: joined(before), rest: joined(after) }
}
