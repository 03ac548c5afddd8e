/** A small service with descriptions, a pattern, a noun without a name, and a noun with many kinds of fields. */
import {
  api,
  choice,
  date,
  decimal,
  email,
  identity,
  integer,
  noun,
  reference,
  resource,
  text,
  timestamp,
  url,
} from '@nomen/core'
import { service } from '@nomen/server'

const publisher = noun('publisher', { id: identity(), name: text() }, { label: 'name' })
const book = noun(
  'book',
  {
    id: identity(),
    publisher: reference(() => publisher),
    title: text({ maxLength: 80 }).description('As printed on the cover.').example('Dune'),
  },
  { label: 'title' },
)
const member = noun('member', { id: identity(), name: text() }, { label: 'name' })
const loan = noun('loan', {
  id: identity(),
  book: reference(() => book),
  member: reference(() => member),
  due: date().description('The last day on which the book may come back.'),
  status: choice('OPEN', 'RETURNED')
    .default('OPEN')
    .description('Where the book is.', { OPEN: 'The member has it.', RETURNED: 'It is back on the shelf.' }),
  shelf: text({ pattern: /^[A-Z]\d{2}$/ })
    .description('Where it belongs.')
    .example('C07'),
  renewals: integer({ min: 0, max: 3 }).default(0),
})

const supplier = noun(
  'supplier',
  {
    id: identity(),
    name: text({ minLength: 1 }),
    email: email(),
    site: url().nullable(),
    fee: decimal({ precision: 10, scale: 2 }),
    opened: timestamp().nullable(),
    color: text({ maxLength: 20 }).nullable(),
    notes: text().nullable(),
  },
  { label: 'name' },
)

export const lendingService = service({
  name: 'lending',
  apis: [
    api('lending', {
      versioning: 'per-noun',
      writes: 'nested',
      resources: [
        resource(loan, {
          description: 'Books in the hands of members.',
          list: ['id', 'book', 'member', 'due', 'status'],
        }),
        resource(publisher),
        resource(book),
        resource(member),
        resource(supplier, { list: ['id', 'name', 'fee', 'color', 'opened'] }),
      ],
    }),
  ],
  sample: () => [
    { noun: 'publisher', rows: [{ name: 'Chilton' }] },
    {
      noun: 'book',
      rows: [
        { title: 'Dune', publisher: 1 },
        { title: 'Emma', publisher: 1 },
      ],
    },
    { noun: 'member', rows: [{ name: 'Ada Byron' }, { name: 'Grace Hopper' }] },
    {
      noun: 'loan',
      rows: [
        { book: 1, member: 1, due: '2026-12-01', shelf: 'C07' },
        { book: 2, member: 2, due: '2026-11-20', shelf: 'A12', status: 'RETURNED' },
      ],
    },
  ],
})
