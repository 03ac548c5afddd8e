/**
 * The changes that a start makes. A start only adds: another version of the service may run on the same database, or start
 * again. `nomen migrate --contract` drops what the declarations no longer have.
 */
import type { Change, ChangeKind } from '../change/change.ts'
import { migrationOf } from '../migration.ts'
import { noTables, type Schema } from '../schema/schema.ts'
import { expandedSchema } from './expanded-schema.ts'
import { isKeepable } from './kept-field.ts'

export interface Expansion {
  /** The schema after the start: the declared one, with everything that the database had before. */
  readonly schema: Schema
  /** The changes to that schema. */
  readonly changes: readonly Change[]
  /** Changes that a start cannot apply. */
  readonly rejected: readonly Change[]
  /** Changes that are left to `nomen migrate --contract`. */
  readonly deferred: readonly Change[]
}

/** Changes that drop something, or tighten a rule. */
const deferredKinds: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'drop-noun',
  'release-noun',
  'drop-link',
  'release-link',
  'drop-field',
  'require-field',
  'drop-choice',
  'drop-index',
  'drop-search',
  'drop-sort',
  'drop-tally',
  'drop-history',
  'drop-unique',
  'drop-column-default',
  'drop-derive-trigger',
  'restore-rules',
])

const derivedKinds: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['drop-search', 'drop-sort'])

/** Changes of the declaration only. */
export const declarationOnly: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'add-choice',
  'change-default',
  'change-limits',
  'merge-rules',
  'share-link',
])

/**
 * `keepsDerived` says whether the database keeps search and sort columns current for versions that do not write them.
 * Otherwise, a start drops the derived columns that its declarations do not have.
 */
export function expansionOf(before: Schema | undefined, declared: Schema, keepsDerived: boolean): Expansion {
  const declaredChanges = migrationOf(before, declared)
  const isDeferred = (change: Change) => {
    if (derivedKinds.has(change.kind)) return keepsDerived
    if (change.kind === 'drop-field') return isKeepable(before ?? noTables, change)
    return deferredKinds.has(change.kind)
  }
  const rejected = declaredChanges.filter((change) => !change.isSafe && !isDeferred(change))
  const schema = before && rejected.length === 0 ? expandedSchema(before, declared, keepsDerived) : declared
  return {
    schema,
    changes: rejected.length === 0 ? migrationOf(before, schema) : declaredChanges,
    rejected,
    deferred: declaredChanges.filter(isDeferred),
  }
}

/** The changes without which a service of these declarations cannot work with the database. */
export function missingChanges(actual: Schema | undefined, declared: Schema, keepsDerived: boolean): readonly Change[] {
  const { changes, rejected } = expansionOf(actual, declared, keepsDerived)
  return (rejected.length > 0 ? rejected : changes).filter(({ kind }) => !declarationOnly.has(kind))
}
