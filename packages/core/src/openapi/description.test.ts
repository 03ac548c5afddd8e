// Descriptions and examples: from a declaration into its document, and back.
import { describe, expect, it } from 'vitest'
import {
  type ApiOptions,
  api,
  boolean,
  choice,
  custom,
  DeclarationError,
  date,
  decimal,
  equal,
  identity,
  integer,
  noun,
  operation,
  reference,
  resource,
  text,
} from '../index.ts'
import { openapi, readOpenApi } from './index.ts'

const book = noun(
  'book',
  { id: identity(), title: text({ maxLength: 80 }).description('As printed.').example('Dune') },
  { description: 'A book that can be lent.', label: 'title' },
)
const loan = noun(
  'loan',
  {
    id: identity().description('Printed on the receipt.'),
    book: reference(() => book).description('The book on loan.'),
    due: date().description('The last day.').example('2026-12-01'),
    status: choice('OPEN', 'RETURNED').description('Where the book is.', { OPEN: 'At home.', RETURNED: 'Back here.' }),
    fee: decimal({ scale: 2 }).example('1.50').nullable(),
  },
  { description: 'A book in the hands of a member.' },
)
const renewal = operation({
  method: 'POST',
  on: 'record',
  description: 'Puts the last day off.',
  body: { days: integer({ min: 1, max: 28 }).description('By how many days.').example(14) },
  response: { due: date() },
})
const late = operation({
  method: 'GET',
  on: 'collection',
  query: { since: date().description('The first day that counts.').example('2026-01-01') },
  response: { count: integer() },
})
const library = api('library', {
  description: 'Books and loans of the city library.',
  contact: { name: 'City library', email: 'library@example.com' },
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(book),
    resource(loan, {
      description: { list: 'Loans, the oldest first.', create: 'Lends a book.' },
      by: [],
      filters: {
        overdue: custom(boolean().description('Due before today.')),
        day: equal('due').description('Any day.'),
      },
      operations: { renewal, late },
    }),
  ],
})
const declareApi = (options: Partial<ApiOptions>) =>
  api('library', { versioning: 'per-noun', writes: 'nested', resources: [], ...options })
const document = JSON.parse(JSON.stringify(openapi(library)))
const table = readOpenApi(document)

describe('a document', () => {
  it('has a description of the api and of its nouns', () => {
    expect(document.info.description).toBe('Books and loans of the city library.')
    expect(document.tags).toContainEqual({ name: 'loan', description: 'A book in the hands of a member.' })
    expect(document.components.schemas.Loan.description).toBe('A book in the hands of a member.')
    expect(document.components.schemas.LoanListItem.description).toBe('A book in the hands of a member.')
  })

  it('has the contact and the license of the api', () => {
    expect(document.info.contact).toEqual({ name: 'City library', email: 'library@example.com' })
    expect(document.info.license).toEqual({ name: 'Apache 2.0', identifier: 'Apache-2.0' })
  })

  it('describes the properties, their values and examples, in records and bodies', () => {
    for (const name of ['Loan', 'LoanCreate', 'LoanReplace', 'LoanUpdate']) {
      const { properties } = document.components.schemas[name]
      expect(properties.due).toMatchObject({ description: 'The last day.', examples: ['2026-12-01'] })
      expect(properties.status).toEqual({ $ref: '#/components/schemas/LoanStatus' })
    }
    expect(document.components.schemas.LoanStatus).toEqual({
      type: 'string',
      description: 'Where the book is.',
      enum: ['OPEN', 'RETURNED'],
      'x-enumDescriptions': { OPEN: 'At home.', RETURNED: 'Back here.' },
    })
    expect(document.components.schemas.LoanListItem.properties.book).toMatchObject({ description: 'The book on loan.' })
    expect(document.components.schemas.Loan.examples).toEqual([
      { id: 1, book: 1, due: '2026-12-01', status: 'OPEN', fee: '1.50' },
    ])
  })

  it('has an example of a reference label from the examples of its fields', () => {
    expect(document.components.schemas.LoanListItem.examples[0].book).toBe('Dune')
  })

  it('has the description of an operation before the text for its kind', () => {
    expect(document.paths['/loan'].get.description).toBe('Loans, the oldest first.')
    expect(document.paths['/loan'].post.description).toMatch(
      /^Lends a book\.\n\nThe body contains the properties that clients can set/,
    )
    expect(document.paths['/book'].get.description).toBe('A book that can be lent.')
    expect(document.paths['/book/{id}'].get.description).toMatch(/^Returns the record with its ETag/)
    expect(document.paths['/loan/{loanId}/renewal'].post.description).toBe('Puts the last day off.')
  })

  it('describes filters by their property or by their own description', () => {
    const described = (path: string, name: string) =>
      document.paths[path].get.parameters.find((parameter: { name?: string }) => parameter.name === name)
    expect(described('/loan', 'due').description).toMatch(/^The last day\. Records with this value/)
    expect(described('/loan', 'due').schema.items).toEqual({ type: 'string', format: 'date', examples: ['2026-12-01'] })
    expect(described('/loan', 'day').description).toMatch(/^Any day\. Records with this value/)
    expect(described('/loan', 'overdue').description).toMatch(/^Due before today\. Records that match/)
    expect(described('/loan/{id}', 'id').description).toBe('Printed on the receipt.')
    expect(described('/loan/late', 'since')).toMatchObject({
      description: 'The first day that counts.',
      schema: { examples: ['2026-01-01'] },
    })
  })
})

