import { describe, expect, it } from 'vitest'
import {
  api,
  collectDeclarationErrors,
  DeclarationError,
  identity,
  integer,
  noun,
  operations,
  reference,
  resource,
  text,
} from '../index.ts'

function errorOf(declare: () => unknown): DeclarationError {
  try {
    declare()
  } catch (error) {
    if (error instanceof DeclarationError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}

const subjects = (errors: readonly DeclarationError[]) => errors.map(({ subject, mistake }) => `${subject} ${mistake}`)
const options = { versioning: 'per-noun', writes: 'nested' } as const

describe('several mistakes', () => {
  it('of one noun are reported together, numbered, each with its fix', () => {
    const error = errorOf(() =>
      noun('Books', { id: identity(), Title: text(), pages: integer({ min: 9, max: 1 }) }, { label: 'nme' as never }),
    )
    expect(error.message).toBe(`4 mistakes in the declarations:
  1. noun "Books": the name of a noun must be in lower kebab-case.
     Fix: rename it to "book".
  2. noun "Books": the property name "Title" must be in camelCase.
     Fix: rename it to "title".
  3. noun "Books", field "pages": min 9 is greater than max 1.
     Fix: swap them.
  4. noun "Books": label refers to the field "nme", which does not exist.
     Fix: use one of id, Title, pages.`)
    expect(error.errors).toHaveLength(4)
    expect(error.errors[2]).toMatchObject({ subject: 'noun "Books", field "pages"', fix: 'swap them.' })
  })

  it('are a single error with one entry, if there is only one mistake', () => {
    const error = errorOf(() => noun('book', { title: text() }))
    expect(error.errors).toEqual([error])
    expect(error.message).toBe(
      'noun "book": it has no identity (primary key).\n  Fix: declare exactly one identity, such as id: identity().',
    )
  })

  it('of one resource are reported together', () => {
    const book = noun('book', { id: identity(), title: text(), pages: integer() })
    const options = { path: 'books', list: ['titel'], by: ['pages'], pageSize: { default: 0 }, serch: [] }
    const { errors } = errorOf(() => resource(book, options as never))
    expect(subjects(errors)).toEqual([
      'resource "books" the path segment "books" looks like a plural; path segments must be singular.',
      'resource "books" the option "serch" does not exist.',
      'resource "books" the default page size 0 with the maximum 1000 is invalid.',
      'resource "books" list refers to "titel", which does not exist.',
    ])
  })

  it('of one api are reported together, including those of its resources', () => {
    const book = noun('book', { id: identity(), title: text() })
    const usage = noun('usage', { id: identity(), title: text() })
    const { errors } = errorOf(() =>
      api('Library', {
        ...options,
        writes: 'flt' as 'flat',
        resources: [resource(book, { paginated: false }), resource(usage)],
      }),
    )
    expect(subjects(errors)).toEqual([
      'api "Library" the name of an API must be in lower kebab-case.',
      'api "Library" writes must not be "flt".',
      'api "Library", resource "book" paginated: false is not possible for a root resource.',
      'api "Library", resource "usage" the path /usage is reserved for the service itself.',
    ])
  })
})

describe('errors that are collected', () => {
  it('are those of all declarations, without consequential errors', async () => {
    const { errors, result } = await collectDeclarationErrors(async () => {
      const book = noun('books', { id: identity(), title: text({ maxLength: -1 }) })
      const author = noun('author', { name: text() })
      const member = noun('member', { id: identity(), book: reference(() => book) })
      const resources = [
        resource(book, { list: ['nothing'] as never }),
        resource(author),
        resource(member, { by: ['book'] as never }),
      ]
      api('library', { ...options, resources })
      return 'the end'
    })
    expect(result).toBe('the end')
    expect(subjects(errors)).toEqual([
      'noun "books" the name looks like a plural; nouns must be singular.',
      'noun "books", field "title" minLength and maxLength must be non-negative integers, not -1.',
      'noun "author" it has no identity (primary key).',
      'resource "member" "by" contains "book", which is not unique.',
    ])
  })

  it('report a misspelled operation once, although the operations of the api are made from it', async () => {
    const { errors } = await collectDeclarationErrors(async () => {
      const book = noun('book', { id: identity(), title: text() })
      const resources = [resource(book, { offers: ['list', 'reed' as 'read'] })]
      operations(api('library', { ...options, resources }))
    })
    expect(subjects(errors)).toEqual(['resource "book" offers has "reed", which is not an operation.'])
  })

  it('name the line of the field', async () => {
    const { errors } = await collectDeclarationErrors(async () =>
      noun('book', {
        id: identity(),
        title: text({ maxLength: -1 }).unique(),
      }),
    )
    const line = new Error().stack?.split('\n')[1]?.match(/:(\d+):/)?.[1]
    expect(errors[0]?.stack).toContain(`collect.test.ts:${Number(line) - 3}:`)
  })

  it('end with a thrown error, and do not affect later declarations', async () => {
    const work = async () => {
      noun('books', { id: identity() })
      throw new TypeError('follows from it')
    }
    const { errors } = await collectDeclarationErrors(work)
    expect(subjects(errors)).toHaveLength(1)
    await expect(collectDeclarationErrors(() => Promise.reject(new TypeError('alone')))).rejects.toThrow('alone')
    expect(() => noun('books', { id: identity() })).toThrow('plural')
  })
})
