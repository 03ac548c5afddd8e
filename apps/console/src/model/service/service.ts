/** What a console shows of a service: its collections with their lists, records, children and links, from its documents. */

import { type DocumentCollection, type DocumentList, type DocumentOperation, readOpenApi } from '@nomen/core/openapi'
import { type ListParameters, listParametersOf } from '../list/filter.ts'
import { type Field, fieldsOf } from '../record/field.ts'
import { title } from '../words.ts'
import { type Action, actionsFrom } from './action.ts'
import { isObject, type Json } from './openapi.ts'
import { type Operation, operationFrom } from './operation.ts'

/** One of the lists of a collection: `user`, `user-summary`, `user-detail`. */
export interface Variant extends ListParameters {
  readonly name: string
  readonly path: string
  readonly isPaginated: boolean
  /** The property of the response that holds the records; undefined for a plain array. */
  readonly property: string | undefined
  readonly columns: readonly Field[]
  readonly operation: Operation
}

export interface Collection {
  readonly api: Api
  /** `/user/{}/preference`: a path whatever its parameters are called. */
  readonly key: string
  /** The template of the collection, `/user/{userId}/preference`. */
  readonly path: string
  readonly segment: string
  readonly noun: string
  readonly title: string
  /** The plain list first. */
  readonly variants: readonly Variant[]
  /** The property that names a record in its path. */
  readonly identity: string
  /** Of the complete record. */
  readonly fields: readonly Field[]
  /** The property of a response that holds the record; undefined if the response is the record. */
  readonly wrapper: string | undefined
  readonly operations: { readonly [Kind in Operation['kind']]?: Operation }
  /** What else the service can do with one of its records, and with all of them. */
  readonly actions: { readonly record: readonly Action[]; readonly collection: readonly Action[] }
  readonly parent: Collection | undefined
  readonly children: readonly Collection[]
}

/** What one document offers. */
export interface Api {
  readonly title: string
  readonly version: string
  /** Where its paths stand below; without a slash at its end. */
  readonly base: string
  readonly operations: readonly Operation[]
  readonly securitySchemes: readonly Json[]
  readonly collections: readonly Collection[]
  /** What it can do beside all of its collections. */
  readonly actions: readonly Action[]
}

export interface Service {
  readonly title: string
  readonly apis: readonly Api[]
  readonly collections: readonly Collection[]
}

export interface Source {
  readonly document: Json
  readonly base: string
}

export function serviceOf(name: string | undefined, sources: readonly Source[]): Service {
  const apis = sources.map(apiOf)
  return {
    title: name ?? apis[0]?.title ?? 'Service',
    apis,
    collections: apis.flatMap(({ collections }) => collections),
  }
}

type Growing<Thing> = { -readonly [Key in keyof Thing]: Thing[Key] }

/** Methods that the console can call. */
const methods = ['get', 'post', 'put', 'patch', 'delete']

function apiOf({ document, base }: Source): Api {
  const info = isObject(document.info) ? document.info : {}
  const table = readOpenApi(document)
  const operations = new Map(table.operations.map((operation) => [operation, operationFrom(operation)]))
  const api: Growing<Api> = {
    title: typeof info.title === 'string' ? info.title : 'api',
    version: `${info.version ?? ''}`,
    base,
    operations: [...operations.values()],
    securitySchemes: table.securitySchemes,
    collections: [],
    actions: actionsOf(table.actions, operations),
  }
  const byKey = new Map(table.collections.map((one) => [one.key, collectionOf(api, one, operations)]))
  for (const { key, parent } of table.collections) {
    const [collection, above] = [byKey.get(key), byKey.get(parent ?? '')]
    if (!collection || !above) continue
    collection.parent = above
    above.children = [...above.children, collection]
  }
  api.collections = [...byKey.values()]
  return api
}

type Operations = ReadonlyMap<DocumentOperation, Operation>

function actionsOf(actions: readonly DocumentOperation[], operations: Operations): readonly Action[] {
  const offered = actions.filter(({ method, deprecation }) => methods.includes(method) && deprecation?.gone !== true)
  return actionsFrom(offered.flatMap((operation) => operations.get(operation) ?? []))
}

