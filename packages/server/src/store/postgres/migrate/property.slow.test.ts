import { numberOfRuns } from '@nomen/testing/prove'
import { describe } from 'vitest'
import { postgresSchemas } from '../../../../test/migrated-postgres.ts'
import { migratedSqlite } from '../../../../test/migrated-sqlite.ts'
import { migrationAgreementSuite, migrationPropertySuite } from '../../../../test/migration-property-suite.ts'

describe('a migration on PostgreSQL from any declaration to any other', () => {
  const open = postgresSchemas()
  migrationPropertySuite(open, numberOfRuns(12, 200))

  describe('as on SQLite', () => {
    migrationAgreementSuite(migratedSqlite, open, numberOfRuns(12, 200))
  })
})
