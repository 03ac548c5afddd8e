/** Reads the catalog of an existing PostgreSQL database. */

import { isPostgresUrl } from '../connection/postgres-url.ts'
import { DatabaseError } from '../fault/database-error.ts'
import type { Catalog } from '../postgres/adopt/catalog.ts'

/**
 * Reads the catalog (tables, columns, keys) of an existing PostgreSQL database, in a read-only transaction.
 *
 * @example
 * ```ts
 * const { tables } = await databaseCatalog('postgres://localhost/shop', 'public')
 * ```
 *
 * @throws DatabaseError if the URL is not a PostgreSQL URL or the database cannot be reached
 */
export async function databaseCatalog(url: string, schema?: string): Promise<Catalog> {
  if (!isPostgresUrl(url)) throw new DatabaseError(url, '', 'Only PostgreSQL databases can be read.')
  const { catalogAt } = await import('../postgres/adopt/catalog-at.ts')
  return catalogAt(url, schema)
}
