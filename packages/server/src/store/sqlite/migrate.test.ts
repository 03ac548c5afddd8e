import { describe } from 'vitest'
import { migratedSqlite } from '../../../test/migrated-sqlite.ts'
import { migrationSuite } from '../../../test/migration-suite.ts'

describe('on SQLite', () => migrationSuite(migratedSqlite))
