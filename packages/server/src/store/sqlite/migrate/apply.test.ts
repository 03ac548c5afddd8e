import { identity, noun, reference, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { migratedSqlite } from '../../../../test/migrated-sqlite.ts'
import { migrationApplySuite } from '../../../../test/migration-apply-suite.ts'
import { modelOfNouns } from '../../../../test/model-of-nouns.ts'
import { contents, rows, temporaryDatabase } from '../../../../test/temporary-database.ts'
import { migrate } from './migrate.ts'

describe('a migration applied to SQLite', () => {
  migrationApplySuite(migratedSqlite)
})

describe('a rebuilt table', () => {
  const person = noun('person', { id: identity(), name: text(), boss: reference(() => person).nullable() })
  const freed = noun('person', { id: identity(), name: text().nullable(), boss: reference(() => freed).nullable() })
  const child = (parent: () => typeof person | typeof freed) => noun('child', { id: identity(), of: reference(parent) })

  function family() {
    const database = temporaryDatabase()
    migrate(database, modelOfNouns([person, child(() => person)]), 'start')
    database.exec(`INSERT INTO person (name, boss) VALUES ('a', 2), ('b', NULL); INSERT INTO child (of) VALUES (1)`)
    return database
  }

  it('keeps the name that references of other tables have', () => {
    const database = family()
    const report = migrate(database, modelOfNouns([freed, child(() => freed)]), 'start')
    expect(report.steps[0]?.sql.join()).toContain('_new_person')
    for (const table of ['child', 'person']) {
      const references = rows(database, `SELECT "table" FROM pragma_foreign_key_list('${table}')`)
      expect(references).toEqual([{ table: 'person' }])
    }
  })

  it('is rolled back if references are already broken', () => {
    const database = family()
    database.exec('PRAGMA foreign_keys = OFF; UPDATE child SET of = 99; PRAGMA foreign_keys = ON')
    const before = contents(database)
    expect(() => migrate(database, modelOfNouns([freed, child(() => freed)]), 'start')).toThrow(
      '1 reference refers to a record that does not exist, for example from "child" to "person".',
    )
    expect(contents(database)).toBe(before)
  })
})
