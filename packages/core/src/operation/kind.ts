/** The kinds of operations. */
import type { Offer } from '../resource/resource.ts'

/** The kind of an operation. `replace` is PUT, `update` is PATCH, `lookup` is a GET by a unique property, `restore` brings a deleted
 * record back, and `erase` deletes the history of a record. */
export type OperationKind =
  | 'list'
  | 'read'
  | 'lookup'
  | 'create'
  | 'replace'
  | 'update'
  | 'delete'
  | 'link'
  | 'unlink'
  | 'restore'
  | 'erase'
  | 'custom'

/** Operations on a single existing record, which has an ETag for If-Match. */
export const etagKinds: readonly OperationKind[] = ['read', 'lookup', 'replace', 'update', 'delete', 'link', 'unlink']

/** The offer of the resource that an operation of this kind needs; none for a custom operation. */
export function offerOf(kind: OperationKind): Offer | undefined {
  if (kind === 'custom') return undefined
  if (kind === 'lookup') return 'read'
  return kind === 'unlink' ? 'link' : kind
}
