/** The public door of @nomen/server. */
export { type Service, type ServiceOptions, service } from './definition.ts'
export { type Rule, rule } from './rule.ts'
export { isLoopback, type OpenService, open, plugin, type Settings } from './service.ts'
export { DatabaseError } from './store/database-error.ts'
export { migrateDatabase } from './store/migrate-database.ts'
export { MigrationError } from './store/migration-error.ts'
export type { Breach, LoadPart } from './store/plan.ts'
export { shownAddress } from './store/shown-address.ts'
