/** Migrates an SQLite database to the schema of a model: at start, as a plan, or on request. */
import type { DatabaseSync } from 'node:sqlite'
import { danglingReferencesError, refusalError } from '../../migrate/error.ts'
import { migrationOf } from '../../migrate/migration.ts'
import { schemaOf } from '../../migrate/model-schema.ts'
import { type MigrationReport, noChanges } from '../../migrate/report.ts'
import type { Schema } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { inTransaction, underWriteLock } from './connection.ts'
import { obstaclesOf } from './precheck.ts'
import { stepsOf } from './schema.ts'
import { readSchema } from './snapshot.ts'

/**
 * `start` applies the safe changes, or throws a MigrationError if one is not safe; `apply` applies all of them. Both
 * run in one transaction. `plan` only reports the steps. Processes that start at the same time wait for each other, and
 * the later ones have nothing to do.
 */
export function migrate(database: DatabaseSync, model: Model, mode: 'start' | 'plan' | 'apply'): MigrationReport {
  const after = schemaOf(model)
  if (mode === 'plan') return inTransaction(database, 'BEGIN', () => reportOf(database, readSchema(database), after))
  const before = readSchema(database)
  if (before && migrationOf(before, after).length === 0) return noChanges
  return underWriteLock(database, () => {
    // Another process may have been faster: only the schema that is read under the lock counts.
    const report = reportOf(database, readSchema(database), after)
    const error = refusalError(report.changes, report.obstacles, mode)
    if (error) throw error
    for (const { sql } of report.steps) for (const statement of sql) database.exec(statement)
    if (report.steps.length > 0 && !report.isFresh) checkReferences(database)
    return report
  })
}

function reportOf(database: DatabaseSync, before: Schema | undefined, after: Schema): MigrationReport {
  const changes = migrationOf(before, after)
  return {
    isFresh: before === undefined,
    changes,
    steps: stepsOf(changes, before, after),
    obstacles: before ? obstaclesOf(database, changes, before, after) : [],
  }
}

function checkReferences(database: DatabaseSync): void {
  const broken = database.prepare('PRAGMA foreign_key_check').all()
  if (broken.length > 0) throw danglingReferencesError(broken.length, `${broken[0]?.table}`, `${broken[0]?.parent}`)
}
