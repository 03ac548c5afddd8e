/** Opens what bulk loads and exports need of the database that an address names. */
import type { BulkStore } from './bulk-store.ts'
import type { Model } from './model.ts'
import { sqlitePath } from './open-store.ts'
import { isPostgresAddress } from './postgres/postgres-address.ts'
import { SqliteBulk } from './sqlite/sqlite-bulk.ts'

export async function openBulk(address: string, model: Model): Promise<BulkStore> {
  if (isPostgresAddress(address)) {
    // Loaded where it is used: a load into SQLite starts sooner without the driver.
    const { PostgresBulk } = await import('./postgres/bulk/postgres-bulk.ts')
    return new PostgresBulk(address, model)
  }
  return new SqliteBulk(sqlitePath(address), model)
}
