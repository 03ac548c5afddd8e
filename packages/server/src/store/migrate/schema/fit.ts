/** Compares the current schema of a database with the one that an open service expects. */
import { OutdatedSchema } from '../../fault/error.ts'
import type { StoreIssue } from '../../store.ts'
import type { ChangeKind } from '../change/change.ts'
import { missingChanges } from '../expand/expansion.ts'
import type { Schema } from './schema.ts'

/**
 * `readable` if the database has more than the service knows, or other rules for writes; `outdated` if something is
 * missing.
 */
export type SchemaFit = 'fits' | 'readable' | 'outdated'

/** Changes that reading statements do not need. */
const readable: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'drop-field',
  'make-nullable',
  'add-index',
  'drop-search',
  'drop-sort',
  'add-history',
  'add-unique',
  'add-column-default',
  'add-derive-trigger',
  'finish-table',
])

/** `actual` is undefined if the database is empty. For `keepsDerived` see `expansionOf`. */
export function schemaFit(actual: Schema | undefined, expected: Schema, keepsDerived: boolean): SchemaFit {
  const changes = missingChanges(actual, expected, keepsDerived)
  if (changes.length === 0) return 'fits'
  return changes.every(({ kind }) => readable.has(kind)) ? 'readable' : 'outdated'
}

/** The issue that a health check reports. */
export function schemaIssue(fit: SchemaFit): StoreIssue | undefined {
  return fit === 'fits' ? undefined : { detail: new OutdatedSchema().message, isReadable: fit === 'readable' }
}
