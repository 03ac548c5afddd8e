import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { openStore } from '../src/store/open-store.ts'
import { storeSuite } from './store-suite.ts'

storeSuite('the store on PostgreSQL', async () => {
  const { url, remove } = await temporaryPostgres()
  return { open: (model) => openStore(url, model), remove }
})
