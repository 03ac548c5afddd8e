import { expectTypeOf, it } from 'vitest'
import { client } from '../client/index.ts'
import {
  api,
  boolean,
  choice,
  date,
  identity,
  integer,
  noun,
  type OperationInput,
  type OperationOutput,
  operation,
  reference,
  resource,
  text,
} from '../index.ts'

const person = noun('person', { key: identity('guid'), name: text() })
const ticket = noun('ticket', { id: identity(), title: text(), owner: reference(() => person) })
const step = noun('step', { id: identity(), ticket: reference(() => ticket) })

const body = {
  reason: text(),
  owner: reference(() => person).nullable(),
  loud: boolean().default(false),
  note: text().defaultFrom('reason'),
}
const reopening = operation({
  method: 'POST',
  on: 'record',
  body,
  response: { status: choice('OPEN'), owner: body.owner },
})
const digest = operation({
  method: 'GET',
  on: 'collection',
  query: { since: date(), size: integer().default(3) },
  response: { count: integer() },
})
const rest = operation({
  method: 'GET',
  on: 'collection',
  query: { size: integer().default(3) },
  response: ticket.fields,
})
const tally = operation({
  method: 'GET',
  on: 'collection',
  response: [{ status: choice('OPEN', 'CLOSED'), count: integer().default(0) }],
})
const lock = operation({ method: 'PUT', on: 'record', body: { reason: text() } })
const unlock = operation({ method: 'DELETE', on: 'record' })
const stir = operation({ method: 'POST', on: 'record' })

const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(ticket, {
      operations: { reopening, digest, rest, tally, lock: [lock, unlock] },
      children: [resource(step, { operations: { stir } })],
    }),
    resource(step, { path: 'small-step', offers: ['list'], operations: { digest } }),
    resource(person),
  ],
})
const calls = () => client<typeof desk>({ baseUrl: '' })

it('accepts fields with a default as optional, and returns all of them', () => {
  expectTypeOf<OperationInput<typeof body>>().toEqualTypeOf<{
    reason: string
    owner?: string | null
    loud?: boolean
    note?: string
  }>()
  expectTypeOf<OperationOutput<typeof body>>().toEqualTypeOf<{
    reason: string
    owner: string | null
    loud: boolean
    note: string
  }>()
})

it('is called on its record by its method', () => {
  const ticketCalls = calls().ticket.of(7)
  expectTypeOf(ticketCalls.reopening.post({ reason: 'x' })).resolves.toEqualTypeOf<{
    status: 'OPEN'
    owner: string | null
  }>()
  expectTypeOf(ticketCalls.lock.put({ reason: 'x' })).resolves.toEqualTypeOf<null>()
  expectTypeOf(ticketCalls.lock.delete()).resolves.toEqualTypeOf<null>()
  expectTypeOf(ticketCalls.step.of(1).stir.post()).resolves.toEqualTypeOf<null>()
  ticketCalls.lock.delete({ requestId: 'r' })
  ticketCalls.step.of(1).stir.post(undefined, { requestId: 'r' })
  // @ts-expect-error a reason is needed
  ticketCalls.reopening.post({})
  // @ts-expect-error no such property
  ticketCalls.reopening.post({ reason: 'x', raeson: 'y' })
  // @ts-expect-error another method
  ticketCalls.reopening.put({ reason: 'x' })
  // @ts-expect-error a custom operation has no idempotency key
  ticketCalls.reopening.post({ reason: 'x' }, { idempotencyKey: 'k' })
  // @ts-expect-error it belongs to the collection
  ticketCalls.digest
})

it('is called on its collection', () => {
  const { ticket, smallStep, person } = calls()
  expectTypeOf(ticket.digest.get({ since: '2026-01-01' })).resolves.toEqualTypeOf<{ count: number }>()
  expectTypeOf(ticket.rest.get()).resolves.toEqualTypeOf<{ id: number; title: string; owner: string }>()
  expectTypeOf(ticket.tally.get()).resolves.toEqualTypeOf<{ status: 'OPEN' | 'CLOSED'; count: number }[]>()
  expectTypeOf(smallStep.digest.get({ since: '2026-01-01', size: 7 })).resolves.toEqualTypeOf<{ count: number }>()
  // @ts-expect-error since is needed
  ticket.digest.get()
  // @ts-expect-error it belongs to the record
  ticket.reopening
  // @ts-expect-error nothing is below it
  smallStep.of(1)
  // @ts-expect-error nothing is below it
  person.of('x')
})

it('is declared only with options of its method', () => {
  // @ts-expect-error no such method
  operation({ method: 'PATCH', on: 'record' })
  // @ts-expect-error no such value of on
  operation({ method: 'POST', on: 'page' })
  // @ts-expect-error a GET has no body
  operation({ method: 'GET', on: 'record', body, response: body })
  // @ts-expect-error a GET has a response
  operation({ method: 'GET', on: 'record' })
  // @ts-expect-error a POST has no query
  operation({ method: 'POST', on: 'record', query: body })
  // @ts-expect-error a DELETE has no body
  operation({ method: 'DELETE', on: 'record', body })
  // @ts-expect-error an array without a shape
  operation({ method: 'GET', on: 'record', response: [] })
  // @ts-expect-error an array of two shapes
  operation({ method: 'GET', on: 'record', response: [body, body] })
  // @ts-expect-error a body is not an array
  operation({ method: 'POST', on: 'record', body: [body] })
  // @ts-expect-error no such code
  operation({ method: 'POST', on: 'record', problems: ['teapot'] })
})
