import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { openStore } from '../src/store/open-store.ts'
import { togetherSuite } from './together-suite.ts'

togetherSuite('PostgreSQL', async () => {
  const { url, remove } = await temporaryPostgres()
  return { open: (model) => openStore(url, model), remove }
})
