import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/open/store.ts'
import { transactionSuite } from './transaction-suite.ts'

transactionSuite('a file of SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nomen-together-'))
  return {
    open: (model) => openStore(`sqlite:${join(folder, 'test.db')}`, model),
    remove: () => rm(folder, { recursive: true }),
  }
})

transactionSuite(
  'SQLite in memory',
  async () => ({ open: (model) => openStore('sqlite::memory:', model), remove: async () => {} }),
  { readsWait: true },
)
