/** Changes of several records at once: the same new value for each, unlinking, deleting. */
import { text } from '../../language/language.ts'
import { linkCollectionOf, writeCollectionOf } from '../service/relation.ts'
import type { Collection } from '../service/service.ts'
import { nounText } from '../title.ts'
import { quickChanges } from './quick-change.ts'

export interface SharedChange {
  readonly kind: 'set' | 'unlink' | 'delete'
  readonly method: 'PATCH' | 'DELETE'
  /** The collection that each record is changed at. */
  readonly owner: Collection
  readonly body: { readonly [name: string]: unknown } | undefined
  /** The field that is set, and its new value, for people. */
  readonly field: string
  readonly value: string
}

/** The name of a change, on a button. */
export function changeTitle({ kind, field, value }: SharedChange): string {
  const { list, common } = text()
  return { set: list.setValue(field, value), unlink: list.unlink, delete: common.delete }[kind]
}

export function changeQuestion({ kind, owner, field, value }: SharedChange, count: number): string {
  const { setQuestion, unlinkQuestion, deleteQuestion } = text().bulk
  const noun = nounText(owner)
  if (kind === 'set') return setQuestion(count, noun, field, value)
  return kind === 'unlink' ? unlinkQuestion(count, noun) : deleteQuestion(count, noun)
}

/** The message after this number of records was changed. */
export function changeDone({ kind, owner, field, value }: SharedChange, count: number): string {
  const { setDone, unlinkDone, deleteDone } = text().bulk
  const noun = nounText(owner)
  if (kind === 'set') return setDone(count, noun, field, value)
  return kind === 'unlink' ? unlinkDone(count, noun) : deleteDone(count, noun)
}

export function sharedChanges(collection: Collection): readonly SharedChange[] {
  const linkCollection = linkCollectionOf(collection)
  const writeCollection = writeCollectionOf(collection)
  const changes = quickChanges(writeCollection).flatMap(({ field, title }): readonly SharedChange[] => {
    const values = field.kind === 'boolean' ? [true, false] : field.choices
    return values.map((value) => ({
      kind: 'set',
      method: 'PATCH',
      owner: writeCollection,
      body: { [field.name]: value },
      field: field.title,
      value: title(value),
    }))
  })
  const removal = { method: 'DELETE', body: undefined, field: '', value: '' } as const
  if (linkCollection?.operations.unlink) return [...changes, { ...removal, kind: 'unlink', owner: linkCollection }]
  return !linkCollection && writeCollection.operations.delete
    ? [...changes, { ...removal, kind: 'delete', owner: writeCollection }]
    : changes
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
