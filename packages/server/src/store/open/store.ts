/** Opens the store that a database address names. */
import { DatabaseError } from '../database-error.ts'
import type { MigrationReport } from '../migrate/report.ts'
import type { Model } from '../model.ts'
import { elsewhere, isPostgresAddress } from '../postgres-address.ts'
import { openSqlite } from '../sqlite/read-only-store.ts'
import { sqlitePath } from '../sqlite-path.ts'
import type { Store } from '../store.ts'

export interface StoreOptions {
  /** An address of PostgreSQL whose hosts are replicas, for reads; or `elsewhere`, where only other instances have some. */
  readonly databaseRead?: string | undefined
  /** How long the text of a list may be, in bytes. */
  readonly maxListBytes?: number | undefined
  /** Told of the changes of the schema, where there were any. */
  readonly onMigration?: ((report: MigrationReport) => void) | undefined
  /** Told when a replica goes away or is back. */
  readonly onReplica: (message: string, cause: unknown) => void
}

/** `sqlite:path`, or `sqlite::memory:` for one that is gone with the process; or `postgres://…`. */
export async function openStore(address: string, model: Model, options?: StoreOptions): Promise<Store> {
  const replicas = options?.databaseRead
  if (replicas !== undefined) refuseReplicas(address, replicas)
  if (!isPostgresAddress(address)) return openSqlite(sqlitePath(address), model, options)
  // Loaded where it is used: a service on SQLite starts sooner without the driver.
  const { PostgresStore } = await import('../postgres/store.ts')
  return PostgresStore.open(address, model, {
    replicas: options && replicas !== undefined ? { address: replicas, onChange: options.onReplica } : undefined,
    onMigration: options?.onMigration,
    maxListBytes: options?.maxListBytes,
  })
}

function refuseReplicas(address: string, replicas: string): void {
  if (!isPostgresAddress(replicas) && replicas !== elsewhere) {
    // What it is instead may hold a password.
    const fix =
      'Read replicas are servers of PostgreSQL: give postgres://user:password@host/database, or elsewhere if only others have some.'
    throw new DatabaseError(`${replicas.split(':', 1)}:…`, ' for reads', fix)
  }
  if (isPostgresAddress(address)) return
  throw new DatabaseError(address, ' with read replicas', 'Only PostgreSQL has them: leave them out, or move to it.')
}
