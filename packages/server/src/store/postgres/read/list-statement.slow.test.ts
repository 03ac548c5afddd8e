// The generic plans of PostgreSQL for lists: each uses the right index.
import {
  type AnyApi,
  api,
  boolean,
  choice,
  email,
  identity,
  noun,
  type Operation,
  operations,
  reference,
  resource,
  text,
  timestamp,
} from '@nomen/core'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPostgresUrl } from '../../connection/postgres-url.ts'
import { modelOf, type StoredNoun } from '../../model.ts'
import { openStore } from '../../open/store.ts'
import type { ListPlan } from '../../plan.ts'
import { PostgresHosts } from '../connect/hosts.ts'
import { PooledConnection } from '../connect/pooled-connection.ts'
import { compile } from '../statement.ts'
import { readBelow } from '../write/path-query.ts'
import { listForm } from './list-statement.ts'

const shelf = noun('shelf', { id: identity(), name: text() })
const book = noun('book', {
  id: identity(),
  shelf: reference(() => shelf),
  title: text().indexed(),
  genre: text({ maxLength: 100 }).indexed(),
  author: text({ sort: 'de' }).indexed(),
  state: choice('HERE', 'LENT', 'LOST'),
  isOld: boolean(),
  contact: email().unique(),
  code: text().unique(),
  bought: timestamp().indexed().nullable(),
})
const library: AnyApi = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(shelf, { children: [resource(book, { offers: ['list'] })] }),
    resource(book, { by: ['contact', 'code'] }),
  ],
})
const table = operations(library)
const model = modelOf(table)

/** Enough rows for the planner to care; values are unordered, and some are rare. */
const numberOfBooks = 40_000

function* books() {
  for (let id = 1; id <= numberOfBooks; id++) {
    const number = (id * 7919) % numberOfBooks
    yield {
      id,
      shelf: 1 + (number % 20),
      title: `Title ${number % 1000}`,
      genre: `Genre ${number % 1000}`,
      author: `Äuthor ${number % 1000}`,
      state: number < 20 ? 'LOST' : number % 2 === 0 ? 'HERE' : 'LENT',
      isOld: number < 30,
      contact: `${number}@example.com`,
      code: `c${number}`,
      bought: number % 10 === 0 ? null : new Date(1.6e12 + number * 60_000).toISOString(),
    }
  }
}

let remove: () => Promise<void>
let connection: PooledConnection

beforeAll(async () => {
  const { url, remove: removeDatabase } = await temporaryPostgres()
  const store = await openStore(url, model)
  const shelves = Array.from({ length: 21 }, (_, index) => ({ id: index + 1, name: `shelf ${index + 1}` }))
  await store.loadIfEmpty(() => [
    { noun: 'shelf', rows: shelves },
    { noun: 'book', rows: books() },
  ])
  await store.close()
  connection = new PooledConnection(await new PostgresHosts(readPostgresUrl(url)).open(), () => {})
  remove = async () => {
    await connection.close()
    await removeDatabase()
  }
})
afterAll(() => remove())

function operation(id: string): Operation {
  return table.find((candidate) => candidate.id === id) as Operation
}

function listPlan(more: Partial<ListPlan> = {}, id = 'book.list'): ListPlan {
  const page = { pageNumber: 1, pageSize: 10 }
  const plan: ListPlan = {
    kind: 'list',
    operation: operation(id),
    ancestors: [],
    conditions: [],
    include: [],
    order: [],
    page,
  }
  return { ...plan, ...more }
}

const statementOf = (plan: ListPlan) => listForm(model.nouns.get('book') as StoredNoun, plan, 1e7).build()

/** The generic plan; `cost` is the cost of a random page. */
async function genericPlan(statement: string, cost?: number): Promise<string> {
  if (cost !== undefined) await connection.execute(`set random_page_cost = ${cost}`)
  const rows = await connection.execute(`explain (generic_plan, costs off) ${statement}`)
  await connection.execute('reset random_page_cost')
  return rows.map(([line]) => line).join('\n')
}

