/** Opens the store for a database URL. */

import type { DatabasePool } from '../connection/database-pool.ts'
import { isPostgresUrl, replicasElsewhere } from '../connection/postgres-url.ts'
import { sqlitePath } from '../connection/sqlite-path.ts'
import { DatabaseError } from '../fault/database-error.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model } from '../model.ts'
import type { Store, StoreFaultListener } from '../store.ts'

export interface StoreOptions {
  /** A PostgreSQL URL for migrations and bulk loads, if the database URL leads to a pooler. */
  readonly databaseDirect?: string | undefined
  /** A PostgreSQL URL whose hosts are read replicas; or `elsewhere` if only other instances use replicas. */
  readonly databaseRead?: string | undefined
  /** The maximum size of a list, in bytes. */
  readonly maxListBytes?: number | undefined
  /** Called with the schema changes that were applied at start. */
  readonly onMigration?: ((report: MigrationReport) => void) | undefined
  readonly onFault?: StoreFaultListener | undefined
  /** The limits of the connection pool of PostgreSQL. */
  readonly pool?: DatabasePool | undefined
  /** Called when a database server fails, no longer accepts writes, or recovers. */
  readonly onServer: (message: string, cause: unknown) => void
}

/** `sqlite:path`, `sqlite::memory:` for a database that ends with the process, or `postgres://…`. */
export async function openStore(address: string, model: Model, options?: StoreOptions): Promise<Store> {
  const replicas = options?.databaseRead
  if (replicas !== undefined) refuseReplicas(address, replicas)
  const direct = options?.databaseDirect
  if (direct !== undefined) refuseDirect(address, direct)
  // Each driver is imported on demand, so that a service starts faster.
  if (!isPostgresUrl(address)) {
    const { openSqlite } = await import('../sqlite/read-only-store.ts')
    return openSqlite(sqlitePath(address), model, options)
  }
  const { PostgresStore } = await import('../postgres/store.ts')
  return PostgresStore.open(address, model, {
    direct,
    replicas,
    pool: options?.pool,
    onServer: options?.onServer,
    onMigration: options?.onMigration,
    maxListBytes: options?.maxListBytes,
    onFault: options?.onFault,
  })
}

function refuseReplicas(address: string, replicas: string): void {
  if (!isPostgresUrl(replicas) && replicas !== replicasElsewhere) {
    // The value may contain a password, so only its beginning is shown.
    const fix =
      'Read replicas must be PostgreSQL servers: use postgres://user:password@host/database, or elsewhere if only other instances have replicas.'
    throw new DatabaseError(`${replicas.split(':', 1)}:…`, ' for reads', fix)
  }
  if (isPostgresUrl(address)) return
  throw new DatabaseError(
    address,
    ' with read replicas',
    'Only PostgreSQL has read replicas. Remove the setting, or move to PostgreSQL.',
  )
}

function refuseDirect(address: string, direct: string): void {
  if (isPostgresUrl(address) && isPostgresUrl(direct)) return
  const fix =
    'The direct URL is for PostgreSQL behind a pooler: use postgres://user:password@host/database, or remove it.'
  throw new DatabaseError(`${direct.split(':', 1)}:…`, ' as the direct URL', fix)
}
