// How lists are read, on both databases: explainList names the index that is missing, and the database uses it when it is there.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api, choice, identity, integer, noun, range, reference, resource, text } from '@nomen/core'
import { open, type Service, service } from '@nomen/server'
import { explainList } from '@nomen/server/admin'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'

const shelf = noun('shelf', { id: identity(), name: text() })
const fields = {
  id: identity(),
  shelf: reference(() => shelf),
  state: choice('NEW', 'OLD').unindexed(),
  year: integer(),
}
const plain = noun('book', { ...fields, title: text(), pages: integer() })
const indexed = noun(
  'book',
  { ...fields, title: text().indexed(), pages: integer().indexed() },
  {
    indexes: [
      ['shelf', 'title'],
      ['state', 'year'],
      ['shelf', 'year'],
    ],
  },
)

function library(book: typeof plain): Service {
  const filters = { size: range('pages'), years: range('year', 'pages') } as const
  const resources = [
    resource(shelf, { children: [resource(book, { offers: ['list'] })] }),
    resource(book, { search: ['title'], filters }),
  ]
  const rows = Array.from({ length: 20_000 }, (_, at) => ({
    id: at + 1,
    shelf: 1 + (at % 50),
    state: at % 500 === 0 ? 'NEW' : 'OLD',
    year: 1900 + ((at * 7) % 120),
    title: `T${(at * 7919) % 20_000}`,
    pages: (at * 104_729) % 5000,
  }))
  return service({
    name: 'library',
    apis: [api('library', { versioning: 'per-noun', writes: 'nested', resources })],
    sample: () => [
      { noun: 'shelf', rows: Array.from({ length: 50 }, (_, at) => ({ id: at + 1, name: `S${at}` })) },
      { noun: 'book', rows },
    ],
  })
}

/** A list, the index that the advice names, and the index that the database then uses. */
const cases: readonly [target: string, advice: string, index: RegExp][] = [
  ['/book?title=T7', 'Declare "title" of "book" with indexed()', /book_title/],
  ['/book?sort=title', 'Declare "title" of "book" with indexed()', /book_title/],
  ['/book?sizeFrom=4990', 'Declare "pages" of "book" with indexed()', /book_pages/],
  ['/book?shelf=3&sort=title', "Add indexes: [['shelf', 'title']]", /book_shelf_title/],
  ['/shelf/3/book?sort=title', "Add indexes: [['shelf', 'title']]", /book_shelf_title/],
  ['/book?state=NEW&year=1907', "Add indexes: [['state', 'year']]", /book_state_year/],
  ['/book?year=1907&shelf=3', "Add indexes: [['shelf', 'year']]", /book_shelf_year/],
]

async function temporarySqlite() {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-'))
  return { url: `sqlite:${join(folder, 'test.db')}`, remove: async () => rmSync(folder, { recursive: true }) }
}

describe.each([
  ['SQLite', temporarySqlite],
  ['PostgreSQL', temporaryPostgres],
])('a list on %s', (_, createDatabase) => {
  const services = { plain: library(plain), indexed: library(indexed as never) }
  const urls = { plain: '', indexed: '' }

  beforeAll(async () => {
    const removals: (() => Promise<void>)[] = []
    for (const name of ['plain', 'indexed'] as const) {
      const { url, remove } = await createDatabase()
      removals.push(remove)
      urls[name] = url
      await (await open(services[name], { database: url })).close()
      if (!url.startsWith('postgres')) continue
      const client = new pg.Client(url)
      await client.connect()
      await client.query('analyze')
      await client.end()
    }
    return async () => {
      for (const remove of removals) await remove()
    }
  })

  const explain = (name: 'plain' | 'indexed', target: string) =>
    explainList(services[name], { database: urls[name], target })

  it.each(cases)('%s without an index gets advice: %s', async (target, advice, index) => {
    const explanation = await explain('plain', target)
    expect(explanation.advice[0]).toContain(advice)
    expect(explanation.steps.join('\n')).not.toMatch(index)
  })

  it.each(cases)(
    '%s with the index gets no advice, and the database uses the index',
    async (target, _advice, index) => {
      const explanation = await explain('indexed', target)
      expect(explanation.advice).toEqual([])
      expect(explanation.steps.join('\n')).toMatch(index)
    },
  )

  it('has the number of its records, the statement and the time', async () => {
    const { numberOfRecords, statement, durationMs } = await explain('plain', '/book?shelf=3')
    expect(numberOfRecords).toBe(400)
    expect(statement).toMatch(/^select/i)
    expect(durationMs).toBeGreaterThan(0)
  })

  it('says what no index can change', async () => {
    expect(await explain('indexed', '/book?search=T7')).toMatchObject({
      advice: [expect.stringMatching(/^"search" reads the text of every record/)],
    })
    const { advice } = await explain('indexed', '/book?sort=title&pageNumber=1500')
    expect(advice).toEqual([expect.stringMatching(/^The database reads and skips the records before the page/)])
    const counted = await explain('indexed', '/book?sizeFrom=1')
    expect(counted.advice).toEqual([expect.stringMatching(/^The database counts all matching records for the total/)])
  })

  it('with a filter over several properties needs an index on each', async () => {
    const { advice } = await explain('indexed', '/book?yearsFrom=2000')
    expect(advice[0]).toContain('Declare "year" of "book" with indexed()')
  })

  it.each([
    ['/books', 'Did you mean /book?'],
    ['/book/7', 'Did you mean /book?'],
  ])('is rejected for %s', async (target, hint) => {
    await expect(explain('plain', target)).rejects.toMatchObject({ problem: { code: 'path-not-found', hint } })
  })

  it('is rejected with the problem of an unknown parameter', async () => {
    const problem = { code: 'unknown-parameter', hint: 'Did you mean "sort"?' }
    await expect(explain('plain', '/book?sorted=title')).rejects.toMatchObject({ problem })
  })
})
