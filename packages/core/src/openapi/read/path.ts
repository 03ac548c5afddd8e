/** The parts of a path template, and the version in it. */

/** A segment of a path template. */
export interface Segment {
  readonly text: string
  readonly isParameter: boolean
  /** The path up to here with unnamed parameters: `/user/{}/role`. */
  readonly prefix: string
}

/** The segments of a path template. A trailing slash gives an empty segment. */
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

/**
 * Normalizes a path template for comparison: without parameter names and without a trailing slash.
 *
 * @example
 * ```ts
 * pathKey('/user/{userId}/') // '/user/{}'
 * ```
 */
export function pathKey(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}').replace(/(.)\/$/, '$1')
}

/**
 * Returns the names of the parameters in a path template.
 *
 * @example
 * ```ts
 * pathParameters('/user/{userId}/role/{id}') // ['userId', 'id']
 * ```
 */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `${name}`)
}

const isVersion = (segment: string) => /^v\d{1,6}$/.test(segment)

export interface PathVersion {
  /** The number in `/v2`. */
  readonly version: number
  /** The path before the version, such as `/api`. */
  readonly mount: string
  /** The path after the version. */
  readonly remainder: string
}

/**
 * Returns the API version in a path; undefined if there is none before the first parameter.
 *
 * @example
 * ```ts
 * versionOf('/api/v2/user/{id}') // { version: 2, mount: '/api', remainder: '/user/{id}' }
 * ```
 */
export function versionOf(path: string): PathVersion | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const index = segments.findIndex((segment) => isVersion(segment) || segment.startsWith('{'))
  const segment = segments[index]
  if (segment === undefined || !isVersion(segment)) return undefined
  const [before, after] = [segments.slice(0, index), segments.slice(index + 1)]
  const joinSegments = (names: readonly string[]) => names.map((name) => `/${name}`).join('')
  return { version: Number(segment.slice(1)), mount: joinSegments(before), remainder: joinSegments(after) }
}
