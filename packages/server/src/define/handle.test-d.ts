import { api, choice, identity, integer, noun, operation, resource, text } from '@nomen/core'
import { expectTypeOf, it } from 'vitest'
import type { Caller } from './caller.ts'
import { handle } from './handle.ts'

const ticket = noun('ticket', { id: identity(), title: text(), count: integer().nullable() })
const opening = operation({
  method: 'POST',
  on: 'record',
  body: { reason: text(), size: integer().default(1) },
  answer: { status: choice('OPEN', 'CLOSED'), note: text().default('') },
})
const digest = operation({ method: 'GET', on: 'collection', query: { size: integer() }, answer: ticket.fields })
const tally = operation({
  method: 'GET',
  on: 'collection',
  answer: [{ status: choice('OPEN', 'CLOSED'), count: integer().default(0) }],
})
const unlock = operation({ method: 'DELETE', on: 'record' })
const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(ticket, { operations: { opening, digest, tally, unlock } })],
})

it('tells a handler what was asked', () => {
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
