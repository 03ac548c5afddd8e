import { api, boolean, identity, noun, reference, resource, text } from '@nomen/core'
import { service, visible, visibleTarget } from '@nomen/server'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { callerOf, openCallerClient } from './visible/caller-client.ts'

const book = noun('book', { id: identity(), owner: text() })
const page = noun('page', { id: identity(), book: reference(() => book), text: text(), isDraft: boolean() })
const library = api('library', {
  versioning: 'per-noun',
  writes: 'flat',
  resources: [resource(book), resource(page, { search: ['text'] })],
})

/** More rows than one batch reads while other requests wait. */
const numberOfPages = 20_100
const pages = Array.from({ length: numberOfPages }, (_, at) => ({
  id: at + 1,
  book: 1 + (at % 3),
  text: `page ${at % 100}`,
  isDraft: at % 2 === 0,
}))

it('filters lists that a reader thread reads', async () => {
  const sample = () => [
    { noun: 'book', rows: ['ada', 'bob', 'ada'].map((owner, at) => ({ id: at + 1, owner })) },
    { noun: 'page', rows: pages },
  ]
  const visibility = [
    visible(book, ({ user = '' }) => ({ owner: user })),
    visible(page, () => ({ book: visibleTarget, isDraft: false })),
  ]
  const client = await openCallerClient(
    service({ name: 'library', apis: [library], sample, visibility }),
    `sqlite:${temporaryPath()}/library.db`,
  )
  onTestFinished(() => client.close())
  for (const [user, books] of [
    ['ada', [1, 3]],
    ['bob', [2]],
    ['eve', []],
  ] as const) {
    const own = pages.filter((page) => !page.isDraft && (books as readonly number[]).includes(page.book))
    const matches = own.filter((page) => page.text.includes('page 7'))
    for (const [query, expected] of [
      ['', own],
      ['search=page%207&', matches],
      ['isDraft=true&', []],
    ] as const) {
      const { body } = await client.send(callerOf(user), {
        method: 'GET',
        url: `/page?${query}pageSize=2&pageNumber=2`,
      })
      expect(body.pageInfo.numberOfRecords, `${user} ${query}`).toBe(expected.length)
      expect(body.results.map(({ id }: { id: number }) => id)).toEqual(expected.slice(2, 4).map(({ id }) => id))
    }
  }
})
