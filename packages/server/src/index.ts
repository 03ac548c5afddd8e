/** The public door of @nomen/server. */

export { checkJwtSettings, type JwtSettings, SettingError, signatures } from './auth/jwt-settings.ts'
export type { LoadCounts, Reject } from './bulk/batch.ts'
export { BulkError } from './bulk/error.ts'
export { type Export, type ExportOptions, exportRecords } from './bulk/export.ts'
export { loadRecords } from './bulk/load.ts'
export type { LoadOptions, LoadProgress, LoadReport } from './bulk/loading.ts'
export type { FileFormat } from './bulk/read/file-reader.ts'
export type { Source } from './bulk/source.ts'
export { atLeast, before, between } from './define/bounds.ts'
export type { Caller } from './define/caller.ts'
export { type Callers, namedBy } from './define/caller-noun.ts'
export { type Computation, type ComputeOptions, compute } from './define/compute.ts'
export { type Service, type ServiceOptions, service } from './define/definition.ts'
export { type Finding, filter } from './define/filter.ts'
export { type Asked, type Handler, handle, type InProcess, type Together } from './define/handle.ts'
export { after, type Change, type Hook } from './define/hook.ts'
export { type Rule, rule } from './define/rule.ts'
export { seen, type Visibility, visible } from './define/visibility.ts'
export { Buckets } from './http/admit/buckets.ts'
export { readTrustProxy, type TrustProxy } from './http/admit/client-address.ts'
export { originFault } from './http/admit/cors.ts'
export { isLoopback } from './http/admit/gate.ts'
export type { Fetch } from './http/fetch-adapter.ts'
export type { Timeouts } from './http/node/node-server.ts'
export { documentsOf, type ServiceDocument } from './http/page/openapi.ts'
export {
  type ApplicationLog,
  type ApplicationLogOptions,
  applicationLog,
  type LogFields,
  type LogLevel,
  logLevels,
} from './observe/application-log.ts'
export type { MetricFamily } from './observe/metrics/registry.ts'
export { readTraceSettings, type TraceSettings } from './observe/trace/settings.ts'
export { type OpenService, open } from './service.ts'
export type { Settings } from './settings.ts'
export { DatabaseError } from './store/database-error.ts'
export { MigrationError } from './store/migrate/error.ts'
export type { Miscount, NounCount } from './store/migrate/recount.ts'
export type { MigrationReport } from './store/migrate/report.ts'
export { databaseCatalog } from './store/open/catalog.ts'
export { migrateDatabase } from './store/open/migrate.ts'
export { recountDatabase } from './store/open/recount.ts'
export type { Breach, LoadPart } from './store/plan.ts'
export type {
  Catalog,
  CatalogCheck,
  CatalogColumn,
  CatalogReference,
  CatalogTable,
} from './store/postgres/adopt/catalog.ts'
export { type Bank, type Grant, type RateLimit, readRateLimit, type Wish } from './store/rate-limit.ts'
export { shownAddress } from './store/redacted-address.ts'
export { type BackupOptions, type BackupReport, backupDatabase, removeBackup } from './store/sqlite/backup/backup.ts'
export { BackupError } from './store/sqlite/backup/error.ts'
export { type RestoreOptions, type RestoreReport, restoreDatabase } from './store/sqlite/backup/restore.ts'
