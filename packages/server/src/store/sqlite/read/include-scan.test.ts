// On SQLite, a list with included records scans no more records than one without them.
import { type AnyApi, api, boolean, choice, identity, noun, operations, reference, resource } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { temporaryPath } from '../../../../test/temporary-database.ts'
import { modelOf } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { listQuery } from '../../sql/list/query.ts'
import { sqliteDialect } from '../dialect.ts'
import { openDatabase } from '../open-database.ts'
import { compile } from '../statement.ts'
import { SqliteStore } from '../store.ts'

const shelf = noun('shelf', { id: identity() })
const book = noun('book', {
  id: identity(),
  shelf: reference(() => shelf),
  state: choice('HERE', 'LENT', 'LOST'),
  isOld: boolean(),
})
const library: AnyApi = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(shelf), resource(book)],
})
const table = operations(library)

/** Few are lost, old or on the first shelf. */
const numberOfBooks = 5000
const few = 25

function* books() {
  for (let id = 1; id <= numberOfBooks; id++) {
    const isRare = id % (numberOfBooks / few) === 0
    yield { id, shelf: isRare ? 1 : 2, state: isRare ? 'LOST' : 'HERE', isOld: isRare }
  }
}

async function filled(): Promise<string> {
  const path = temporaryPath()
  const store = new SqliteStore(path, modelOf(table))
  await store.loadIfEmpty(() => [
    { noun: 'shelf', rows: [{ id: 1 }, { id: 2 }] },
    { noun: 'book', rows: books() },
  ])
  await store.close()
  return path
}

/** Whether a statement starts at the first or last record of the books, or of one of their indexes. */
function isScanning(path: string, statement: string): boolean {
  const database = openDatabase(path)
  const pages = database.prepare(`select rootpage from sqlite_schema where tbl_name = 'book'`).all()
  const roots = new Set(pages.map(({ rootpage }) => rootpage))
  const steps = database.prepare(`explain ${statement}`).all()
  database.close()
  const reads = steps.filter(({ opcode, p2 }) => opcode === 'OpenRead' && roots.has(p2 as number))
  const cursors = new Set(reads.map(({ p1 }) => p1))
  expect(cursors.size).toBeGreaterThan(0)
  return steps.some(({ opcode, p1 }) => (opcode === 'Rewind' || opcode === 'Last') && cursors.has(p1))
}

describe('a list with included records', () => {
  it.each([
    ['state', 'LOST'],
    ['isOld', 1],
    ['shelf', 1],
  ])('by %s uses an index, and looks included records up by identity', async (field, value) => {
    const path = await filled()
    const plan: ListPlan = {
      kind: 'list',
      operation: table.find(({ id }) => id === 'book.list') as ListPlan['operation'],
      ancestors: [],
      conditions: [{ kind: 'equal', fields: [field], values: [value] }],
      include: [],
      order: [],
      page: { pageNumber: 1, pageSize: 10 },
    }
    for (const pageNumber of [1, 2]) {
      const page = { pageNumber, pageSize: 10 }
      const { text } = compile(listQuery(sqliteDialect, { ...plan, page, include: [7, 8, 9] }))
      expect(isScanning(path, text)).toBe(false)
    }
    expect(isScanning(path, `select * from book where "${field}" = 1 or id % 7 = 0`)).toBe(true)
  })
})