describe('a document that is read back', () => {
  it('has the descriptions and examples of the declaration', () => {
    expect(table.description).toBe('Books and loans of the city library.')
    const loans = table.collections.find(({ noun: name }) => name === 'loan')
    expect(loans?.description).toBe('A book in the hands of a member.')
    const status = loans?.record?.properties.get('status')?.shape
    expect([status?.description, Object.fromEntries(status?.valueDescriptions ?? [])]).toEqual([
      'Where the book is.',
      { OPEN: 'At home.', RETURNED: 'Back here.' },
    ])
    expect(loans?.record?.properties.get('due')?.shape.example).toBe('2026-12-01')
    expect(loans?.operations.create?.description).toMatch(/^Lends a book\./)
  })

  it('reads OpenAPI 3.0 and lists of descriptions, and uses the tag for a record without a description', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'integer', example: 7 },
        size: { type: 'string', enum: ['S', 'L'], 'x-enum-descriptions': ['Small', 'Large'] },
      },
    }
    const responses = { 200: { description: '', content: { 'application/json': { schema } } } }
    const foreign = readOpenApi({
      openapi: '3.0.3',
      tags: [{ name: 'shirts', description: 'All about shirts' }],
      paths: { '/shirt/{id}': { get: { tags: ['shirts'], responses } } },
    })
    const [shirts] = foreign.collections
    expect(shirts?.description).toBe('All about shirts')
    expect(shirts?.record?.properties.get('id')?.shape.example).toBe(7)
    expect([...(shirts?.record?.properties.get('size')?.shape.valueDescriptions ?? [])]).toEqual([
      ['S', 'Small'],
      ['L', 'Large'],
    ])
  })
})

describe('a declaration is rejected', () => {
  const id = identity()
  it.each<[string, () => unknown, RegExp]>([
    [
      'an example beyond the limits',
      () => noun('note', { id, title: text({ maxLength: 3 }).example('long') }),
      /example "long" is invalid: it must have at most 3/,
    ],
    [
      'an example that is not a value of the choice',
      () => noun('note', { id, state: choice('A').example('B' as 'A') }),
      /example "B" is invalid: it must be "A"/,
    ],
    [
      'the example null of a field that is not nullable',
      () => noun('note', { id, title: text().example(null) }),
      /example null is invalid: it must not be null/,
    ],
    [
      'an example in another form',
      () => noun('note', { id, fee: decimal({ scale: 2 }).example('1.5') }),
      /write "1\.50"/,
    ],
    [
      'an example of a reference',
      () => noun('note', { id, of: reference(() => book).example(1 as never) }),
      /reference cannot have an example/,
    ],
    [
      'an empty description',
      () => noun('note', { id, title: text().description(' ') }),
      /description must be a non-empty string, not " "/,
    ],
    [
      'an empty description of a noun',
      () => noun('note', { id }, { description: '' }),
      /description must be a non-empty string, not ""/,
    ],
    [
      'a description of an unknown value',
      () => noun('note', { id, state: choice('A').description('…', { B: 'b' } as object) }),
      /has a text for the value "B".*\n.*use one of A/,
    ],
    [
      'values of a text',
      () => noun('note', { id, title: text().description('…', { B: 'b' }) }),
      /only a choice has them/,
    ],
    ['an unknown operation', () => resource(book, { description: { destroy: 'x' } as object }), /"destroy"/],
    [
      'an empty description of a filter',
      () => resource(book, { filters: { same: equal('title').description('') } }),
      /filter "same"/,
    ],
    [
      'an empty description of an operation',
      () => resource(book, { operations: { lock: operation({ method: 'POST', on: 'record', description: '' }) } }),
      /operation "lock"/,
    ],
    [
      'an unknown member of a contact',
      () => declareApi({ contact: { mail: 'a@b.c' } as object }),
      /"mail" does not exist/,
    ],
    ['an empty contact', () => declareApi({ contact: { name: ' ' } }), /name must be a non-empty string, not " "/],
    ['a license without a name', () => declareApi({ license: { identifier: 'MIT' } as never }), /license has no name/],
    [
      'a license with an identifier and a URL',
      () => declareApi({ license: { name: 'MIT', identifier: 'MIT', url: 'https://example.com' } }),
      /has an identifier and a url/,
    ],
  ])('with %s', (_, declare, message) => {
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(message)
  })
})

it('describes the collation of a sorted list', () => {
  const person = noun('person', {
    id: identity(),
    firstName: text({ sort: 'de' }),
    lastName: text({ sort: 'de' }),
    town: text({ sort: 'sv' }).visibleTo('town:read'),
  })
  const phoneBook = api('phone-book', { versioning: 'per-noun', writes: 'flat', resources: [resource(person)] })
  const parameters = openapi(phoneBook).paths['/person']?.get?.parameters as { name: string; description: string }[]
  expect(parameters.find(({ name }) => name === 'sort')?.description).toContain(
    'Strings are sorted by code point, except firstName, lastName (collation de), town (collation sv).',
  )
})

it('describes in which properties a search ignores accents', () => {
  const insensitive = text({ search: 'accent-insensitive' })
  const person = noun('person', { id: identity(), lastName: insensitive, town: text() })
  const description = (search: readonly ('surname' | 'town')[]) => {
    const people = resource(person, { rename: { surname: 'lastName' }, search })
    const phoneBook = api('phone-book', { versioning: 'per-noun', writes: 'flat', resources: [people] })
    const parameters = openapi(phoneBook).paths['/person']?.get?.parameters as { name: string; description: string }[]
    return parameters.find(({ name }) => name === 'search')?.description
  }
  expect(description(['town'])).toMatch(/^Text to search for, case-insensitive\. /)
  expect(description(['surname'])).toMatch(/^Text to search for, case-insensitive and accent-insensitive\. /)
  expect(description(['surname', 'town'])).toMatch(/case-insensitive, in surname also accent-insensitive\. /)
})
