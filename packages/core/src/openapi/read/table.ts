/** Any OpenAPI 3 document as an operation table: the way back from a document, tolerant of whatever is in it. */
import { collectionsOf, type DocumentCollection } from './collection.ts'
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

export interface OpenApiTable {
  readonly operations: readonly DocumentOperation[]
  /** Requests that the service sends itself: webhooks and callbacks. */
  readonly messages: readonly DescribedOperation[]
  readonly collections: readonly DocumentCollection[]
  /** Operations beside all collections. */
  readonly actions: readonly DocumentOperation[]
  /** How a client proves who it is. */
  readonly securitySchemes: readonly JsonObject[]
}

export interface ReadOptions {
  /** Where references lead. By default those within the document are followed, and no others. */
  readonly resolve?: Resolve
}

/**
 * Reads an OpenAPI 3.0 or 3.1 document into an operation table. It never throws: parts that are not valid are left out.
 *
 * @example
 * readOpenApi(document).operations.map(({ role, method, path }) => `${role} ${method} ${path}`) // ['list get /user', …]
 */
export function readOpenApi(
  document: unknown,
  { resolve = localReferences(document) }: ReadOptions = {},
): OpenApiTable {
  const root: DocumentNode = { pointer: '', value: document as Json }
  const follow = follower(resolve)
  const read = shapeReader(follow)
  const own = describedOperations(child(root, 'paths'), follow, read).filter(({ path }) => path.startsWith('/'))
  const callbacks = own.flatMap(({ pointer, raw }) => members(child({ pointer, value: raw }, 'callbacks')))
  const messages = [child(root, 'webhooks'), ...callbacks.map(([, callback]) => follow(callback))]
  const propertiesOf = (list: DocumentOperation) => {
    const collection = collections.find(({ lists }) => lists.some(({ operation }) => operation === list))
    return new Set([...(collection?.record?.properties.keys() ?? []), ...(list.list?.items?.properties.keys() ?? [])])
  }
  const operations = withRoles(own, { serverVersion: serverVersion(root), propertiesOf })
  const { collections, actions } = collectionsOf(operations)
  return {
    operations,
    messages: messages.flatMap((paths) => describedOperations(paths, follow, read)),
    collections,
    actions,
    securitySchemes: members(child(child(root, 'components'), 'securitySchemes'))
      .map(([, scheme]) => follow(scheme).value)
      .filter(isObject),
  }
}

/** Reads one schema; its references lead into the document. */
export function readShape(schema: unknown, document: unknown = schema): Shape {
  return shapeReader(follower(localReferences(document)))({ pointer: '', value: schema as Json })
}

function serverVersion(root: DocumentNode): number | undefined {
  const [server = root] = elements(child(root, 'servers'))
  const url = child(server, 'url').value
  return typeof url === 'string' ? versionOf(url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))?.version : undefined
}
