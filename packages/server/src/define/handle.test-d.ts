import { api, choice, createdAt, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { type Client, client } from '@nomen/core/client'
import { expectTypeOf, it } from 'vitest'
import type { Caller } from './caller/caller.ts'
import { handle } from './handle.ts'

const ticket = noun('ticket', { id: identity(), title: text(), count: integer().nullable() })
const opening = operation({
  method: 'POST',
  on: 'record',
  body: { reason: text(), size: integer().default(1) },
  response: { status: choice('OPEN', 'CLOSED'), note: text().default('') },
})
const digest = operation({ method: 'GET', on: 'collection', query: { size: integer() }, response: ticket.fields })
const tally = operation({
  method: 'GET',
  on: 'collection',
  response: [{ status: choice('OPEN', 'CLOSED'), count: integer().default(0) }],
})
const unlock = operation({ method: 'DELETE', on: 'record' })
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { operations: { opening, digest, tally, unlock } })],
})

it('types the request of a handler', () => {
  handle(ticket, opening, ({ key, record, body, query, ancestors, caller, requestId, call }) => {
    expectTypeOf(key).toEqualTypeOf<number>()
    expectTypeOf(record).toEqualTypeOf<{ id: number; title: string; count: number | null }>()
    expectTypeOf(body).toEqualTypeOf<{ reason: string; size: number }>()
    expectTypeOf(query).toEqualTypeOf<undefined>()
    expectTypeOf(ancestors).toEqualTypeOf<readonly (string | number)[]>()
    expectTypeOf(caller).toEqualTypeOf<Caller>()
    expectTypeOf(requestId).toEqualTypeOf<string>()
    expectTypeOf(call(desk, caller).ticket.read(1)).resolves.toEqualTypeOf<typeof record>()
    expectTypeOf(call(desk).ticket.of(1).unlock.delete()).resolves.toEqualTypeOf<null>()
    return { status: 'OPEN' }
  })
  // @ts-expect-error a collection has no key
  handle(ticket, digest, ({ key }) => ({ id: key, title: '', count: null }))
})

it('gives from what is done together what its function gives', () => {
  handle(ticket, opening, async ({ key, call, transaction }) => {
    const done = transaction(async (inner) => {
      expectTypeOf(inner).toEqualTypeOf(call)
      return (await inner(desk).ticket.read(key)).count
    })
    expectTypeOf(done).toEqualTypeOf<Promise<number | null>>()
    expectTypeOf(transaction(async () => {}, { limit: 100 })).toEqualTypeOf<Promise<void>>()
    // @ts-expect-error what is not awaited is not part of it
    void transaction((inner) => [inner(desk).ticket.read(key)])
    // @ts-expect-error no such option
    void transaction(async () => {}, { timeout: 100 })
    return { status: 'OPEN' }
  })
  handle(ticket, opening, ({ transaction }) => transaction(async () => ({ status: 'OPEN' })))
  // @ts-expect-error no such status
  handle(ticket, opening, ({ transaction }) => transaction(async () => ({ status: 'AJAR' })))
})

it('takes from a handler what is declared', () => {
  handle(ticket, opening, async () => ({ status: 'OPEN', note: 'x' }))
  handle(ticket, digest, ({ query: { size } }) => ({ id: size, title: '' }))
  handle(ticket, unlock, () => {})
  handle(ticket, unlock, async ({ call, key }) => call(desk).ticket.delete(key))
  handle(ticket, tally, () => [{ status: 'OPEN' }, { status: 'CLOSED', count: 7 }])
  handle(ticket, tally, () => [])
  handle(ticket, tally, async ({ call }) => {
    const { results } = await call(desk).ticket.list()
    return results.map(({ id }) => ({ status: 'OPEN', count: id }))
  })
  handle(ticket, tally, async ({ call }) => call(desk).ticket.tally.get())
  // @ts-expect-error a list is declared
  handle(ticket, tally, () => ({ status: 'OPEN', count: 1 }))
  // @ts-expect-error no such status in a list
  handle(ticket, tally, () => [{ status: 'AJAR', count: 1 }])
  // @ts-expect-error no list is declared
  handle(ticket, opening, () => [{ status: 'OPEN' }])
  // @ts-expect-error no such status
  handle(ticket, opening, () => ({ status: 'AJAR' }))
  // @ts-expect-error the status is missing
  handle(ticket, opening, async () => ({ note: 'x' }))
  // @ts-expect-error nothing is given
  handle(ticket, opening, () => {})
})

it('lets a handler, and no client, call internal operations and write managed fields', () => {
  const part = noun('part', {
    id: identity(),
    ticket: reference(() => ticket),
    name: text(),
    stock: integer().managed(),
    since: createdAt(),
  })
  const store = api('store', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [
      resource(part, {
        internal: ['create', 'delete'],
        complete: ['id', 'ticket', 'name'],
        rename: { count: 'stock' },
      }),
      resource(ticket, {
        offers: ['read'],
        operations: { opening },
        children: [resource(part, { path: 'own-part', internal: ['create'] })],
      }),
    ],
  })
  const outside = client<typeof store>({ baseUrl: '' })
  expectTypeOf(outside).toEqualTypeOf<Client<typeof store>>()
  expectTypeOf<keyof typeof outside.part>().toEqualTypeOf<
    'list' | 'pages' | 'records' | 'read' | 'replace' | 'update'
  >()
  // @ts-expect-error only a handler creates it
  outside.part.create
  // @ts-expect-error also below a record
  outside.ticket.of(1).ownPart.create
  // @ts-expect-error only a handler writes it
  outside.part.update(1, { count: 2 })
  handle(ticket, opening, async ({ call }) => {
    const inside = call(store)
    await inside.part.create({ ticket: 1, name: 'Roller', count: 2 })
    await inside.part.create({ ticket: 1, name: 'Roller' })
    await inside.part.update(1, { count: 2 })
    await inside.part.replace(1, { ticket: 1, name: 'Roller', count: 2 })
    await inside.part.delete(1)
    await inside.ticket.of(1).ownPart.create({ name: 'Roller', stock: 2 })
    // @ts-expect-error a number
    await inside.part.update(1, { count: 'two' })
    // @ts-expect-error the service sets it by itself
    await inside.part.update(1, { since: '2026-01-01T00:00:00Z' })
    // @ts-expect-error not offered, and not internal
    inside.ticket.create
    return { status: 'OPEN' }
  })
})
