/** The public door of @nomen/server. */

export { after, type Change, type Hook } from './after/after.ts'
export {
  type ApplicationLog,
  type ApplicationLogOptions,
  applicationLog,
  type LogFields,
  type LogLevel,
  logLevels,
} from './application-log.ts'
export { checkJwtSettings, type JwtSettings, SettingError, signatures } from './auth/jwt-settings.ts'
export type { LoadCounts, Reject } from './bulk/batch.ts'
export { BulkError } from './bulk/bulk-error.ts'
export { type Export, type ExportOptions, exportRecords } from './bulk/export.ts'
export type { FileFormat } from './bulk/file-reader.ts'
export { loadRecords } from './bulk/load.ts'
export type { LoadOptions, LoadProgress, LoadReport } from './bulk/loading.ts'
export type { Source } from './bulk/source.ts'
export type { Caller } from './caller.ts'
export { type Callers, namedBy } from './callers.ts'
export { type Computation, type ComputeOptions, compute } from './computed/compute.ts'
export { type Service, type ServiceOptions, service } from './definition.ts'
export { documentsOf, type ServiceDocument } from './document.ts'
export { atLeast, before, between } from './filter/bounds.ts'
export { type Finding, filter } from './filter/filter.ts'
export { readTrustProxy, type TrustProxy } from './http/client-address.ts'
export { originFault } from './http/cors.ts'
export type { Fetch } from './http/fetch-adapter.ts'
export { isLoopback } from './http/gate.ts'
export type { MetricFamily } from './metrics/registry.ts'
export { type Asked, type Handler, handle, type InProcess, type Together } from './operation/handle.ts'
export { Buckets } from './rate/buckets.ts'
export { type Bank, type Grant, type RateLimit, readRateLimit, type Wish } from './rate/rate-limit.ts'
export { type Rule, rule } from './rule.ts'
export { type OpenService, open } from './service.ts'
export type { Settings, Timeouts } from './settings.ts'
export { databaseCatalog } from './store/database-catalog.ts'
export { DatabaseError } from './store/database-error.ts'
export { migrateDatabase } from './store/migrate-database.ts'
export { MigrationError } from './store/migration-error.ts'
export type { MigrationReport } from './store/migration-report.ts'
export type { Breach, LoadPart } from './store/plan.ts'
export type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogReference,
  CatalogTable,
} from './store/postgres/adopt/catalog.ts'
export type { Miscount, NounCount } from './store/recount.ts'
export { recountDatabase } from './store/recount-database.ts'
export { shownAddress } from './store/shown-address.ts'
export { type BackupOptions, type BackupReport, backupDatabase, removeBackup } from './store/sqlite/backup/backup.ts'
export { BackupError } from './store/sqlite/backup/backup-error.ts'
export { type RestoreOptions, type RestoreReport, restoreDatabase } from './store/sqlite/backup/restore.ts'
export { readTraceSettings, type TraceSettings } from './trace/trace-settings.ts'
export { seen, type Visibility, visible } from './visibility.ts'
