/** The model of a service: its collections with lists, records, children and links, from its documents. */

import {
  type DocumentCollection,
  type DocumentList,
  type DocumentOperation,
  pluralOf,
  readOpenApi,
} from '@nomen/core/openapi'
import { text } from '../../language/language.ts'
import { type ListParameters, listParametersOf } from '../list/filter.ts'
import { type Field, fieldsOf } from '../record/field.ts'
import { capitalized, title } from '../title.ts'
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
  /** `/user/{}/preference`: the path without the names of its parameters. */
  readonly key: string
  /** The template of the collection, `/user/{userId}/preference`. */
  readonly path: string
  readonly segment: string
  readonly noun: string
  readonly title: string
  /** The title of the list: `Users`. */
  readonly plural: string
  /** The plain list first. */
  readonly variants: readonly Variant[]
  /** The property that names a record in its path. */
  readonly identity: string
  /** The fields of the complete record. */
  readonly fields: readonly Field[]
  /** The fields whose values are the display name of a record, if the document lists them. */
  readonly label: readonly string[] | undefined
  /** The property of a response that holds the record; undefined if the response is the record. */
  readonly wrapper: string | undefined
  readonly operations: { readonly [Kind in Operation['kind']]?: Operation }
  /** The custom operations of a record and of the collection. */
  readonly actions: { readonly record: readonly Action[]; readonly collection: readonly Action[] }
  readonly parent: Collection | undefined
  readonly children: readonly Collection[]
}

/** The api of one document. */
export interface Api {
  readonly title: string
  readonly version: string
  /** The URL that its paths are relative to, without a trailing slash. */
  readonly base: string
  readonly operations: readonly Operation[]
  readonly securitySchemes: readonly Json[]
  readonly collections: readonly Collection[]
  /** Custom operations that belong to no collection. */
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
    title: capitalized(name ?? apis[0]?.title ?? text().shell.service),
    apis,
    collections: apis.flatMap(({ collections }) => collections),
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** Methods that the console can call. */
const methods = ['get', 'post', 'put', 'patch', 'delete']

function apiOf({ document, base }: Source): Api {
  const info = isObject(document.info) ? document.info : {}
  const table = readOpenApi(document)
  const operations = new Map(table.operations.map((operation) => [operation, operationFrom(operation)]))
  const api: Mutable<Api> = {
    title: typeof info.title === 'string' ? capitalized(info.title) : 'API',
    version: `${info.version ?? ''}`,
    base,
    operations: [...operations.values()],
    securitySchemes: table.securitySchemes,
    collections: [],
    actions: actionsOf(table.actions, operations),
  }
  const collections = table.collections.filter((collection) => !isOfAllRecords(collection, table.collections))
  const byKey = new Map(collections.map((collection) => [collection.key, collectionOf(api, collection, operations)]))
  for (const { key, parent } of collections) {
    const [collection, parentCollection] = [byKey.get(key), byKey.get(parent ?? '')]
    if (!collection || !parentCollection) continue
    collection.parent = parentCollection
    parentCollection.children = [...parentCollection.children, collection]
  }
  api.collections = [...byKey.values()]
  return api
}

/** Whether a collection has the changes of all records of a noun: `/user/change` beside `/user/{}/change`. `/change` has them, too. */
function isOfAllRecords({ key, noun }: DocumentCollection, all: readonly DocumentCollection[]): boolean {
  const recordKey = key.replace(/\/([^/]+)$/, '/{}/$1')
  return noun === 'change' && all.some((other) => other.key === recordKey)
}

type Operations = ReadonlyMap<DocumentOperation, Operation>

function actionsOf(actions: readonly DocumentOperation[], operations: Operations): readonly Action[] {
  const callable = actions.filter(({ method, deprecation }) => methods.includes(method) && deprecation?.gone !== true)
  return actionsFrom(callable.flatMap((operation) => operations.get(operation) ?? []))
}

function collectionOf(api: Api, collection: DocumentCollection, operations: Operations): Mutable<Collection> {
  const { key, path, segment, noun, lists, record, identity, actions } = collection
  const fields = record ? fieldsOf(record) : []
  const operationsByRole = Object.entries(collection.operations).map(([role, operation]) => [
    role,
    operations.get(operation),
  ])
  return {
    api,
    key,
    path,
    segment,
    noun,
    title: title(segment),
    plural: title(pluralOf(segment)),
    variants: lists.flatMap((list) => variantOf(list, operations.get(list.operation), fields) ?? []),
    identity: identity ?? fields[0]?.name ?? 'id',
    fields,
    label: labelIn(record?.schema ?? {}),
    wrapper: wrapperOf(collection),
    operations: Object.fromEntries(operationsByRole),
    actions: {
      record: actionsOf(actions.record, operations),
      collection: actionsOf(actions.collection, operations),
    },
    parent: undefined,
    children: [],
  }
}

function labelIn({ 'x-nomen-label': label }: Json): readonly string[] | undefined {
  return Array.isArray(label) ? label.map((name) => `${name}`) : undefined
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
    isPaginated: operation.response?.properties.has('pageInfo') === true,
    property: list.property,
    columns: columns.length > 0 ? columns : fields,
    operation,
    ...listParametersOf(operation, fields),
  }
}

/** The ID of a record. In some services, the property has the name of the path parameter. */
export function idOf({ identity, operations }: Collection, record: Json): unknown {
  const { read, update, replace, delete: remove } = operations
  const parameter = /\{([^}]*)\}$/.exec((read ?? update ?? replace ?? remove)?.path ?? '')?.[1]
  return record[identity] ?? (parameter === undefined ? undefined : record[parameter])
}

/** The root collections of an api that have a list. */
export function rootsOf(api: Api): readonly Collection[] {
  return api.collections.filter(({ key, variants }) => !key.includes('{}') && variants.length > 0)
}

/** The root collection of a noun, in this document or else in another one. */
export function rootOf(service: Service, api: Api, noun: string): Collection | undefined {
  const fits = (collection: Collection) => collection.noun === noun
  return rootsOf(api).find(fits) ?? service.apis.flatMap(rootsOf).find(fits)
}

/** The first of `servers` as a URL, relative to the URL of the document. */
export function baseOf(document: Json, documentUrl: string): string {
  const [server] = Array.isArray(document.servers) ? document.servers : []
  const url = isObject(server) && typeof server.url === 'string' && !server.url.includes('{') ? server.url : '/'
  return new URL(url, documentUrl).href.replace(/\/$/, '')
}
