/** The operations of a document, identified by method, path without version, and version. */
import {
  type DocumentMethod,
  isObject,
  operationKeys,
  pathKey,
  pathParameters,
  readOpenApi,
  versionOf,
} from '@nomen/core/openapi'
import type { OpenApiDocument } from '../document/read-document.ts'
import { below, childrenOf, followReference, type Location, ownBelow, root, type Side } from './location.ts'

export interface Operation {
  readonly method: DocumentMethod
  /** The path template in the document; the name of a webhook. */
  readonly path: string
  readonly location: Location
  /** The target of the `$ref` of the path item, and the path item itself. Both may have parameters. */
  readonly pathItems: readonly Location[]
  /** The names of the path parameters, in order. */
  readonly names: readonly string[]
  /** The number in `/v2`; 0 for a path without a version. */
  readonly version: number
  /** The same for all versions and parameter names: `get /user/{}`. */
  readonly key: string
  /** The prefix before the version, such as `/api`; usually empty. */
  readonly mount: string
  /** The first noun of the path: `user`, also for `/user-detail` and `/user/by-email/{email}`. */
  readonly noun: string
  /** The kind of operation in messages. */
  readonly purpose: 'lookup' | 'list-variant' | 'operation' | 'webhook'
}

/**
 * All operations of a document. A version in the server URL applies to all of them. `mounts` are the prefixes before
 * versions, in this document or others of the api.
 */
export function operationsOf(side: Side, document: OpenApiDocument, mounts: readonly string[]): readonly Operation[] {
  const documentRoot = root(side, document)
  const { operations } = readOpenApi(document)
  const nouns = new Set(operations.map(({ path }) => nounOf(path, mounts)))
  return operations.flatMap(({ method, path, keys, role, version = 0, isGone }) => {
    const item = below(documentRoot, 'paths', path)
    const pathItems = item ? itemParts(item) : []
    const location = operationIn(pathItems, keys)
    if (!location || isGone) return []
    const template = templateOf(path)
    const noun = listNoun(nounOf(path, mounts), nouns) ?? nounOf(path, mounts)
    return {
      method,
      path,
      location,
      pathItems,
      names: pathParameters(path),
      version,
      key: `${method} ${keyOfTemplate(template)}`,
      mount: mountOf(template, mounts),
      noun,
      purpose: role === 'lookup' ? 'lookup' : isVariant(method, template, noun) ? 'list-variant' : 'operation',
    }
  })
}

/** The webhooks of a document, identified by name and method. They have no version. */
export function webhooksOf(side: Side, document: OpenApiDocument): readonly Operation[] {
  return sentRequestsAt(below(root(side, document), 'webhooks')).map((request) => ({
    ...request,
    names: [],
    version: 0,
    key: `${request.method} ${request.path}`,
    mount: '',
    noun: request.path,
    purpose: 'webhook',
  }))
}

/** A request that the service sends. `path` is the name of a webhook, or the URL expression of a callback. */
export type SentRequest = Pick<Operation, 'path' | 'method' | 'location' | 'pathItems'>

/** The requests of all path items of an object: of `webhooks`, or of a callback. */
export function sentRequestsAt(paths: Location | undefined): readonly SentRequest[] {
  return childrenOf(paths).flatMap(([path, item]) => {
    const pathItems = itemParts(item)
    return operationKeys(pathItems, item.reading.follow).flatMap(({ method, keys }) => {
      const location = operationIn(pathItems, keys)
      return location && isObject(followReference(location).value) ? { path, method, location, pathItems } : []
    })
  })
}

/** The target of the reference of a path item, and the path item itself: it may have members beside its reference. */
function itemParts(item: Location): readonly Location[] {
  return [...new Set([followReference(item), item])]
}

function operationIn(items: readonly Location[], keys: readonly string[]): Location | undefined {
  for (const item of items) {
    const location = ownBelow(item, ...keys)
    if (location) return location
  }
  return undefined
}

/** The prefixes before the versions in the paths of a document: `/api` of `/api/v1/user`. */
export function mountsOf({ paths }: OpenApiDocument): readonly string[] {
  const mounts = Object.keys(isObject(paths) ? paths : {}).map((path) => versionOf(path)?.mount ?? '')
  return [...new Set(mounts)].filter((mount) => mount !== '')
}

/** `PUT /user/{id}`, or `webhook POST user.created`. */
export function operationText({ method, path, purpose }: Operation): string {
  return `${purpose === 'webhook' ? 'webhook ' : ''}${method.toUpperCase()} ${path}`
}

/** `/v2`, or a phrase for a path without a version. */
export function versionText(version: number): string {
  return version === 0 ? 'no version' : `/v${version}`
}

/** Decides by the path alone, because the operation might not describe a list. */
function isVariant(method: string, template: string, noun: string): boolean {
  return method === 'get' && /-(summary|detail)$/.test(template) && !template.endsWith(`/${noun}`)
}

/** Without parameter names. A trailing slash makes it another path. */
function keyOfTemplate(template: string): string {
  return template.length > 1 && template.endsWith('/') ? `${pathKey(template)}/` : pathKey(template)
}

/** The path without its version. */
function templateOf(path: string): string {
  const version = versionOf(path)
  return version ? `${version.mount}${version.remainder}` || '/' : path
}

function mountOf(template: string, mounts: readonly string[]): string {
  const matchingMounts = mounts.filter((mount) => template.startsWith(`${mount}/`))
  return matchingMounts.reduce((longest, mount) => (mount.length > longest.length ? mount : longest), '')
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
