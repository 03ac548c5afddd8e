// A service on SQLite whose file another process has migrated.
import { outdatedSuite } from './outdated-suite.ts'
import { temporaryPath } from './temporary-database.ts'

outdatedSuite(async () => `sqlite:${temporaryPath()}`)
