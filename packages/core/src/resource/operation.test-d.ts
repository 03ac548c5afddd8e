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
  answer: { status: choice('OPEN'), owner: body.owner },
})
const digest = operation({
  method: 'GET',
  on: 'collection',
  query: { since: date(), size: integer().default(3) },
  answer: { count: integer() },
})
const rest = operation({
  method: 'GET',
  on: 'collection',
  query: { size: integer().default(3) },
  answer: ticket.fields,
})
const tally = operation({
  method: 'GET',
  on: 'collection',
  answer: [{ status: choice('OPEN', 'CLOSED'), count: integer().default(0) }],
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

it('takes fields with a default as they please, and gives all of them', () => {
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

it('is called at its record by its method', () => {
  const one = calls().ticket.of(7)
  expectTypeOf(one.reopening.post({ reason: 'x' })).resolves.toEqualTypeOf<{ status: 'OPEN'; owner: string | null }>()
  expectTypeOf(one.lock.put({ reason: 'x' })).resolves.toEqualTypeOf<null>()
  expectTypeOf(one.lock.delete()).resolves.toEqualTypeOf<null>()
  expectTypeOf(one.step.of(1).stir.post()).resolves.toEqualTypeOf<null>()
  one.lock.delete({ requestId: 'r' })
  one.step.of(1).stir.post(undefined, { requestId: 'r' })
  // @ts-expect-error a reason is needed
  one.reopening.post({})
  // @ts-expect-error no such property
  one.reopening.post({ reason: 'x', raeson: 'y' })
  // @ts-expect-error another method
  one.reopening.put({ reason: 'x' })
  // @ts-expect-error no key is kept
  one.reopening.post({ reason: 'x' }, { idempotencyKey: 'k' })
  // @ts-expect-error it is at the collection
  one.digest
})

it('is called at its collection', () => {
  const { ticket, smallStep, person } = calls()
  expectTypeOf(ticket.digest.get({ since: '2026-01-01' })).resolves.toEqualTypeOf<{ count: number }>()
  expectTypeOf(ticket.rest.get()).resolves.toEqualTypeOf<{ id: number; title: string; owner: string }>()
  expectTypeOf(ticket.tally.get()).resolves.toEqualTypeOf<{ status: 'OPEN' | 'CLOSED'; count: number }[]>()
  expectTypeOf(smallStep.digest.get({ since: '2026-01-01', size: 7 })).resolves.toEqualTypeOf<{ count: number }>()
  // @ts-expect-error since is needed
  ticket.digest.get()
  // @ts-expect-error it is at the record
  ticket.reopening
  // @ts-expect-error nothing is below it
  smallStep.of(1)
  // @ts-expect-error nothing is below it
  person.of('x')
})

it('is declared with what its method has', () => {
  // @ts-expect-error no such method
  operation({ method: 'PATCH', on: 'record' })
  // @ts-expect-error no such place
  operation({ method: 'POST', on: 'page' })
  // @ts-expect-error a GET has no body
  operation({ method: 'GET', on: 'record', body, answer: body })
  // @ts-expect-error a GET answers something
  operation({ method: 'GET', on: 'record' })
  // @ts-expect-error a POST has no query
  operation({ method: 'POST', on: 'record', query: body })
  // @ts-expect-error a DELETE has no body
  operation({ method: 'DELETE', on: 'record', body })
  // @ts-expect-error a list of nothing
  operation({ method: 'GET', on: 'record', answer: [] })
  // @ts-expect-error a list of two shapes
  operation({ method: 'GET', on: 'record', answer: [body, body] })
  // @ts-expect-error a body is no list
  operation({ method: 'POST', on: 'record', body: [body] })
  // @ts-expect-error no such code
  operation({ method: 'POST', on: 'record', problems: ['teapot'] })
})
