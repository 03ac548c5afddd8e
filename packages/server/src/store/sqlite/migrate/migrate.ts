/** Migrates an SQLite database to the schema of a model: at start, as a plan, or on request. */
import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../../migrate/change/change.ts'
import { danglingReferencesError, unappliedChangesError } from '../../migrate/error.ts'
import { checkedExpansion } from '../../migrate/expand/checked-expansion.ts'
import { contractionOf, rejectExpansion } from '../../migrate/expand/contraction.ts'
import { expansionOf } from '../../migrate/expand/expansion.ts'
import { type MigrationReport, noChanges } from '../../migrate/report.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import type { Schema } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { inTransaction, withWriteLock } from './connection.ts'
import { obstaclesOf } from './precheck.ts'
import { stepsOf } from './schema.ts'
import { readSchema } from './snapshot.ts'

/** See the modes of PostgreSQL. Every mode runs in one transaction. */
export type SqliteMigrationMode = 'start' | 'start-plan' | 'contract' | 'contract-plan' | 'plan' | 'apply'

/**
 * Throws a MigrationError if a change must not be applied in this mode. Processes that start at the same time wait for each
 * other, and the later ones have nothing to do.
 */
export function migrate(database: DatabaseSync, model: Model, mode: SqliteMigrationMode): MigrationReport {
  return migrateTo(database, schemaOf(model), mode)
}

/** The same, to a schema that differs from that of the model. */
export function migrateTo(database: DatabaseSync, declared: Schema, mode: SqliteMigrationMode): MigrationReport {
  const report = () => reportOf(database, readSchema(database), declared, mode)
  if (mode.endsWith('plan')) return inTransaction(database, 'BEGIN', report)
  const before = readSchema(database)
  if (before && changesOf(before, declared, mode).changes.length === 0) return noChanges
  return withWriteLock(database, () => {
    // Another process may have been faster: only the schema that is read under the lock counts.
    const current = report()
    if (before && mode === 'contract') rejectExpansion(before, declared)
    const error = unappliedChangesError(current.changes, current.obstacles, mode)
    if (error) throw error
    for (const { sql } of current.steps) for (const statement of sql) database.exec(statement)
    if (!current.isFresh && current.changes.some(affectsReferences)) checkReferences(database)
    return current
  })
}

function changesOf(before: Schema | undefined, declared: Schema, mode: SqliteMigrationMode) {
  return mode.startsWith('start') ? expansionOf(before, declared, false) : contractionOf(before, declared)
}

function reportOf(
  database: DatabaseSync,
  before: Schema | undefined,
  declared: Schema,
  mode: SqliteMigrationMode,
): MigrationReport {
  const { changes, schema } = changesOf(before, declared, mode)
  const checked = before && mode.startsWith('start') ? checkedExpansion(before, declared) : { changes, schema }
  return {
    isFresh: before === undefined,
    changes,
    steps: stepsOf(changes, before, schema),
    obstacles: before ? obstaclesOf(database, checked.changes, before, checked.schema) : [],
  }
}

/** Indexes and tallies leave the records as they are. They are built after large loads, where this check takes minutes. */
function affectsReferences({ kind }: Change): boolean {
  return !['add-index', 'drop-index', 'add-tally', 'drop-tally'].includes(kind)
}

function checkReferences(database: DatabaseSync): void {
  const violations = database.prepare('PRAGMA foreign_key_check').all()
  if (violations.length > 0)
    throw danglingReferencesError(violations.length, `${violations[0]?.table}`, `${violations[0]?.parent}`)
}
