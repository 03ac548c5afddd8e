/** Reads any OpenAPI 3 document into an operation table, and tolerates invalid parts. */

import { collectionsOf, type DocumentCollection } from './collection.ts'
import { descriptionIn } from './description.ts'
import { withoutIntroduction } from './introduction.ts'
import {
  child,
  type DocumentNode,
  elements,
  follower,
  isObject,
  type Json,
  type JsonObject,
  localReferences,
  members,
  type Resolve,
} from './node.ts'
import { type DescribedOperation, describedOperations } from './operation.ts'
import { versionOf } from './path.ts'
import { type DocumentOperation, withRoles } from './role.ts'
import { type Shape, shapeReader } from './shape.ts'

/** The operation table of an OpenAPI document. */
export interface OpenApiTable {
  /** The description of the document. */
  readonly description: string | undefined
  readonly operations: readonly DocumentOperation[]
  /** Requests that the service sends: webhooks and callbacks. */
  readonly outgoingOperations: readonly DescribedOperation[]
  readonly collections: readonly DocumentCollection[]
  /** Operations that belong to no collection. */
  readonly actions: readonly DocumentOperation[]
  /** The security schemes of the document. */
  readonly securitySchemes: readonly JsonObject[]
}

/** Options of `readOpenApi`. */
export interface ReadOptions {
  /**
   * Resolves `$ref` references.
   *
   * @default references within the document only
   */
  readonly resolve?: Resolve
}

/**
 * Reads an OpenAPI 3.0, 3.1 or 3.2 document into an operation table. It does not throw; it skips invalid parts.
 *
 * @example
 * ```ts
 * const document = await (await fetch('https://example.com/openapi.json')).json()
 * readOpenApi(document).operations.map(({ role, method, path }) => `${role} ${method} ${path}`) // ['list get /user', …]
 * ```
 */
export function readOpenApi(
  document: unknown,
  { resolve = localReferences(document) }: ReadOptions = {},
): OpenApiTable {
  const root: DocumentNode = { pointer: '', value: document as Json }
  const follow = follower(resolve)
  const read = shapeReader(follow)
  const pathOperations = describedOperations(child(root, 'paths'), follow, read).filter(({ path }) =>
    path.startsWith('/'),
  )
  const callbacks = pathOperations.flatMap(({ pointer, raw }) => members(child({ pointer, value: raw }, 'callbacks')))
  const messagePaths = [child(root, 'webhooks'), ...callbacks.map(([, callback]) => follow(callback))]
  const propertiesOf = (list: DocumentOperation) => {
    const collection = collections.find(({ lists }) => lists.some(({ operation }) => operation === list))
    return new Set([...(collection?.record?.properties.keys() ?? []), ...(list.list?.items?.properties.keys() ?? [])])
  }
  const operations = withRoles(pathOperations, { serverVersion: serverVersion(root), propertiesOf })
  const { collections, actions } = collectionsOf(operations, tagDescriptions(root))
  const info = child(root, 'info').value
  return {
    description: withoutIntroduction(isObject(info) ? descriptionIn(info) : undefined),
    operations,
    outgoingOperations: messagePaths.flatMap((paths) => describedOperations(paths, follow, read)),
    collections,
    actions,
    securitySchemes: members(child(child(root, 'components'), 'securitySchemes'))
      .map(([, scheme]) => follow(scheme).value)
      .filter(isObject),
  }
}

function tagDescriptions(root: DocumentNode): ReadonlyMap<string, string | undefined> {
  const tags = elements(child(root, 'tags'))
    .map(({ value }) => value)
    .filter(isObject)
  return new Map(tags.map((tag) => [`${tag.name}`, descriptionIn(tag)]))
}

/**
 * Reads one JSON Schema. References are resolved in the document.
 *
 * @example
 * ```ts
 * readShape({ type: ['string', 'null'] }).isNullable // true
 * ```
 */
export function readShape(schema: unknown, document: unknown = schema): Shape {
  return shapeReader(follower(localReferences(document)))({ pointer: '', value: schema as Json })
}

function serverVersion(root: DocumentNode): number | undefined {
  const [server = root] = elements(child(root, 'servers'))
  const url = child(server, 'url').value
  return typeof url === 'string' ? versionOf(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))?.version : undefined
}
