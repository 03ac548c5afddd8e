import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pageSuite } from './page-suite.ts'

pageSuite('SQLite', async () => ({ database: 'sqlite::memory:', remove: async () => {} }))

/** So many that lists which have to be counted are read on a thread. */
const many = 25_000

pageSuite(
  'SQLite in a large file',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nomen-pages-'))
    return { database: `sqlite:${join(folder, 'test.db')}`, remove: () => rm(folder, { recursive: true }) }
  },
  many,
)
