/** The operations of a document, identified by method, path without version, and version. */
import { type DocumentMethod, isObject, pathKey, pathParameters, readOpenApi, versionOf } from '@nomen/core/openapi'
import type { OpenApiDocument } from '../document/read-document.ts'
import { below, followed, type Location, root, type Side } from './location.ts'

export interface Operation {
  readonly method: DocumentMethod
  /** The path template in the document. */
  readonly path: string
  readonly location: Location
  /** The path item, which may have parameters too. */
  readonly item: Location
  /** The names of the path parameters, in order. */
  readonly names: readonly string[]
  /** The number in `/v2`; 0 for a path without a version. */
  readonly version: number
  /** The same for all versions and parameter names: `get /user/{}`. */
  readonly key: string
  /** The prefix before the version, such as `/api`; usually empty. */
  readonly mount: string
  /** The first noun of the path, also for its list variants and lookups. */
  readonly noun: string
  /** The kind of operation in messages. */
  readonly purpose: 'lookup' | 'list-variant' | 'operation'
}

/**
 * All operations of a document. A version in the server URL applies to all of them. `mounts` are the prefixes before
 * versions, in this document or others of the api.
 */
export function operationsOf(side: Side, document: OpenApiDocument, mounts: readonly string[]): readonly Operation[] {
  const home = root(side, document)
  const { operations } = readOpenApi(document)
  const nouns = new Set(operations.map(({ path }) => nounOf(path, mounts)))
  return operations.flatMap(({ method, path, role, version = 0, isGone }) => {
    const item = below(home, 'paths', path)
    const location = item && below(item, method)
    if (!location || isGone) return []
    const template = templateOf(path)
    const noun = listNoun(nounOf(path, mounts), nouns) ?? nounOf(path, mounts)
    return {
      method,
      path,
      location,
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

/** The prefixes before the versions in the paths of a document: `/api` of `/api/v1/user`. */
export function mountsOf({ paths }: OpenApiDocument): readonly string[] {
  const mounts = Object.keys(isObject(paths) ? paths : {}).map((path) => versionOf(path)?.mount ?? '')
  return [...new Set(mounts)].filter((mount) => mount !== '')
}

/** `/v2`, or a phrase for a path without a version. */
export function versionText(version: number): string {
  return version === 0 ? 'no version' : `/v${version}`
}

/** Decides by the path alone, because the operation may not describe a list. */
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

/** `user-detail` and `user-summary` are lists of `user`, if that noun exists. */
function listNoun(name: string, nouns: ReadonlySet<string>): string | undefined {
  const noun = name.replace(/-(summary|detail)$/, '')
  return noun !== name && nouns.has(noun) ? noun : undefined
}
