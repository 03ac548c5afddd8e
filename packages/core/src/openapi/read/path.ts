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

/** The number in `/v2`, and what is before it, such as `/api`. A version stands before the first parameter. */
export function versionOf(path: string): { readonly version: number; readonly mount: string } | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const index = segments.findIndex((segment) => isVersion(segment) || segment.startsWith('{'))
  const segment = segments[index]
  if (segment === undefined || !isVersion(segment)) return undefined
  return {
    version: Number(segment.slice(1)),
    mount: segments
      .slice(0, index)
      .map((name) => `/${name}`)
      .join(''),
  }
}
