/** Opens the store for a database URL. */

import { isPostgresUrl, replicasElsewhere } from '../connection/postgres-url.ts'
import { sqlitePath } from '../connection/sqlite-path.ts'
import { DatabaseError } from '../fault/database-error.ts'
import type { Model } from '../model.ts'
import type { PostgresStoreOptions } from '../postgres/store.ts'
import type { Store } from '../store.ts'

/** `sqlite:path`, `sqlite::memory:` for a database that ends with the process, or `postgres://…`. SQLite uses some of the options. */
export async function openStore(url: string, model: Model, options: PostgresStoreOptions = {}): Promise<Store> {
  const { databaseRead, databaseDirect } = options
  if (databaseRead !== undefined) rejectReplicas(url, databaseRead)
  if (databaseDirect !== undefined) rejectDirect(url, databaseDirect)
  // Each driver is imported on demand, so that a service starts faster.
  if (!isPostgresUrl(url)) {
    const { openSqliteStore: openSqlite } = await import('../sqlite/read-only-store.ts')
    return openSqlite(sqlitePath(url), model, options)
  }
  const { PostgresStore } = await import('../postgres/store.ts')
  return PostgresStore.open(url, model, options)
}

function rejectReplicas(url: string, replicas: string): void {
  if (!isPostgresUrl(replicas) && replicas !== replicasElsewhere) {
    // The value may contain a password, so only its beginning is shown.
    const fix =
      'Read replicas must be PostgreSQL servers: use postgres://user:password@host/database, or elsewhere if only other instances have replicas.'
    throw new DatabaseError(`${replicas.split(':', 1)}:…`, ' for reads', fix)
  }
  if (isPostgresUrl(url)) return
  throw new DatabaseError(
    url,
    ' with read replicas',
    'Only PostgreSQL has read replicas. Remove the setting, or move to PostgreSQL.',
  )
}

function rejectDirect(url: string, direct: string): void {
  if (isPostgresUrl(url) && isPostgresUrl(direct)) return
  const fix =
    'The direct URL is for PostgreSQL behind a pooler: use postgres://user:password@host/database, or remove it.'
  throw new DatabaseError(`${direct.split(':', 1)}:…`, ' as the direct URL', fix)
}
