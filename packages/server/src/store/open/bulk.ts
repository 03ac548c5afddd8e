/** Opens what bulk loads and exports need of the database that an address names. */

import type { BulkStore } from '../bulk/bulk.ts'
import type { Model } from '../model.ts'
import { isPostgresAddress } from '../postgres-address.ts'
import { SqliteBulk } from '../sqlite/bulk/bulk.ts'
import { sqlitePath } from '../sqlite-path.ts'

export async function openBulk(address: string, model: Model): Promise<BulkStore> {
  if (isPostgresAddress(address)) {
    // Loaded where it is used: a load into SQLite starts sooner without the driver.
    const { PostgresBulk } = await import('../postgres/bulk/bulk.ts')
    return new PostgresBulk(address, model)
  }
  return new SqliteBulk(sqlitePath(address), model)
}
