import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { indexLoadSuite } from './bulk/index-load-suite.ts'
import { rows, temporaryPath } from './temporary-database.ts'

function readFile(address: string, query: string): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(address.replace(/^sqlite:/, ''))
  try {
    return rows(database, query)
  } finally {
    database.close()
  }
}

indexLoadSuite('on SQLite', {
  make: async () => `sqlite:${temporaryPath()}`,
  objects: async (address) => {
    const query = 'select "type" || \' \' || coalesce("sql", "name") as text from "sqlite_schema" order by text'
    return readFile(address, query).map(({ text }) => `${text}`)
  },
  check: async (address, records) => {
    expect(readFile(address, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const tallies = 'select coalesce(sum("records"), 0) as n from "_tally_note" where "key" = \'\' and "level" = 2'
    expect(readFile(address, tallies)).toEqual([{ n: records }])
  },
})
