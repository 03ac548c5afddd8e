/** Shows or makes the schema changes that a service needs, apart from serving it. */
import { existsSync } from 'node:fs'
import type { Operation } from '@nomen/core'
import { DatabaseError } from '../database-error.ts'
import type { MigrationReport } from '../migrate/report.ts'
import { type Model, modelOf } from '../model.ts'
import { isPostgresAddress } from '../postgres-address.ts'
import { migrate } from '../sqlite/migrate/migrate.ts'
import { openDatabase } from '../sqlite/store.ts'
import { sqlitePath } from '../sqlite-path.ts'

/**
 * `plan` tells the steps with their exact SQL and changes nothing; `apply` makes them, the unsafe ones too. `adopt`, and its
 * plan, take tables of PostgreSQL that are there already, and leave their form as it is.
 */
export async function migrateDatabase(
  address: string,
  operations: readonly Operation[],
  mode: 'plan' | 'apply' | 'adopt' | 'adopt-plan',
): Promise<MigrationReport> {
  const model = modelOf(operations)
  if (!isPostgresAddress(address)) {
    if (mode === 'plan' || mode === 'apply') return migrateFile(sqlitePath(address), model, mode)
    throw new DatabaseError(address, '', 'Only tables of PostgreSQL are adopted.')
  }
  // Loaded where it is used: a service on SQLite starts sooner without the driver.
  const { migrateAddress } = await import('../postgres/migrate/server.ts')
  return migrateAddress(address, model, mode)
}

function migrateFile(path: string, model: Model, mode: 'plan' | 'apply'): MigrationReport {
  // A plan makes no file: for one that is not there, an empty database in memory tells the same.
  const database = openDatabase(mode === 'plan' && !existsSync(path) ? ':memory:' : path)
  try {
    return migrate(database, model, mode)
  } finally {
    database.close()
  }
}
