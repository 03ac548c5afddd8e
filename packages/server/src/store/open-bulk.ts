/** Opens what bulk loads and exports need of the database that an address names. */
import type { BulkStore } from './bulk-store.ts'
import type { Model } from './model.ts'
import { sqlitePath } from './open-store.ts'
import { SqliteBulk } from './sqlite/sqlite-bulk.ts'

export function openBulk(address: string, model: Model): BulkStore {
  return new SqliteBulk(sqlitePath(address), model)
}
