/** The lists of a document for the checks, each with its records, lookups and variants. */
import {
  type DocumentCollection,
  type DocumentList,
  type DocumentLookup,
  type DocumentOperation,
  type OpenApiTable,
  readOpenApi,
  type Shape,
} from '@nomen/core/openapi'
import type { JsonObject, OpenApiDocument } from '../document/read-document.ts'

export interface Collection {
  /** The template of its list: `/user/{userId}/preference`. */
  readonly path: string
  /** The last literal segment of the path. */
  readonly noun: string
  readonly list: DocumentOperation
  /** Whether the document has an envelope and not a plain array. */
  readonly isPaginated: boolean
  readonly isNested: boolean
  /** A list item. */
  readonly item: Shape | undefined
  /** The full record. */
  readonly detail: Shape | undefined
  readonly read?: DocumentOperation | undefined
  readonly create?: DocumentOperation | undefined
  readonly replace?: DocumentOperation | undefined
  readonly update?: DocumentOperation | undefined
  readonly remove?: DocumentOperation | undefined
  readonly link?: DocumentOperation | undefined
  readonly unlink?: DocumentOperation | undefined
  readonly lookups: readonly DocumentLookup[]
  /** The default list of this variant. */
  readonly variantOf?: { readonly path: string; readonly kind: 'summary' | 'detail' }
  /** Possible names of the ID, the most likely first. */
  readonly identityNames: readonly string[]
}

export interface Surface {
  readonly document: OpenApiDocument
  readonly table: OpenApiTable
  /** All operations except custom ones, which are not called. */
  readonly operations: readonly DocumentOperation[]
  readonly collections: readonly Collection[]
}

export function surfaceOf(document: OpenApiDocument): Surface {
  const table = readOpenApi(document)
  const lists = table.collections.flatMap((collection) => collection.lists.map((list) => ({ collection, list })))
  const order = new Map(table.operations.map((operation, index) => [operation, index]))
  lists.sort((a, b) => (order.get(a.list.operation) ?? 0) - (order.get(b.list.operation) ?? 0))
  return {
    document,
    table,
    operations: table.operations.filter(({ role }) => !['custom', 'restore', 'erase'].includes(role)),
    collections: lists.map(({ collection, list }) => collectionOfList(collection, list)),
  }
}

function collectionOfList(
  collection: DocumentCollection,
  { variant, operation, form, items }: DocumentList,
): Collection {
  const { path } = operation
  const shared = {
    path,
    noun: path.slice(path.lastIndexOf('/') + 1),
    list: operation,
    isPaginated: form === 'page',
    isNested: path.includes('{'),
    item: items,
    detail: collection.record,
    identityNames: collection.identityNames,
  }
  if (variant !== 'list') return { ...shared, lookups: [], variantOf: { path: collection.path, kind: variant } }
  const { read, create, replace, update, delete: remove, link, unlink } = collection.operations
  // Paths of records are the path of the list plus an ID: remove a trailing slash.
  if (path.endsWith('/')) return { ...shared, lookups: [], create }
  return { ...shared, read, create, replace, update, remove, link, unlink, lookups: collection.lookups }
}

/** The property of a lookup: `by-external-id` reads by `externalId`. Undefined if the record has no such property. */
export function lookupProperty({ detail }: Collection, { field }: DocumentLookup): string | undefined {
  const normalize = (text: string) => text.replaceAll(/[^a-z\d]/gi, '').toLowerCase()
  return [...(detail?.properties.keys() ?? [])].find((name) => normalize(name) === normalize(field))
}

/** The keywords of a property of a record; undefined if it has no such property. */
export function schemaAt(shape: Shape | undefined, name: string): JsonObject | undefined {
  return shape?.properties.get(name)?.shape.schema
}
