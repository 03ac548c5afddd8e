import { pageSuite } from './page-suite.ts'

pageSuite('SQLite', async () => ({ database: 'sqlite::memory:', remove: async () => {} }))
