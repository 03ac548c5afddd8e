/** The fields that can be set to the same value in several records. */
import type { Collection } from '../service/service.ts'
import { type Field, fieldsOf } from './field.ts'

/**
 * Leaves out unique fields, because no two records can have the same value. A value is required where null is not allowed: a change
 * without one would change nothing.
 */
export function bulkFields({ identity, operations: { update } }: Collection): readonly Field[] {
  if (!update?.body) return []
  return fieldsOf(update.body)
    .filter(({ isReadOnly, isUnique, name }) => !isReadOnly && !isUnique && name !== identity)
    .map((field) => ({ ...field, isRequired: true, hasDefault: false, defaultFrom: undefined }))
}
