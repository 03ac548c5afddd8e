/** A service that clients read and write at the same time, and its contents. */

export const numberOfShelves = 3
export const numberOfBooks = 5
export const numberOfAccounts = 6
/** The sum of all accounts, which transfers do not change. */
export const totalBalance = numberOfAccounts * 1000

export const groups = ['A', 'B', 'C'] as const

/** The content of an item. A write sets all properties except for the origin, which the create sets. */
export interface Content {
  readonly origin: string
  readonly writeId: string
  readonly group: (typeof groups)[number]
  readonly weight: number
}

/** Enough items that SQLite reads lists on separate threads. */
export const manyItems = 22_000

/** The service file. Its initial items are in a group that no list requests. */
export const ledgerWith = (items: number): string => `
  import { api, choice, identity, integer, link, noun, operation, range, reference, resource, text } from '@nomen/core'
  import { handle, service } from '@nomen/server'
  const item = noun('item', {
    id: identity(),
    origin: text(),
    writeId: text().unique(),
    group: choice('A', 'B', 'C', 'OTHER'),
    weight: integer(),
  })
  const shelf = noun('shelf', { id: identity(), name: text() })
  const book = noun('book', { id: identity(), name: text() })
  const account = noun('account', { id: identity(), balance: integer() })
  const look = operation({ method: 'GET', on: 'record', response: { writeId: text() } })
  const transfer = operation({ method: 'POST', on: 'record', body: { to: reference(() => account), amount: integer() } })
  const ledger = api('ledger', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      resource(item, { by: ['writeId'], search: ['origin'], filters: { weighed: range('weight') }, operations: { look } }),
      resource(shelf, {
        children: [resource(book, { via: link(shelf, book), offers: ['list', 'read', 'link'], paginated: false })],
      }),
      resource(book),
      resource(account, { operations: { transfer } }),
    ],
  })
  const looked = handle(item, look, ({ key, transaction }) => transaction(async (call) => call(ledger).item.read(key)))
  const transferred = handle(account, transfer, ({ key, body: { to, amount }, transaction }) =>
    transaction(async (call) => {
      const { account: accounts } = call(ledger)
      const source = await accounts.read(key)
      await accounts.update(key, { balance: source.balance - amount })
      const target = await accounts.read(to)
      await accounts.update(to, { balance: target.balance + amount })
    }),
  )
  const rows = (count, row) => Array.from({ length: count }, (_, at) => row(at + 1))
  export default service({
    name: 'ledger',
    apis: [ledger],
    handlers: [looked, transferred],
    sample: () => [
      {
        noun: 'item',
        rows: rows(${items}, (id) => ({ id, origin: 'other', writeId: 'other' + id, group: 'OTHER', weight: -2 })),
      },
      { noun: 'shelf', rows: rows(${numberOfShelves}, (id) => ({ id, name: 'S' + id })) },
      { noun: 'book', rows: rows(${numberOfBooks}, (id) => ({ id, name: 'B' + id })) },
      { noun: 'account', rows: rows(${numberOfAccounts}, (id) => ({ id, balance: 1000 })) },
    ],
  })
`
