/** Opens the bulk store for a database URL, for loads and exports. */

import type { BulkStore } from '../bulk/bulk.ts'
import type { Model } from '../model.ts'
import { isPostgresUrl } from '../postgres-url.ts'
import { SqliteBulk } from '../sqlite/bulk/bulk.ts'
import { sqlitePath } from '../sqlite-path.ts'

export async function openBulk(address: string, model: Model): Promise<BulkStore> {
  if (isPostgresUrl(address)) {
    // Imported on demand: a load into SQLite starts faster without the driver.
    const { PostgresBulk } = await import('../postgres/bulk/bulk.ts')
    return new PostgresBulk(address, model)
  }
  return new SqliteBulk(sqlitePath(address), model)
}