const equal = (field: string, value: string | boolean | number) => ({
  conditions: [{ kind: 'equal' as const, fields: [field], values: [value] }],
})

const lists: [string, Partial<ListPlan>, string, string?][] = [
  ['in their natural order', {}, 'book_primary_key'],
  ['in their natural order, the last first', { order: [{ field: 'id', isDescending: true }] }, 'book_primary_key'],
  ['of one choice', equal('state', 'LOST'), 'book_state'],
  ['of one flag', equal('isOld', true), '"book_isOld"'],
  ['of one reference', equal('shelf', 3), 'book_shelf'],
  ['below a parent', { ancestors: [3] }, 'book_shelf', 'shelf.book.list'],
  ['sorted by a text', { order: [{ field: 'title', isDescending: false }] }, 'book_title'],
  ['sorted by a collation', { order: [{ field: 'author', isDescending: false }] }, 'book_author_sort_[0-9a-f]{16}'],
  ['sorted by a moment that may be null', { order: [{ field: 'bought', isDescending: false }] }, 'book_bought'],
]

describe('the plan of a page', () => {
  it.each(lists)('%s uses its index and sorts nothing', async (_, more, index, id) => {
    for (const pageNumber of [1, 7]) {
      const plan = listPlan({ ...more, page: { pageNumber, pageSize: 10 } }, id)
      const { text } = statementOf(plan)
      // A table that is larger than the memory makes random reads as expensive as a slow disk does.
      for (const queryPlan of [await genericPlan(text), await genericPlan(text, 4)]) {
        expect(queryPlan).toMatch(new RegExp(`Index Scan (Backward )?using ${index} on book t`))
        expect(queryPlan).not.toMatch(/Sort|Seq Scan on book t\b/)
      }
    }
  })

  it.each([
    ['in their natural order', {}, 'book_primary_key'],
    ['of one choice', equal('state', 'HERE'), 'book_state'],
    ['of one flag', equal('isOld', false), '"book_isOld"'],
  ])('%s uses its index for late pages too, and is planned once', async (_, more, index) => {
    const plan = listPlan({ ...more, page: { pageNumber: 500, pageSize: 10 } })
    const statement = statementOf(plan)
    const queryPlan = await genericPlan(statement.text)
    expect(queryPlan).toMatch(new RegExp(`Index Scan using ${index} on book t`))
    expect(queryPlan).not.toMatch(/Sort|Seq Scan on book/)
    for (let run = 0; run < 8; run++) await connection.run(statement, plan)
    const [row] = await connection.execute(
      `select generic_plans from pg_prepared_statements where name = '${statement.name}'`,
    )
    expect(Number(row?.[0])).toBeGreaterThan(0)
  })

  it.each([
    ['of one choice', equal('state', 'LOST'), 'book_state'],
    ['of one flag', equal('isOld', true), '"book_isOld"'],
    ['of one reference', equal('shelf', 3), 'book_shelf'],
  ])('%s with included records uses its index, and looks these up by identity', async (_, more, index) => {
    for (const pageNumber of [1, 7]) {
      const plan = listPlan({ ...more, include: [1, 20_000, 40_000], page: { pageNumber, pageSize: 10 } })
      const queryPlan = await genericPlan(statementOf(plan).text)
      expect(queryPlan).toMatch(new RegExp(`Index (Only )?Scan (Backward )?using ${index} on book t`))
      expect(queryPlan).toMatch(/Index Scan using book_primary_key on book t/)
      expect(queryPlan).not.toMatch(/Seq Scan on book/)
    }
  })

  it('sorted descending sorts only records with the same value', async () => {
    const queryPlan = await genericPlan(
      statementOf(listPlan({ order: [{ field: 'bought', isDescending: true }] })).text,
    )
    expect(queryPlan).toMatch(
      /Incremental Sort[\s\S]*Presorted Key: t\.bought[\s\S]*Index Scan Backward using book_bought/,
    )
  })

  it.each(['title', 'author'])('of one string, the %s, uses the index of its prefixes', async (field) => {
    const queryPlan = await genericPlan(statementOf(listPlan(equal(field, 'Title 7'))).text)
    expect(queryPlan).toMatch(new RegExp(`Index Cond: \\(\\("left"\\(${field}, 600\\)`))
    expect(queryPlan).not.toMatch(/Seq Scan on book/)
  })

  it('of one short string uses the index of whole values', async () => {
    const queryPlan = await genericPlan(statementOf(listPlan(equal('genre', 'Genre 7'))).text)
    expect(queryPlan).toMatch(/Index Cond: \(genre = /)
    expect(queryPlan).not.toMatch(/left|Seq Scan on book/)
  })

  it('far into a list sorted by a short string skips in the index, and reads only its own records', async () => {
    const order = [{ field: 'genre', isDescending: false }]
    const page = { pageNumber: 500, pageSize: 10 }
    const plan = listPlan({ order, page })
    const statement = statementOf(plan)
    const queryPlan = await genericPlan(statement.text)
    expect(queryPlan).toMatch(/Index Only Scan using book_genre on book t/)
    expect(queryPlan).toMatch(/Index Scan using book_primary_key on book t/)
    expect(queryPlan).not.toMatch(/Seq Scan on book/)
    const [row] = await connection.run(statement, plan)
    const expected = await connection.execute('select id from book order by genre, id limit 10 offset 4990')
    const records = JSON.parse(`${row?.[1]}`) as { id: number }[]
    expect(records.map(({ id }) => id)).toEqual(expected.map(([id]) => Number(id)))
  })

  it('near the end of a sorted list skips from the end', async () => {
    const order = [{ field: 'genre', isDescending: false }]
    const plan = listPlan({ order, page: { pageNumber: numberOfBooks / 10 - 2, pageSize: 10 } })
    const { text, bind } = statementOf(plan)
    const bound = text.replaceAll(/\$(\d+)/g, (_, position) => `'${bind(plan)[Number(position) - 1]}'`)
    const steps = (await connection.execute(`explain (analyze, costs off, timing off, summary off) ${bound}`)).map(
      ([line]) => `${line}`,
    )
    const scans = steps.filter((step) => step.includes('Index Only Scan'))
    expect(scans).toEqual([
      expect.stringMatching(/Index Only Scan using book_genre .*never executed/),
      expect.stringMatching(/Index Only Scan Backward using book_genre .*rows=30/),
    ])
    const [row] = await connection.run(statementOf(plan), plan)
    const expected = await connection.execute(
      `select id from book order by genre, id limit 10 offset ${numberOfBooks - 30}`,
    )
    const records = JSON.parse(`${row?.[1]}`) as { id: number }[]
    expect(records.map(({ id }) => id)).toEqual(expected.map(([id]) => Number(id)))
  })

  it.each(lists)('%s is planned once for all values', async (_, more, __, id) => {
    const plan = listPlan(more, id)
    const statement = statementOf(plan)
    for (let run = 0; run < 8; run++) await connection.run(statement, plan)
    const [row] = await connection.execute(
      `select generic_plans from pg_prepared_statements where name = '${statement.name}'`,
    )
    expect(Number(row?.[0])).toBeGreaterThan(0)
  })

  it('with filters on several fields is planned for their values', async () => {
    const conditions = [equal('state', 'LOST'), equal('title', 'Title 7')].flatMap((filter) => filter.conditions)
    const plan = listPlan({ conditions })
    const statement = statementOf(plan)
    for (let run = 0; run < 8; run++) await connection.run(statement, plan)
    const [row] = await connection.execute(
      `select custom_plans from pg_prepared_statements where name = '${statement.name}'`,
    )
    expect(Number(row?.[0])).toBe(8)
  })

  it.each([
    ['book.read', 'book_primary_key'],
    ['book.lookup.contact', 'book_contact_unique'],
    ['book.lookup.code', 'book_code_unique'],
  ])('of one record, %s, uses its index', async (id, index) => {
    const queryPlan = await genericPlan(compile(readBelow(operation(id), operation(id).shape)).text)
    expect(queryPlan).toMatch(new RegExp(`Index Scan using ${index} on book t`))
  })
})
