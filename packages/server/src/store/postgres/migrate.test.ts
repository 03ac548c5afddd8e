import { describe } from 'vitest'
import { postgresSchemas } from '../../../test/migrated-postgres.ts'
import { migrationSuite } from '../../../test/migration-suite.ts'

const open = postgresSchemas()

describe('on PostgreSQL', () => migrationSuite(open))
