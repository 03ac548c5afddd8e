/** Brings a PostgreSQL database to the schema of a model: at start, as a plan, or on request. */
import type { ClientBase } from 'pg'
import { migrationOf } from '../migration.ts'
import { refusal } from '../migration-error.ts'
import { type MigrationReport, nothingToDo } from '../migration-report.ts'
import type { Model } from '../model.ts'
import { type Schema, schemaOf } from '../schema.ts'
import { alone, inTransaction } from './postgres-connection.ts'
import { stepsOf } from './postgres-schema.ts'
import { readSchema, recordSchema } from './postgres-snapshot.ts'

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
    return inTransaction(client, 'begin isolation level repeatable read read only', async () =>
      reportOf(await readSchema(client), after),
    )
  }
  const known = await readSchema(client)
  if (known && migrationOf(known, after).length === 0) return nothingToDo
  return alone(client, async () => {
    // Another instance may have come first: only what is read under the lock counts.
    const report = reportOf(await readSchema(client), after)
    const refused = refusal(report.changes, report.obstacles, mode)
    if (refused) throw refused
    for (const { sql } of report.steps) for (const statement of sql) await client.query(statement)
    if (report.steps.length > 0) await recordSchema(client, after)
    return report
  })
}

function reportOf(before: Schema | undefined, after: Schema): MigrationReport {
  const changes = migrationOf(before, after)
  return { isFresh: before === undefined, changes, steps: stepsOf(changes, before, after), obstacles: [] }
}
