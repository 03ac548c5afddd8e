/** Brings a PostgreSQL database to the schema of a model: at start, as a plan, or on request. */
import type { ClientBase } from 'pg'
import type { Change } from '../change.ts'
import { migrationOf } from '../migration.ts'
import { refusal } from '../migration-error.ts'
import { type MigrationReport, nothingToDo } from '../migration-report.ts'
import type { Model } from '../model.ts'
import { type Schema, schemaOf } from '../schema.ts'
import { explained } from './migrate-error.ts'
import { alone, looking } from './postgres-connection.ts'
import { runStatement } from './postgres-fold.ts'
import { lockTables } from './postgres-lock.ts'
import { obstaclesOf } from './postgres-obstacle.ts'
import { type PostgresStep, stepsOf } from './postgres-schema.ts'
import { readSchema } from './postgres-snapshot.ts'

/**
 * `start` makes the safe changes, or throws a MigrationError where one is not safe; `apply` makes all of them. Either is
 * one transaction: all steps are done or none. `plan` only tells the steps. Instances that start at once wait for each
 * other, and the later ones find the work done. Works in the connection's current schema.
 */
export async function migrate(
  client: ClientBase,
  model: Model,
  mode: 'start' | 'plan' | 'apply',
): Promise<MigrationReport> {
  const after = schemaOf(model)
  if (mode === 'plan') {
    return looking(client, async () => {
      const before = await readSchema(client)
      const changes = migrationOf(before, after)
      return reportOf(client, changes, before, after, stepsOf(changes, before, after))
    })
  }
  const known = await readSchema(client)
  if (known && migrationOf(known, after).length === 0) return nothingToDo
  return alone(client, () => migrateAlone(client, after, mode)).catch((error) => {
    throw explained(error)
  })
}

async function migrateAlone(client: ClientBase, after: Schema, mode: 'start' | 'apply'): Promise<MigrationReport> {
  // Another instance may have come first: only what is read under the lock counts.
  const before = await readSchema(client)
  const changes = migrationOf(before, after)
  if (changes.length === 0 && before) return nothingToDo
  // Nothing of what the steps were found to fit may be changed before they are made.
  if (before) await lockTables(client, changes, before)
  const steps = stepsOf(changes, before, after)
  const report = await reportOf(client, changes, before, after, steps)
  const refused = refusal(changes, report.obstacles, mode)
  if (refused) throw refused
  for (const { statements } of steps) for (const statement of statements) await runStatement(client, statement)
  return report
}

async function reportOf(
  client: ClientBase,
  changes: readonly Change[],
  before: Schema | undefined,
  after: Schema,
  steps: readonly PostgresStep[],
): Promise<MigrationReport> {
  return {
    isFresh: before === undefined,
    changes,
    steps: steps.map(({ sentence, isSafe, statements }) => ({
      sentence,
      isSafe,
      sql: statements.map(({ sql }) => sql),
    })),
    obstacles: before ? await obstaclesOf(client, changes, before, after) : [],
  }
}
