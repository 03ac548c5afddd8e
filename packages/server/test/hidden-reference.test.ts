// A reference to records that no client can find causes a warning at start.
import { identity, noun, reference, resource, text } from '@nomen/core'
import { expect, it } from 'vitest'
import { openService, plainApi, serviceOf } from './test-service.ts'

const author = noun('author', { id: identity(), name: text() })
const book = noun('book', { id: identity(), author: reference(() => author).nullable() })

it.each([
  [[resource(book)], ['"author" of "book" refers to "author", which no resource shows.']],
  [[resource(book), resource(author)], []],
])('a service warns of references to nouns that no resource shows', async (resources, expected) => {
  const warnings: string[] = []
  const ignore = () => undefined
  const warn = (_: object, message: string) => void warnings.push(message)
  const log = { debug: ignore, info: ignore, warn, error: ignore }
  const app = await openService(serviceOf([plainApi(...resources)]), { log })
  expect(warnings).toEqual(expected)
  expect((await app.get('/book')).status).toBe(200)
})
