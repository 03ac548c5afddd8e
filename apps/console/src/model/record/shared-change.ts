/** What can be done with several records at once: the same change of each, unlinking, deleting. */

import { type Collection, linkerOf, writerOf } from '../service/service.ts'
import { quickChanges } from './quick-change.ts'

export interface SharedChange {
  readonly title: string
  readonly method: 'PATCH' | 'DELETE'
  /** Where each of the records is changed. */
  readonly owner: Collection
  readonly body: { readonly [name: string]: unknown } | undefined
  /** It is lost by it. */
  readonly isGrave: boolean
}

export function sharedChanges(collection: Collection): readonly SharedChange[] {
  const linker = linkerOf(collection)
  const writer = writerOf(collection)
  const changes = quickChanges(writer).flatMap(({ field, title }): readonly SharedChange[] => {
    const values = field.kind === 'boolean' ? [true, false] : field.choices
    return values.map((value) => ({
      title: `${field.title}: set ${title(value)}`,
      method: 'PATCH',
      owner: writer,
      body: { [field.name]: value },
      isGrave: false,
    }))
  })
  const gone = { method: 'DELETE', body: undefined, isGrave: true } as const
  if (linker?.operations.unlink) return [...changes, { ...gone, title: 'Unlink', owner: linker, isGrave: false }]
  return !linker && writer.operations.delete ? [...changes, { ...gone, title: 'Delete', owner: writer }] : changes
}

/** The identities in the path of one of the records; `ids` are those above the list. */
export function pathIds(
  collection: Collection,
  owner: Collection,
  ids: readonly string[],
  id: string,
): readonly string[] {
  if (owner === collection) return [...ids, id]
  return owner.operations.link ? [...ids.slice(-1), id] : [id]
}
