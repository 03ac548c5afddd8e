import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../src/store/open/store.ts'
import { togetherSuite } from './together-suite.ts'

togetherSuite('a file of SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nomen-together-'))
  return {
    open: (model) => openStore(`sqlite:${join(folder, 'test.db')}`, model),
    remove: () => rm(folder, { recursive: true }),
  }
})

togetherSuite(
  'SQLite in memory',
  async () => ({ open: (model) => openStore('sqlite::memory:', model), remove: async () => {} }),
  { readsWait: true },
)
