import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { usageSuite } from './usage-suite.ts'

usageSuite('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-usage-'))
  const path = join(folder, 'test.db')
  return {
    address: `sqlite:${path}`,
    execute: async (...statements) => {
      const database = new DatabaseSync(path, { timeout: 5000 })
      for (const statement of statements) database.exec(statement)
      database.close()
    },
    rejecting: [`create trigger "rejecting" before insert on "_usage" begin select raise(abort, 'no room'); end`],
    allowing: ['drop trigger "rejecting"'],
    remove: async () => rmSync(folder, { recursive: true }),
  }
})
