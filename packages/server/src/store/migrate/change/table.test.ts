import { expect, it } from 'vitest'
import { noTables } from '../schema/schema.ts'
import { type ChangeKind, safe } from './change.ts'
import { type TableStatements, tableSql } from './table.ts'

const statements: TableStatements = {
  createNoun: () => ['create'],
  createTallies: () => [],
  dropTallies: () => [],
  createLink: () => ['create'],
  dropTable: (table) => `drop ${table}`,
  renameColumn: () => 'rename',
}

const sqlOf = (kind: ChangeKind) => tableSql(safe(kind, 'note', 'change it'), noTables, noTables, statements)

it('drops a table only for a change that says so', () => {
  expect(sqlOf('drop-link')).toEqual(['drop note'])
  for (const kind of ['share-link', 'adopt-noun', 'recount-noun', 'release-noun', 'release-link'] as const)
    expect(sqlOf(kind)).toEqual([])
  expect(() => sqlOf('add-history')).toThrow('The change "add-history" of "note" neither creates nor drops a table.')
})
