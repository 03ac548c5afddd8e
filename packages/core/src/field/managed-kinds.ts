/** The functions that declare managed fields, whose values the service sets. */
import { type Field, field, type Reference } from './field.ts'

/**
 * Declares a read-only timestamp field with the time of creation.
 *
 * @example
 * ```ts
 * noun('note', { id: identity(), title: text(), created: createdAt() })
 * ```
 */
export function createdAt(): Field<string, 'managed'> {
  return field({ kind: 'timestamp', managed: 'created-at' })
}

/**
 * Declares a read-only timestamp field with the time of the last change, at first the time of creation.
 *
 * @example
 * ```ts
 * noun('note', { id: identity(), title: text(), lastUpdated: updatedAt() })
 * ```
 */
export function updatedAt(): Field<string, 'managed'> {
  return field({ kind: 'timestamp', managed: 'updated-at' })
}

/**
 * Declares a read-only reference to the user who created the record; null for an unauthenticated request.
 *
 * @example
 * ```ts
 * noun('note', { id: identity(), title: text(), createdBy: createdBy(() => user) })
 * ```
 */
export function createdBy<const Target extends object>(target: Target): Reference<Target, 'managed' | 'nullable'> {
  return field({ kind: 'reference', target, managed: 'created-by', nullable: true, clearedOnDelete: true })
}

/**
 * Declares a read-only reference to the user who last changed the record; null for an unauthenticated request.
 *
 * @example
 * ```ts
 * noun('note', { id: identity(), title: text(), updatedBy: updatedBy(() => user) })
 * ```
 */
export function updatedBy<const Target extends object>(target: Target): Reference<Target, 'managed' | 'nullable'> {
  return field({ kind: 'reference', target, managed: 'updated-by', nullable: true, clearedOnDelete: true })
}

/**
 * Declares the tenant that a record belongs to, for multi-tenancy. The service sets it to the tenant of the caller. Other
 * tenants do not see the record.
 *
 * @example
 * ```ts
 * noun('note', { id: identity(), tenant: tenant(), title: text() })
 * ```
 */
export function tenant(): Field<string, 'managed'> {
  return field({ kind: 'text', managed: 'tenant', indexed: true, minLength: 1, maxLength: 200 })
}