function collectionOf(api: Api, collection: DocumentCollection, operations: Operations): Growing<Collection> {
  const { key, path, segment, noun, lists, record, identity, actions } = collection
  const fields = record ? fieldsOf(record) : []
  const own = Object.entries(collection.operations).map(([role, operation]) => [role, operations.get(operation)])
  return {
    api,
    key,
    path,
    segment,
    noun,
    title: title(segment),
    variants: lists.flatMap((list) => variantOf(list, operations.get(list.operation), fields) ?? []),
    identity: identity ?? fields[0]?.name ?? 'id',
    fields,
    wrapper: wrapperOf(collection),
    operations: Object.fromEntries(own),
    actions: {
      record: actionsOf(actions.record, operations),
      collection: actionsOf(actions.collection, operations),
    },
    parent: undefined,
    children: [],
  }
}

function wrapperOf({ operations, record }: DocumentCollection): string | undefined {
  const { read, replace, update } = operations
  const properties = (read ?? replace ?? update)?.success?.shape?.properties
  return [...(properties?.values() ?? [])].find(({ shape }) => shape === record)?.name
}

function variantOf(
  list: DocumentList,
  operation: Operation | undefined,
  fields: readonly Field[],
): Variant | undefined {
  if (!operation) return undefined
  const columns = list.items ? fieldsOf(list.items) : []
  return {
    name: list.variant,
    path: operation.path,
    isPaginated: operation.answer?.properties.has('pageInfo') === true,
    property: list.property,
    columns: columns.length > 0 ? columns : fields,
    operation,
    ...listParametersOf(operation, fields),
  }
}

/** What names a record in its path. A service may call it as the path does, whatever its document says. */
export function idOf({ identity, operations }: Collection, record: Json): unknown {
  const { read, update, replace, delete: remove } = operations
  const parameter = /\{([^}]*)\}$/.exec((read ?? update ?? replace ?? remove)?.path ?? '')?.[1]
  return record[identity] ?? (parameter === undefined ? undefined : record[parameter])
}

/** The collections that a service begins with: those that stand below nothing and can be listed. */
export function rootsOf(api: Api): readonly Collection[] {
  return api.collections.filter(({ key, variants }) => !key.includes('{}') && variants.length > 0)
}

/** Where all records of a noun are found; another document's where this one has none. */
export function rootOf(service: Service, api: Api, noun: string): Collection | undefined {
  const fits = (one: Collection) => one.noun === noun
  return rootsOf(api).find(fits) ?? service.apis.flatMap(rootsOf).find(fits)
}

/** Where a record is written: at its own path, or at the root where the api writes there. */
export function writerOf(collection: Collection): Collection {
  const { replace, update, create, delete: remove } = collection.operations
  if (replace || update || create || remove || !collection.parent) return collection
  return rootsOf(collection.api).find(({ noun }) => noun === collection.noun) ?? collection
}

/** What can be done with one record, and where: at its own path, or at the one that it is written at. */
export function recordActions(
  collection: Collection,
): readonly { readonly owner: Collection; readonly action: Action }[] {
  const writer = writerOf(collection)
  const owners = writer === collection ? [collection] : [collection, writer]
  return owners.flatMap((owner) => owner.actions.record.map((action) => ({ owner, action })))
}

/** Where a record is linked with the one above it: at its own path, or at the path of that pair alone. */
export function linkerOf(collection: Collection): Collection | undefined {
  if (collection.operations.link) return collection
  const pair = rootsOf(collection.api).find(({ noun }) => noun === collection.parent?.noun)
  return pair?.children.find(({ noun, operations }) => noun === collection.noun && operations.link)
}

/** `servers` of a document as an address; relative ones are below the document's own. */
export function baseOf(document: Json, documentUrl: string): string {
  const [server] = Array.isArray(document.servers) ? document.servers : []
  const url = isObject(server) && typeof server.url === 'string' && !server.url.includes('{') ? server.url : '/'
  return new URL(url, documentUrl).href.replace(/\/$/, '')
}
