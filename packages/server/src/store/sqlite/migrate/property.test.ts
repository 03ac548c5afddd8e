import { describe } from 'vitest'
import { migratedSqlite } from '../../../../test/migrated-sqlite.ts'
import { migrationPropertySuite } from '../../../../test/migration-property-suite.ts'

describe('a migration on SQLite from any declaration to any other', () => {
  migrationPropertySuite(migratedSqlite, 200)
})
