// On SQLite, the records before a deep page are skipped from the nearer end of the list.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, choice, identity, noun, operations, resource, text } from '@nomen/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelOf } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { isDeepPage, type ListInput } from '../../sql/list/page.ts'
import { listQuery } from '../../sql/list/query.ts'
import { sql } from '../../sql/sql.ts'
import { sqliteDialect } from '../dialect.ts'
import { openDatabase } from '../open-database.ts'
import { compile } from '../statement.ts'
import { SqliteStore } from '../store.ts'

const person = noun('person', { id: identity(), name: text().indexed(), state: choice('IN', 'OUT') })
const table = operations(api('people', { versioning: 'per-noun', writes: 'nested', resources: [resource(person)] }))
const numberOfPeople = 10_000
const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
const path = join(folder, 'test.db')
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(async () => {
  const store = new SqliteStore(path, modelOf(table))
  const rows = Array.from({ length: numberOfPeople }, (_, index) => ({
    id: index + 1,
    name: `name ${(index * 7) % 300}`,
    state: index % 2 === 0 ? 'IN' : 'OUT',
  }))
  await store.loadIfEmpty(() => [{ noun: 'person', rows }])
  await store.close()
})

/** The identities of a page, and how many records the statement read. */
function readPage(list: Partial<ListPlan>, pageNumber: number, pageSize = 10) {
  const plan: ListInput = {
    kind: 'list',
    operation: table.find(({ id }) => id === 'person.list') as ListPlan['operation'],
    ancestors: [],
    conditions: [],
    include: [],
    order: [],
    ...list,
    page: { pageNumber, pageSize },
  }
  const database = openDatabase(path)
  let readRecords = 0
  database.function('seen', { deterministic: false }, () => {
    readRecords++
    return 1
  })
  // Every list of this test has all people. The total is constant, so the statement reads no records to count them.
  const alternatives = plan.conditions[0]?.kind === 'equal' ? plan.conditions[0].values.length : undefined
  const counting = { total: sql.lit(numberOfPeople), ...(alternatives && { alternatives }) }
  const guard = { check: () => sql`seen()`, show: () => sql`true`, shortTexts: [] }
  const query = listQuery(sqliteDialect, plan, { counting, guard, isDeep: isDeepPage(plan, 512) })
  const { text, bind } = compile<ListInput>(query)
  const row = database.prepare(text).get(...bind(plan)) as Record<string, string>
  database.close()
  const [total, json = ''] = Object.values(row)
  expect(total).toBe(numberOfPeople)
  return { identities: (JSON.parse(json) as { id: number }[]).map(({ id }) => id), readRecords }
}

describe.each([false, true])('a page sorted by an indexed text, descending: %s', (isDescending) => {
  const list = { order: [{ field: 'name', isDescending }] }

  it.each([
    [1, 10],
    [100, 1000],
    [500, 5000],
    [501, 5000],
    [900, 1010],
    [1000, 10],
  ])('reads, for page %i, at most about %i records', (pageNumber, maxRecords) => {
    // Records with the same name are sorted by identity, so the database reads the last group to its end.
    const groupSize = Math.ceil(numberOfPeople / 300) + 10
    expect(readPage(list, pageNumber).readRecords).toBeLessThanOrEqual(maxRecords + groupSize)
  })

  it('has the records of the first page and those after it, without gaps', () => {
    const pages = Array.from({ length: 12 }, (_, index) => readPage(list, index + 1, 900).identities)
    expect(pages.map(({ length }) => length)).toEqual([...Array.from({ length: 11 }, () => 900), 100])
    expect(pages.flat()).toEqual(readPage(list, 1, numberOfPeople).identities)
    expect(readPage(list, 13, 900).identities).toEqual([])
  })
})

describe('a page of two choices', () => {
  const list: Partial<ListPlan> = { conditions: [{ kind: 'equal', fields: ['state'], values: ['IN', 'OUT'] }] }

  it.each([
    [100, 1000],
    [500, 5000],
    [900, 1010],
    [1000, 10],
  ])('reads, for page %i, at most %i records of each choice', (pageNumber, maxRecords) => {
    const { identities, readRecords } = readPage(list, pageNumber)
    expect(identities).toEqual(Array.from({ length: 10 }, (_, index) => pageNumber * 10 - 9 + index))
    expect(readRecords).toBeLessThanOrEqual(2 * maxRecords)
  })
})
