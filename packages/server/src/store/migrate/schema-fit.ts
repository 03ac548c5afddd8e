/** Compares the current schema of a database with the one that an open service expects. */
import { OutdatedSchema } from '../error.ts'
import type { StoreTrouble } from '../store.ts'
import type { ChangeKind } from './change.ts'
import { migrationOf } from './migration.ts'
import type { Schema } from './schema.ts'

/**
 * `readable` if the database has more than the service knows, or other rules for writes; `outdated` if something is
 * missing.
 */
export type SchemaFit = 'fits' | 'readable' | 'outdated'

/** Changes that reading statements do not need. */
const readable: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'drop-noun',
  'release-noun',
  'drop-link',
  'release-link',
  'share-link',
  'drop-field',
  'require-field',
  'free-field',
  'add-choice',
  'drop-choice',
  'change-default',
  'change-limits',
  'add-index',
  'drop-index',
  'drop-search',
  'drop-sort',
  'drop-tally',
  'renew-tally',
  'add-history',
  'drop-history',
  'add-unique',
  'drop-unique',
])

/** `actual` is undefined if the database is empty. */
export function schemaFit(actual: Schema | undefined, expected: Schema): SchemaFit {
  const changes = migrationOf(actual, expected)
  if (changes.length === 0) return 'fits'
  return changes.every(({ kind }) => readable.has(kind)) ? 'readable' : 'outdated'
}

/** The trouble that a health check reports. */
export function schemaTrouble(fit: SchemaFit): StoreTrouble | undefined {
  return fit === 'fits' ? undefined : { detail: new OutdatedSchema().message, isReadable: fit === 'readable' }
}
