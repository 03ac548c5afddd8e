/** The operations of a document, each known by its method, its path without version, and its version. */
import { type Method, methods } from '../document/contract.ts'
import type { OpenApiDocument } from '../document/read-document.ts'
import { below, childrenOf, elementsOf, followed, isObject, objectAt, type Place, root, type Side } from './place.ts'

export interface Operation {
  readonly method: Method
  /** The template as it stands. */
  readonly path: string
  readonly place: Place
  /** The path item, which may have parameters of its own. */
  readonly item: Place
  /** The names of the path parameters, in their order. */
  readonly names: readonly string[]
  /** The number in `/v2`; 0 where the path has none. */
  readonly version: number
  /** The same for every version, whatever the path parameters are called: `get /user/{}`. */
  readonly key: string
  /** The noun that the path begins with; its list variants and lookups count to it. */
  readonly noun: string
}

/** Every operation of a document. A version that stands in the address of the server counts for all of them. */
export function operationsOf(side: Side, document: OpenApiDocument): readonly Operation[] {
  const home = root(side, document)
  const base = serverVersion(home)
  const paths = childrenOf(below(home, 'paths')).filter(([path]) => path.startsWith('/'))
  const nouns = new Set(paths.map(([path]) => nounOf(versioned(path, base).segments)))
  return paths.flatMap(([path, given]) => {
    const item = followed(given)
    const { version, segments } = versioned(path, base)
    const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `${name}`)
    const template = `/${segments.join('/').replaceAll(/\{[^}]*\}/g, '{}')}`
    const noun = listNoun(nounOf(segments), nouns) ?? nounOf(segments)
    return methods.flatMap((method) => {
      const place = below(item, method)
      if (!place || !isObject(place.value)) return []
      return { method, path, place, item, names, version, key: `${method} ${template}`, noun }
    })
  })
}

/** What a GET without a body is for, where the conventions know it. */
export function purposeOf({ key, noun }: Operation): 'lookup' | 'list-variant' | 'operation' {
  if (/^get (\/.*)?\/by-[^/]+\/\{\}$/.test(key)) return 'lookup'
  const last = key.split('/').at(-1) ?? ''
  return /^get .*-(summary|detail)$/.test(key) && last !== noun ? 'list-variant' : 'operation'
}

/** `/v2`, or words for a path without a version. */
export function versionText(version: number): string {
  return version === 0 ? 'no version' : `/v${version}`
}

function versioned(path: string, base: number): { version: number; segments: readonly string[] } {
  const segments = path.split('/').filter((segment) => segment !== '')
  const index = segments.findIndex((segment) => isVersion(segment) || segment.startsWith('{'))
  const found = segments[index]
  if (found === undefined || !isVersion(found)) return { version: base, segments }
  return { version: Number(found.slice(1)), segments: segments.toSpliced(index, 1) }
}

function isVersion(segment: string): boolean {
  return /^v\d{1,6}$/.test(segment)
}

function serverVersion(home: Place): number {
  const [server] = elementsOf(below(home, 'servers'))
  const { url } = objectAt(server)
  const path = `${url ?? ''}`.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return versioned(path, 0).version
}

function nounOf(segments: readonly string[]): string {
  return segments.find((segment) => !segment.startsWith('{')) ?? ''
}

/** `user-detail` and `user-summary` are lists of `user`, where there is one. */
function listNoun(name: string, nouns: ReadonlySet<string>): string | undefined {
  const noun = name.replace(/-(summary|detail)$/, '')
  return noun !== name && nouns.has(noun) ? noun : undefined
}
