import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/open/store.ts'
import { storeSuite } from './store-suite.ts'

storeSuite('the store on SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nomen-store-'))
  return {
    open: (model) => openStore(`sqlite:${join(folder, 'test.db')}`, model),
    remove: () => rm(folder, { recursive: true }),
  }
})
