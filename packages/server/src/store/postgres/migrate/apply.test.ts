import { describe } from 'vitest'
import { postgresSchemas } from '../../../../test/migrated-postgres.ts'
import { migrationApplySuite } from '../../../../test/migration-apply-suite.ts'

describe('a migration applied to PostgreSQL', () => {
  migrationApplySuite(postgresSchemas())
})
