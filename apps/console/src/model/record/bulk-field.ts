/** The fields that several records can be given the same value of. */
import type { Collection } from '../service/service.ts'
import { type Field, fieldsOf } from './field.ts'

/** No two records can have the same value of a unique field. */
export function bulkFields({ identity, operations: { update } }: Collection): readonly Field[] {
  if (!update?.body) return []
  return fieldsOf(update.body).filter(({ isReadOnly, isUnique, name }) => !isReadOnly && !isUnique && name !== identity)
}
