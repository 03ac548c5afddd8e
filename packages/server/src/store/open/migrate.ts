/** Plans or applies the schema changes that a service needs, without serving it. */
import { existsSync } from 'node:fs'
import { isPostgresUrl } from '../connection/postgres-url.ts'
import { sqlitePath } from '../connection/sqlite-path.ts'
import { DatabaseError } from '../fault/database-error.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model } from '../model.ts'
import { migrate, type SqliteMigrationMode } from '../sqlite/migrate/migrate.ts'
import { openDatabase } from '../sqlite/open-database.ts'

/**
 * Migrates the schema of a database to the declarations. `expand` adds what is missing, as a start does, while other versions of
 * the service run; `contract` drops what is no longer declared. `apply` does both at once, also unsafe changes, while no
 * instance runs. `adopt` serves existing PostgreSQL tables without changing their columns. `plan`, `expand-plan`,
 * `contract-plan` and `adopt-plan` return the steps with their SQL and change nothing.
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
  url: string,
  { model }: { readonly model: Model },
  mode: 'plan' | 'apply' | 'expand' | 'expand-plan' | 'contract' | 'contract-plan' | 'adopt' | 'adopt-plan',
): Promise<MigrationReport> {
  if (!isPostgresUrl(url)) {
    if (mode === 'adopt' || mode === 'adopt-plan')
      throw new DatabaseError(
        url,
        ' for --adopt: only PostgreSQL tables can be adopted',
        'Use a URL such as postgres://user:password@host/database.',
      )
    return migrateFile(sqlitePath(url), model, asStart(mode))
  }
  // Imported on demand: a service on SQLite starts faster without the driver.
  const { migrateAt } = await import('../postgres/migrate/server.ts')
  return migrateAt(url, model, asStart(mode))
}

/** An expansion is what a start does. */
function asStart<Mode extends string>(mode: Mode) {
  if (mode === 'expand') return 'start'
  return mode === 'expand-plan' ? 'start-plan' : (mode as Exclude<Mode, 'expand' | 'expand-plan'>)
}

function migrateFile(path: string, model: Model, mode: SqliteMigrationMode): MigrationReport {
  // A plan creates no file. If the file does not exist, an empty in-memory database gives the same plan.
  const database = openDatabase(mode.endsWith('plan') && !existsSync(path) ? ':memory:' : path)
  try {
    return migrate(database, model, mode)
  } finally {
    database.close()
  }
}
