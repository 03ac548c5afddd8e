/** Opens the store for a database URL. */

import { isPostgresUrl, replicasElsewhere } from '../connection/postgres-url.ts'
import { redactedUrl } from '../connection/redacted-url.ts'
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

/** The settings in messages: the flag of `nomen serve`, and its variable. */
const [readUrl, directUrl] = ['--database-read (DATABASE_READ_URL)', '--database-direct (DATABASE_DIRECT_URL)'] as const

function rejectReplicas(url: string, replicas: string): void {
  if (!isPostgresUrl(replicas) && replicas !== replicasElsewhere) {
    // The value may contain a password, so only its beginning is shown.
    const reason = `${readUrl} must be a PostgreSQL URL or the word ${replicasElsewhere}, not "${replicas.split(':', 1)}:…"`
    throw new DatabaseError(redactedUrl(url), `: ${reason}`, 'Use postgres://user:password@host/database.')
  }
  if (isPostgresUrl(url)) return
  throw new DatabaseError(
    url,
    `: ${readUrl} can be used only with a PostgreSQL database`,
    `Remove ${readUrl}, or use PostgreSQL.`,
  )
}

function rejectDirect(url: string, direct: string): void {
  if (!isPostgresUrl(url))
    throw new DatabaseError(
      url,
      `: ${directUrl} can be used only with a PostgreSQL database`,
      `Remove ${directUrl}, or use PostgreSQL.`,
    )
  if (isPostgresUrl(direct)) return
  const reason = `${directUrl} must be a PostgreSQL URL, not "${direct.split(':', 1)}:…"`
  throw new DatabaseError(redactedUrl(url), `: ${reason}`, 'Use postgres://user:password@host/database.')
}
