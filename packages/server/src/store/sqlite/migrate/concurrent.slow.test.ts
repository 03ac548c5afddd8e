import { describe, expect, it } from 'vitest'
import { migrateConcurrently } from '../../../../test/migrate-concurrently.ts'
import { rows, temporaryDatabase, temporaryPath } from '../../../../test/temporary-database.ts'

describe('processes that start at the same time on one file', () => {
  it('all succeed, and one of them migrates', async () => {
    const path = temporaryPath()
    expect(await migrateConcurrently(path)).toEqual([{ isFresh: true, steps: 3 }])
    const database = temporaryDatabase(path)
    database.exec(`
      WITH RECURSIVE counted(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 100000)
      INSERT INTO user (name) SELECT 'NAME ' || number FROM counted`)
    expect(await migrateConcurrently(path, 'user.name')).toEqual([{ isFresh: false, steps: 2 }])
    const folded = `SELECT count(*) AS records FROM user WHERE name_folded = 'name ' || id`
    expect(rows(database, folded)).toEqual([{ records: 100_000 }])
  })
})
