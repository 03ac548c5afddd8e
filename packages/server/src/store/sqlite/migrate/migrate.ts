/** Brings an SQLite database to the schema of a model: at start, as a plan, or on request. */
import type { DatabaseSync } from 'node:sqlite'
import { brokenReferences, refusal } from '../../migrate/error.ts'
import { migrationOf } from '../../migrate/migration.ts'
import { type MigrationReport, nothingToDo } from '../../migrate/report.ts'
import { type Schema, schemaOf } from '../../migrate/schema.ts'
import type { Model } from '../../model.ts'
import { alone, inTransaction } from './connection.ts'
import { obstaclesOf } from './precheck.ts'
import { stepsOf } from './schema.ts'
import { readSchema } from './snapshot.ts'

/**
 * `start` makes the safe changes, or throws a MigrationError where one is not safe; `apply` makes all of them. Either is
 * one transaction: all steps are done or none. `plan` only tells the steps. Processes that start at once wait for each
 * other, and the later ones find the work done.
 */
export function migrate(database: DatabaseSync, model: Model, mode: 'start' | 'plan' | 'apply'): MigrationReport {
  const after = schemaOf(model)
  if (mode === 'plan') return inTransaction(database, 'BEGIN', () => reportOf(database, readSchema(database), after))
  const known = readSchema(database)
  if (known && migrationOf(known, after).length === 0) return nothingToDo
  return alone(database, () => {
    // Another process may have come first: only what is read under the lock counts.
    const report = reportOf(database, readSchema(database), after)
    const refused = refusal(report.changes, report.obstacles, mode)
    if (refused) throw refused
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
  if (broken.length > 0) throw brokenReferences(broken.length, `${broken[0]?.table}`, `${broken[0]?.parent}`)
}
