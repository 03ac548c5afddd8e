/** Looks at a database of PostgreSQL that others have made, and changes nothing. */
import { DatabaseError } from '../database-error.ts'
import type { Catalog } from '../postgres/adopt/catalog.ts'
import { isPostgresAddress } from '../postgres-address.ts'

/** Its tables, columns and keys, as one read-only transaction sees them; in another schema than the usual one where named. */
export async function databaseCatalog(address: string, schema?: string): Promise<Catalog> {
  if (!isPostgresAddress(address)) throw new DatabaseError(address, '', 'Only databases of PostgreSQL are read.')
  const { catalogAt } = await import('../postgres/adopt/catalog-at.ts')
  return catalogAt(address, schema)
}
