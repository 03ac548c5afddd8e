import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { pageSuite } from './page-suite.ts'

pageSuite('PostgreSQL', async () => {
  const { url, remove } = await temporaryPostgres()
  return { database: url, remove }
})
