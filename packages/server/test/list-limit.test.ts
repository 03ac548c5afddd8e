// The records of one list are limited in bytes: a larger list is a problem with a hint, on both databases.
import { identity, integer, noun, reference, resource, text } from '@nomen/core'
import { compute, service } from '@nomen/server'
import { isOnPostgres } from '@nomen/testing/test-database'
import { expect, it } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, plainApi } from './test-service.ts'

const shelf = noun('shelf', { id: identity(), name: text() })
const book = noun('book', { id: identity(), shelf: reference(() => shelf), title: text() })
const leaf = noun('leaf', { id: identity(), text: text() }, { computed: { length: integer() } })

const listed = plainApi(
  resource(shelf, { children: [resource(book, { paginated: false })] }),
  resource(book, { search: ['title'] }),
  resource(leaf),
)

/** Books of one shelf, each with this number of characters. */
const library = (count: number, length: number) =>
  service({
    name: 'library',
    apis: [listed],
    computed: [compute(leaf, 'length', ['text'], ({ text }) => text.length)],
    sample: () => [
      { noun: 'shelf', rows: [{ id: 1, name: 'one' }] },
      { noun: 'book', rows: books(count, length) },
      { noun: 'leaf', rows: Array.from({ length: 5 }, (_, at) => ({ id: at + 1, text: 'x'.repeat(1_000_000) })) },
    ],
  })

function* books(count: number, length: number) {
  for (let id = 1; id <= count; id++) yield { id, shelf: 1, title: 'é'.repeat(length / 2) }
}

const tooLarge = (bytes: number) => ({
  status: 400,
  body: {
    code: 'list-too-large',
    detail: `The records of this list exceed the limit of ${bytes} bytes of JSON.`,
    hint: 'Request a smaller pageSize, or set a filter if the list has no pages.',
  },
})

it.each(isOnPostgres ? ['the server'] : ['memory', 'a file'])('limits a list in bytes, in %s', async (where) => {
  const database = where === 'a file' ? { database: `sqlite:${temporaryPath()}/library.db` } : {}
  const { get } = await openService(library(50, 1000), { listLimit: 20_000, ...database })
  expect((await get('/book?pageSize=19')).body.results).toHaveLength(19)
  for (const url of [
    '/book?pageSize=20',
    '/book?search=%C3%A9&pageSize=20',
    '/book?shelf=1&sort=-title&pageSize=1000',
    '/shelf/1/book',
  ])
    expect(await get(url), url).toMatchObject(tooLarge(20_000))
  expect((await get('/shelf/1/book?id=3&id=4')).body).toHaveLength(2)
  expect((await get('/shelf/2/book')).status).toBe(404)
})

it.each(isOnPostgres ? ['the server'] : ['a file'])('rejects a page of many large records, in %s', async (where) => {
  const database = where === 'a file' ? { database: `sqlite:${temporaryPath()}/library.db` } : {}
  const { get } = await openService(library(20, 1_000_000), database)
  for (const url of ['/book?pageSize=20', '/book?pageSize=20&sort=title', '/shelf/1/book'])
    expect(await get(url), url).toMatchObject(tooLarge(8 * 1024 * 1024))
  expect((await get('/book?pageSize=7')).text.length).toBeGreaterThan(3_000_000)
})

it('limits a list with computed fields to less', async () => {
  const { get } = await openService(library(1, 10))
  expect(await get('/leaf')).toMatchObject(tooLarge(2 * 1024 * 1024))
  expect((await get('/leaf?pageSize=2')).body.results[1].length).toBe(1_000_000)
})
