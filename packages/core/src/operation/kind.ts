/** The kinds of operations, and what sets some of them apart. */

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
  | 'custom'

/** What has a tag that If-Match can name: whatever has a path that ends in a record that may be there already. */
export const taggedKinds: readonly OperationKind[] = ['read', 'lookup', 'replace', 'update', 'delete', 'link', 'unlink']
