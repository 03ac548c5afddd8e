/** Opens the bulk store for a database URL, for loads and exports. */

import type { BulkStore } from '../bulk/bulk.ts'
import { isPostgresUrl } from '../connection/postgres-url.ts'
import { sqlitePath } from '../connection/sqlite-path.ts'
import type { Model } from '../model.ts'
import { SqliteBulk } from '../sqlite/bulk/bulk.ts'

export async function openBulk(url: string, model: Model): Promise<BulkStore> {
  if (isPostgresUrl(url)) {
    // Imported on demand: a load into SQLite starts faster without the driver.
    const { PostgresBulk } = await import('../postgres/bulk/bulk.ts')
    return new PostgresBulk(url, model)
  }
  return new SqliteBulk(sqlitePath(url), model)
}
