/** How the records of a collection relate to their parent: owned by it, linked with it, or derived from other records. */
import type { Action } from './action.ts'
import { type Collection, rootsOf } from './service.ts'

/**
 * The collection that a record is written at: its own, or the root for flat writes. A derived list has no writes: its records
 * are shared, and its path does not say which relation a write would change.
 */
export function writeCollectionOf(collection: Collection): Collection {
  const { replace, update, create, delete: remove } = collection.operations
  if (replace || update || create || remove || !collection.parent) return collection
  return (isDerived(collection) ? undefined : rootCollectionOf(collection)) ?? collection
}

/** The collection at the root of the api with the records of the same noun. */
export function rootCollectionOf({ api, noun }: Pick<Collection, 'api' | 'noun'>): Collection | undefined {
  return rootsOf(api).find((root) => root.noun === noun)
}

/** Whether the records neither reference their parent nor can be linked with it, as in `/user/{}/action` through roles. */
export function isDerived(collection: Collection): boolean {
  const { parent, operations } = collection
  const { replace, update, create, delete: remove } = operations
  if (!parent || replace || update || create || remove || linkCollectionOf(collection)) return false
  const root = rootCollectionOf(collection)
  return root !== undefined && !references(root, parent)
}

/** The noun that relates the records of a derived list to their parent, as roles relate actions to users. */
export function throughCollection(collection: Collection): Collection | undefined {
  const { parent, api } = collection
  if (!parent || !isDerived(collection)) return undefined
  return rootsOf(api).find(
    (root) =>
      root.noun !== collection.noun &&
      root.noun !== parent.noun &&
      isRelated(root, collection) &&
      isRelated(root, parent),
  )
}

function isRelated(first: Collection, second: Collection): boolean {
  return isLinked(first, second) || isLinked(second, first) || references(first, second) || references(second, first)
}

/** Whether records of the first noun have a list of linked records of the second. */
function isLinked({ api, noun }: Collection, { noun: otherNoun }: Collection): boolean {
  return api.collections.some(
    ({ parent, noun: child, operations }) => parent?.noun === noun && child === otherNoun && operations.link,
  )
}

/** Whether the records have a field that names a record of the other noun. Other documents have no extension, so the name counts. */
function references({ fields }: Collection, { noun }: Collection): boolean {
  const name = noun.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const usualNames = [name, `${name}Id`, `${name}Ref`]
  return fields.some((field) => field.reference === noun || (!field.reference && usualNames.includes(field.name)))
}

/**
 * The collection with the operations that link its records with their parent: this collection, or the one of the same noun
 * below the root collection of the parent's noun.
 */
export function linkCollectionOf(collection: Collection): Collection | undefined {
  if (collection.operations.link) return collection
  const parentRoot = collection.parent && rootCollectionOf(collection.parent)
  return parentRoot?.children.find(({ noun, operations }) => noun === collection.noun && operations.link)
}

/** The actions of a record, with the collection that offers each of them. */
export function recordActions(
  collection: Collection,
): readonly { readonly owner: Collection; readonly action: Action }[] {
  const writeCollection = writeCollectionOf(collection)
  const owners = writeCollection === collection ? [collection] : [collection, writeCollection]
  return owners.flatMap((owner) => owner.actions.record.map((action) => ({ owner, action })))
}
