import type { DatabaseSync } from 'node:sqlite'
import { type AnyField, type AnyNoun, boolean, choice, identity, noun, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { modelOfNouns } from '../../../../test/model-of-nouns.ts'
import { rows, temporaryDatabase } from '../../../../test/temporary-database.ts'
import { migrate } from './migrate.ts'

const state = choice('OPEN', 'DONE')

/** Every block with records by the tallies, and the same counted from the table. */
function expectCountsRight(database: DatabaseSync, fields: readonly string[]): void {
  const tallied = rows(database, 'SELECT * FROM "_tally_item" WHERE records <> 0 ORDER BY key, level, block')
  const keys = ["''", ...fields.map((field) => `'${field}' || coalesce('=' || "${field}", '')`)]
  const counted = keys
    .flatMap((key) =>
      [8, 14, 20].map(
        (bits, level) =>
          `SELECT ${key} AS key, ${level} AS level, id >> ${bits} AS block, count(*) AS records FROM item GROUP BY 1, 2, 3`,
      ),
    )
    .join(' UNION ALL ')
  expect(tallied).toEqual(rows(database, `SELECT * FROM (${counted}) ORDER BY key, level, block`))
}

function modelOf(fields: Record<string, AnyField>) {
  const filtered = Object.keys(fields).map((name) => `item.${name}`)
  return modelOfNouns([noun('item', { id: identity(), ...fields }) as AnyNoun], { indexed: filtered })
}

function databaseOf(fields: Record<string, AnyField>, values: string): DatabaseSync {
  const database = temporaryDatabase()
  migrate(database, modelOf(fields), 'start')
  database.exec(`INSERT INTO item (id, ${Object.keys(fields).join(', ')}) VALUES ${values}`)
  return database
}

const items = "(1, 'OPEN', 'a'), (2, 'DONE', 'b'), (300, 'OPEN', 'c'), (20000, NULL, 'd'), (3000000, 'OPEN', 'e')"
const before = { state: state.nullable(), name: text() }

describe('tallies', () => {
  it('follow every insert, update and delete of any program', () => {
    const database = databaseOf(before, items)
    expectCountsRight(database, ['state'])
    database.exec(
      "UPDATE item SET state = 'DONE' WHERE id < 1000; UPDATE item SET state = NULL, name = 'x' WHERE id = 2",
    )
    expectCountsRight(database, ['state'])
    database.exec('DELETE FROM item WHERE id > 1000')
    expectCountsRight(database, ['state'])
  })

  it.each([
    ['a choice is renamed', { phase: state.nullable().renamedFrom('state'), name: text() }, ['phase']],
    ['a boolean is added', { ...before, urgent: boolean().default(true) }, ['state', 'urgent']],
    ['a choice is dropped', { name: text() }, []],
    ['the table is rebuilt', { state: state.nullable(), name: text().nullable() }, ['state']],
    ['a text becomes a choice', { state: state.nullable(), name: choice('a', 'b', 'c', 'd', 'e') }, ['name', 'state']],
  ])('are correct when %s, and stay maintained', (_, fields, counted) => {
    const database = databaseOf(before, items)
    migrate(database, modelOf(fields), 'apply')
    expectCountsRight(database, counted)
    database.exec('DELETE FROM item WHERE id = 1')
    expectCountsRight(database, counted)
  })
})
