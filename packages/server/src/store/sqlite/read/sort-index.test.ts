// On SQLite, a page of a list that is sorted by a collation is read along the index of the sort keys.
import { type AnyApi, api, identity, noun, operations, resource, text } from '@nomen/core'
import { describe, expect, it } from 'vitest'
import { temporaryPath } from '../../../../test/temporary-database.ts'
import { modelOf } from '../../model.ts'
import type { ListPlan } from '../../plan.ts'
import { listQuery } from '../../sql/list/query.ts'
import { sqliteDialect } from '../dialect.ts'
import { openDatabase } from '../open-database.ts'
import { compile } from '../statement.ts'
import { SqliteStore } from '../store.ts'

const name = text({ sort: 'de' })
const nouns = [
  noun('person', { id: identity(), name: name.indexed() }),
  noun('member', { id: identity('guid'), name: name.nullable().indexed() }),
  noun('visitor', { id: identity(), name }),
]

/** The steps of the planner for a page in the order of the names. */
async function planOf(which: string, isDescending: boolean): Promise<string> {
  const library: AnyApi = api('library', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: nouns.map((noun) => resource(noun)),
  })
  const table = operations(library)
  const path = temporaryPath()
  await new SqliteStore(path, modelOf(table)).close()
  const plan: ListPlan = {
    kind: 'list',
    operation: table.find(({ id }) => id === `${which}.list`) as ListPlan['operation'],
    ancestors: [],
    conditions: [],
    include: [],
    order: [{ field: 'name', isDescending }],
    page: { pageNumber: 7, pageSize: 10 },
  }
  const database = openDatabase(path)
  const { text } = compile<ListPlan>(listQuery(sqliteDialect, plan))
  const steps = database.prepare(`explain query plan ${text}`).all()
  database.close()
  return steps.map(({ detail }) => detail).join('\n')
}

describe('a page sorted by a collation', () => {
  it.each(['person', 'member'])('of the noun %s uses the covering index and sorts nothing', async (which) => {
    const steps = await planOf(which, false)
    expect(steps).toMatch(new RegExp(`SCAN t USING COVERING INDEX ${which}_name_sort_[0-9a-f]{16}`))
    expect(steps).not.toContain('USE TEMP B-TREE')
  })

  it('in descending order sorts only records with the same key', async () => {
    const steps = await planOf('person', true)
    expect(steps).toMatch(/SCAN t USING COVERING INDEX person_name_sort_/)
    expect(steps).toMatch(/USE TEMP B-TREE FOR (LAST TERM|RIGHT PART) OF ORDER BY/)
  })

  it('of a field without an index sorts all records', async () => {
    expect(await planOf('visitor', false)).toContain('USE TEMP B-TREE FOR ORDER BY')
  })
})
