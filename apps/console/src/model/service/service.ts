/** What a console shows of a service: its collections with their lists, records, children and links, from its documents. */

import { type ListParameters, listParametersOf } from '../list/filter.ts'
import { type Field, fieldsOf } from '../record/field.ts'
import { title } from '../words.ts'
import { type Action, actionPlace, actionsFrom } from './action.ts'
import { follow, isObject, type Json, type Schema } from './openapi.ts'
import { itemsOf, type Operation, operationsOf } from './operation.ts'

/** One of the lists of a collection: `user`, `user-summary`, `user-detail`. */
export interface Variant extends ListParameters {
  readonly name: string
  readonly path: string
  readonly isPaginated: boolean
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
  readonly document: Json
  /** Where its paths stand below; without a slash at its end. */
  readonly base: string
  readonly operations: readonly Operation[]
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

function apiOf({ document, base }: Source): Api {
  const info = follow(document, document.info)
  const operations = operationsOf(document)
  const api: Growing<Api> = {
    title: typeof info.title === 'string' ? info.title : 'api',
    version: `${info.version ?? ''}`,
    document,
    base,
    operations,
    collections: [],
    actions: [],
  }
  const groups = new Map<string, Operation[]>()
  const lists = new Set(operations.filter(({ kind }) => kind === 'list').map(({ path }) => keyOf(path)))
  for (const operation of operations) {
    const key = collectionKey(operation, lists)
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), operation])
  }
  const made = new Map<string, Growing<Collection>>()
  for (const [key, all] of groups) if (!isLoneCreate(all)) made.set(key, collectionOf(api, key, all))
  for (const collection of made.values()) {
    const parent = made.get(collection.key.replace(/\/\{\}\/[^/]*$/, ''))
    if (!parent || parent === collection) continue
    collection.parent = parent
    parent.children = [...parent.children, collection]
  }
  api.collections = [...made.values()]
  placeActions(api, made, operations.filter(isExtra(groups)))
  return api
}

/** What can be created and never be seen is no collection. */
function isLoneCreate(all: readonly Operation[]): boolean {
  return all.every(({ kind }) => kind === 'create')
}

function isExtra(groups: ReadonlyMap<string, readonly Operation[]>) {
  const lone = new Set([...groups.values()].filter(isLoneCreate).flat())
  return (operation: Operation) =>
    (operation.kind === 'custom' || operation.kind === 'other' || lone.has(operation)) &&
    operation.deprecation?.gone !== true
}

/** Each at the record or the list that its path stands below; what stands below none is the api's. */
function placeActions(
  api: Growing<Api>,
  made: ReadonlyMap<string, Growing<Collection>>,
  extra: readonly Operation[],
): void {
  const keys = new Set([...made.values()].filter(({ variants }) => variants.length > 0).map(({ key }) => key))
  const byPlace = Map.groupBy(extra, ({ path }) => {
    const place = actionPlace(keyOf(path), keys)
    return place && `${place.on} ${place.key}`
  })
  for (const [place, all] of byPlace) {
    const actions = actionsFrom(all)
    const [on, key = ''] = place?.split(' ') ?? []
    const collection = made.get(key)
    if (collection) collection.actions = { ...collection.actions, [on as string]: actions }
    else api.actions = actions
  }
}

export function keyOf(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}')
}

/** The collection that an operation belongs to; the variants of a list belong to the plain one. */
function collectionKey({ kind, path }: Operation, lists: ReadonlySet<string>): string | undefined {
  const key = keyOf(path)
  if (kind === 'other' || kind === 'custom') return undefined
  if (kind === 'lookup') return key.replace(/\/by-[^/]*\/\{\}$/, '')
  if (kind === 'create') return key
  if (kind !== 'list') return key.replace(/\/\{\}$/, '')
  const plain = key.replace(/-(detail|summary)$/, '')
  return lists.has(plain) ? plain : key
}

function collectionOf(api: Api, key: string, all: readonly Operation[]): Collection {
  const { document } = api
  const operations = Object.fromEntries(all.map((one) => [one.kind, one])) as Collection['operations']
  const lists = all.filter(({ kind }) => kind === 'list')
  const plain = lists.find(({ path }) => keyOf(path) === key) ?? lists[0]
  const path = plain?.path ?? operations.create?.path ?? (all[0]?.path ?? key).replace(/\/\{[^}]*\}$/, '')
  const shape = completeShape(document, operations, plain)
  const fields = fieldsOf(document, shape)
  const segment = path.split('/').at(-1) ?? path
  const noun = shape.raw['x-nomen-noun']
  return {
    api,
    key,
    path,
    segment,
    noun: typeof noun === 'string' ? noun : segment,
    title: title(segment),
    variants: lists.map((one) => variantOf(document, one, key, fields)).sort((one, other) => rank(one) - rank(other)),
    identity: identityOf(fields, operations, segment),
    fields,
    operations,
    actions: { record: [], collection: [] },
    parent: undefined,
    children: [],
  }
}

function rank({ name }: Variant): number {
  return ['list', 'summary', 'detail'].indexOf(name)
}

/** What is read of a single record; where none can be read, what the list shows of it. */
function completeShape(document: Json, operations: Collection['operations'], plain: Operation | undefined): Schema {
  const { read, lookup, replace, update, link } = operations
  const one = read ?? lookup ?? replace ?? update ?? link
  if (one && Object.keys(one.answer.properties).length > 0) return one.answer
  const listed = plain && itemsOf(document, plain.answer)
  return listed?.items ?? (one ?? plain ?? (operations.create as Operation)).answer
}

function variantOf(document: Json, operation: Operation, key: string, fields: readonly Field[]): Variant {
  const { items, isPaginated } = itemsOf(document, operation.answer) ?? { items: operation.answer, isPaginated: false }
  const columns = fieldsOf(document, items)
  const [, ending] = keyOf(operation.path) === key ? [] : (/-(detail|summary)$/.exec(operation.path) ?? [])
  return {
    name: ending ?? 'list',
    path: operation.path,
    isPaginated,
    columns: columns.length > 0 ? columns : fields,
    operation,
    ...listParametersOf(document, operation, fields),
  }
}

/** As the document says; else the parameter of the path, else the usual names. */
function identityOf(fields: readonly Field[], operations: Collection['operations'], segment: string): string {
  const told = fields.find(({ isIdentity }) => isIdentity)
  if (told) return told.name
  const one = operations.read ?? operations.replace ?? operations.update ?? operations.delete
  const parameter = /\{([^}]*)\}$/.exec(one?.path ?? '')?.[1]
  const names = [parameter, 'id', `${segment}Id`, `${segment}Ref`, 'ref', 'guid', 'uuid']
  return names.find((name) => fields.some((field) => field.name === name)) ?? fields[0]?.name ?? 'id'
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
