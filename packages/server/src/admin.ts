/** `@nomen/server/admin`: administration of the database of a service: migrate, load, export, back up, restore. */

export type { LoadCounts, Reject } from './bulk/batch.ts'
export { BulkError } from './bulk/error.ts'
export { type Export, type ExportOptions, exportRecords } from './bulk/export.ts'
export { loadRecords } from './bulk/load.ts'
export type { LoadOptions, LoadProgress, LoadReport } from './bulk/load-run.ts'
export type { FileFormat } from './bulk/read/file-reader.ts'
export type { Source } from './bulk/source.ts'
export { type ExplainOptions, explainList, type ListExplanation } from './explain/explain.ts'
export type { Miscount, NounCount } from './store/migrate/recount.ts'
export type { MigrationReport } from './store/migrate/report.ts'
export { databaseCatalog } from './store/open/catalog.ts'
export { migrateDatabase } from './store/open/migrate.ts'
export { recountDatabase } from './store/open/recount.ts'
export type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogReference,
  CatalogTable,
} from './store/postgres/adopt/catalog.ts'
export { type BackupOptions, type BackupReport, backupDatabase, removeBackup } from './store/sqlite/backup/backup.ts'
export { BackupError } from './store/sqlite/backup/error.ts'
export { type RestoreOptions, type RestoreReport, restoreDatabase } from './store/sqlite/backup/restore.ts'
