/** Saved views of lists: private ones, and those that the service keeps for all users. */
import { routeOf } from '../route.ts'
import type { Json } from '../service/openapi.ts'
import { type Api, type Collection, idOf, rootsOf, type Service } from '../service/service.ts'
import { addressOf, columnsParameter, withView } from './query.ts'

export interface SavedView {
  /** The ID in the URL of the list. */
  readonly id: string
  readonly name: string
  /** The list that it is a view of: base URL and path. */
  readonly list: string
  /** The path and query of the list. */
  readonly address: string
  /** The record of a shared view; undefined for a private one. */
  readonly shared?: { readonly collection: Collection; readonly id: unknown }
}

/** The properties that distinguish saved views from another noun with this name. */
const viewProperties = ['name', 'path', 'query']

/** The collections of shared views in a service. */
export function sharedViewCollections(service: Service): readonly Collection[] {
  return service.apis
    .flatMap(rootsOf)
    .filter(
      ({ noun, variants: [variant] }) =>
        noun === 'saved-view' &&
        viewProperties.every((name) => variant?.columns.some((column) => column.name === name) === true),
    )
}

/** The collection that keeps the shared views of an api's lists; undefined if the service has none. */
export function sharedViewCollection(service: Service, { base }: Api): Collection | undefined {
  return sharedViewCollections(service).find(({ api }) => api.base === base)
}

/** The view in a record; undefined if the service has no such list. */
export function sharedViewFrom(service: Service, collection: Collection, record: Json): SavedView | undefined {
  const route = routeOf(service, `${record.path}`)
  const isKnown = route.kind === 'list' && route.collection.api.base === collection.api.base
  return isKnown ? sharedView(collection, route.collection, record) : undefined
}

/** The view of a list in a record. */
export function sharedView(collection: Collection, list: Collection, record: Json): SavedView {
  const { name, path, query } = record
  const id = idOf(collection, record)
  return {
    id: `shared-${id}`,
    name: `${name}`,
    list: listKey(list),
    address: addressOf(`${path}`, new URLSearchParams(`${query ?? ''}`)),
    shared: { collection, id },
  }
}

/** The body of the requests that create and change a shared view. */
export function sharedViewBody({ name, address }: Pick<SavedView, 'name' | 'address'>): Json {
  const [path, query] = splitAddress(address)
  return { name, path, query }
}

export function listKey({ api, path }: Collection): string {
  return `${api.base}${path}`
}

export function isViewOf({ list }: SavedView, collection: Collection): boolean {
  return list === listKey(collection)
}

/** The URL of a view names it, so that changes of the list can be saved to it. */
export function viewPath({ id, address }: SavedView): string {
  const [path, query] = splitAddress(address)
  return addressOf(path, withView(new URLSearchParams(query), id))
}

/** Whether a list differs from its view. A view that names no columns or page size leaves them to the user. */
export function differsFrom({ address }: SavedView, listAddress: string): boolean {
  const saved = new URLSearchParams(splitAddress(address)[1])
  const current = new URLSearchParams(splitAddress(listAddress)[1])
  for (const name of [columnsParameter, 'pageSize']) if (!saved.has(name)) current.delete(name)
  saved.sort()
  current.sort()
  return `${saved}` !== `${current}`
}

function splitAddress(address: string): readonly [path: string, query: string] {
  const [path = '', query = ''] = address.split(/\?(.*)/s)
  return [path, query]
}
