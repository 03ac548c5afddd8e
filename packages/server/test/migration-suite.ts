/** The behavior that every database's migration must have at start and as a plan. */
import type { MigratedDatabase } from './migrated-database.ts'
import { rejectedChangeSuite } from './migration/rejected-change-suite.ts'
import { safeChangeSuite } from './migration/safe-change-suite.ts'
import { migrationStartSuite } from './migration/start-suite.ts'
import { storedNameMigrationSuite } from './migration/stored-name-suite.ts'

/** `open` returns an empty database, which is removed at the end of the test. */
export function migrationSuite(open: () => Promise<MigratedDatabase>): void {
  migrationStartSuite(open)
  storedNameMigrationSuite(open)
  safeChangeSuite(open)
  rejectedChangeSuite(open)
}
