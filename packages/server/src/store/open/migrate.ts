/** Plans or applies the schema changes that a service needs, without serving it. */
import { existsSync } from 'node:fs'
import { DatabaseError } from '../database-error.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model } from '../model.ts'
import { isPostgresUrl } from '../postgres-url.ts'
import { migrate } from '../sqlite/migrate/migrate.ts'
import { openDatabase } from '../sqlite/open-database.ts'
import { sqlitePath } from '../sqlite-path.ts'

/**
 * Migrates the schema of a database to the declarations. `plan` returns the steps with their SQL and changes nothing; `apply`
 * runs them, also the unsafe ones. `adopt` and `adopt-plan` serve existing PostgreSQL tables without changing their columns.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * const { steps } = await migrateDatabase('sqlite:data/directory.db', service, 'plan')
 * for (const { sentence, isSafe } of steps) console.log(isSafe ? 'safe' : 'unsafe', sentence)
 * ```
 *
 * @throws MigrationError if records prevent the migration
 */
export async function migrateDatabase(
  address: string,
  { model }: { readonly model: Model },
  mode: 'plan' | 'apply' | 'adopt' | 'adopt-plan',
): Promise<MigrationReport> {
  if (!isPostgresUrl(address)) {
    if (mode === 'plan' || mode === 'apply') return migrateFile(sqlitePath(address), model, mode)
    throw new DatabaseError(address, '', 'Only PostgreSQL tables can be adopted.')
  }
  // Imported on demand: a service on SQLite starts faster without the driver.
  const { migrateAt } = await import('../postgres/migrate/server.ts')
  return migrateAt(address, model, mode)
}

function migrateFile(path: string, model: Model, mode: 'plan' | 'apply'): MigrationReport {
  // A plan creates no file. If the file does not exist, an empty in-memory database gives the same plan.
  const database = openDatabase(mode === 'plan' && !existsSync(path) ? ':memory:' : path)
  try {
    return migrate(database, model, mode)
  } finally {
    database.close()
  }
}
