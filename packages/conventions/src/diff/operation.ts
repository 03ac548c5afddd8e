/** The operations of a document, each known by its method, its path without version, and its version. */
import type { DocumentMethod } from '@nomen/core/openapi'
import type { OpenApiDocument } from '../document/read-document.ts'
import { below, childrenOf, elementsOf, followed, isObject, objectAt, type Place, root, type Side } from './place.ts'

export interface Operation {
  readonly method: DocumentMethod
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
  /** What stands before the version, such as `/api`; mostly nothing. */
  readonly mount: string
  /** The noun that the path begins with; its list variants and lookups count to it. */
  readonly noun: string
}

const methods: readonly DocumentMethod[] = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/**
 * Every operation of a document. A version that stands in the address of the server counts for all of them; `mounts` are
 * what stands before versions, in this document or others of the api.
 */
export function operationsOf(side: Side, document: OpenApiDocument, mounts: readonly string[]): readonly Operation[] {
  const home = root(side, document)
  const base = serverVersion(home)
  const paths = pathsOf(home)
  const nouns = new Set(paths.map(([path]) => nounOf(path, mounts)))
  return paths.flatMap(([path, given]) => {
    const item = followed(given)
    const { version = base, segments } = versioned(path)
    const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => `${name}`)
    const template = `/${segments.join('/').replaceAll(/\{[^}]*\}/g, '{}')}`
    const noun = listNoun(nounOf(path, mounts), nouns) ?? nounOf(path, mounts)
    const mount = mountOf(template, mounts)
    return methods.flatMap((method) => {
      const place = below(item, method)
      if (!place || !isObject(place.value) || isGone(place)) return []
      return { method, path, place, item, names, version, key: `${method} ${template}`, mount, noun }
    })
  })
}

/** What stands before the versions of a document's paths: `/api` of `/api/v1/user`. */
export function mountsOf(document: OpenApiDocument): readonly string[] {
  const mounts = pathsOf(root('old', document)).map(([path]) => path.match(/^((?:\/[^/{}]+)+?)\/v\d{1,6}(\/|$)/)?.[1])
  return [...new Set(mounts)].filter((mount) => mount !== undefined)
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

function pathsOf(home: Place): readonly (readonly [string, Place])[] {
  return childrenOf(below(home, 'paths')).filter(([path]) => path.startsWith('/'))
}

/** What has no answer but that it is gone is not served, though the document still tells of it. */
function isGone(operation: Place): boolean {
  const statuses = childrenOf(below(operation, 'responses')).map(([status]) => status)
  return statuses.includes('410') && !statuses.some((status) => status.startsWith('2') || status === 'default')
}

function versioned(path: string): { readonly version?: number; readonly segments: readonly string[] } {
  const segments = path.split('/').filter((segment) => segment !== '')
  const index = segments.findIndex((segment) => isVersion(segment) || segment.startsWith('{'))
  const found = segments[index]
  if (found === undefined || !isVersion(found)) return { segments }
  return { version: Number(found.slice(1)), segments: segments.toSpliced(index, 1) }
}

function isVersion(segment: string): boolean {
  return /^v\d{1,6}$/.test(segment)
}

function serverVersion(home: Place): number {
  const [server] = elementsOf(below(home, 'servers'))
  const { url } = objectAt(server)
  const path = `${url ?? ''}`.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return versioned(path).version ?? 0
}

function mountOf(template: string, mounts: readonly string[]): string {
  const fits = mounts.filter((mount) => template.startsWith(`${mount}/`))
  return fits.reduce((longest, mount) => (mount.length > longest.length ? mount : longest), '')
}

function nounOf(path: string, mounts: readonly string[]): string {
  const template = `/${versioned(path).segments.join('/')}`
  const segments = template.slice(mountOf(template, mounts).length).split('/')
  return segments.find((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
}

/** `user-detail` and `user-summary` are lists of `user`, where there is one. */
function listNoun(name: string, nouns: ReadonlySet<string>): string | undefined {
  const noun = name.replace(/-(summary|detail)$/, '')
  return noun !== name && nouns.has(noun) ? noun : undefined
}
