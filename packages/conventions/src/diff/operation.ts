/** The operations of a document, each known by its method, its path without version, and its version. */
import { type DocumentMethod, isObject, pathKey, pathParameters, readOpenApi, versionOf } from '@nomen/core/openapi'
import type { OpenApiDocument } from '../document/read-document.ts'
import { below, followed, type Place, root, type Side } from './place.ts'

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
  /** What it is for, as far as the conventions have a name for it. */
  readonly purpose: 'lookup' | 'list-variant' | 'operation'
}

/**
 * Every operation of a document. A version that stands in the address of the server counts for all of them; `mounts` are
 * what stands before versions, in this document or others of the api.
 */
export function operationsOf(side: Side, document: OpenApiDocument, mounts: readonly string[]): readonly Operation[] {
  const home = root(side, document)
  const { operations } = readOpenApi(document)
  const nouns = new Set(operations.map(({ path }) => nounOf(path, mounts)))
  return operations.flatMap(({ method, path, role, version = 0, isGone }) => {
    const item = below(home, 'paths', path)
    const place = item && below(item, method)
    if (!place || isGone) return []
    const template = templateOf(path)
    const noun = listNoun(nounOf(path, mounts), nouns) ?? nounOf(path, mounts)
    return {
      method,
      path,
      place,
      item: followed(item),
      names: pathParameters(path),
      version,
      key: `${method} ${pathKey(template)}`,
      mount: mountOf(template, mounts),
      noun,
      purpose: role === 'lookup' ? 'lookup' : isVariant(method, template, noun) ? 'list-variant' : 'operation',
    }
  })
}

/** What stands before the versions of a document's paths: `/api` of `/api/v1/user`. */
export function mountsOf({ paths }: OpenApiDocument): readonly string[] {
  const mounts = Object.keys(isObject(paths) ? paths : {}).map((path) => versionOf(path)?.mount ?? '')
  return [...new Set(mounts)].filter((mount) => mount !== '')
}

/** `/v2`, or words for a path without a version. */
export function versionText(version: number): string {
  return version === 0 ? 'no version' : `/v${version}`
}

/** By its path alone: an operation that is compared need not describe a list. */
function isVariant(method: string, template: string, noun: string): boolean {
  return method === 'get' && /-(summary|detail)$/.test(template) && !template.endsWith(`/${noun}`)
}

/** The path without its version. */
function templateOf(path: string): string {
  const version = versionOf(path)
  return version ? `${version.mount}${version.rest}` || '/' : path
}

function mountOf(template: string, mounts: readonly string[]): string {
  const fits = mounts.filter((mount) => template.startsWith(`${mount}/`))
  return fits.reduce((longest, mount) => (mount.length > longest.length ? mount : longest), '')
}

function nounOf(path: string, mounts: readonly string[]): string {
  const template = templateOf(path)
  const segments = template.slice(mountOf(template, mounts).length).split('/')
  return segments.find((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
}

/** `user-detail` and `user-summary` are lists of `user`, where there is one. */
function listNoun(name: string, nouns: ReadonlySet<string>): string | undefined {
  const noun = name.replace(/-(summary|detail)$/, '')
  return noun !== name && nouns.has(noun) ? noun : undefined
}
