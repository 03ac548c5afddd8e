import {
  api,
  boolean,
  choice,
  date,
  decimal,
  identity,
  integer,
  noun,
  operation,
  ProblemError,
  problem,
  reference,
  resource,
  text,
  timestamp,
  updatedAt,
} from '@nomen/core'
import { type Handler, handle, type Service, type Settings, service } from '@nomen/server'
import { expectTypeOf } from 'vitest'
import { openService } from './test-service.ts'

export const person = noun('person', { id: identity(), username: text().unique() })
export const ticket = noun('ticket', {
  id: identity(),
  title: text(),
  status: choice('OPEN', 'CLOSED').default('OPEN'),
  secret: text().default('hidden'),
  owner: reference(() => person).nullable(),
  lastUpdated: updatedAt(),
})
const step = noun('step', { id: identity('guid'), ticket: reference(() => ticket), title: text() })

const reopening = operation({
  method: 'POST',
  on: 'record',
  body: {
    reason: text({ minLength: 1 }),
    owner: reference(() => person).nullable(),
    notified: boolean().default(false),
    note: text().defaultFrom('reason'),
    due: timestamp().nullable(),
  },
  response: { status: choice('OPEN'), title: text(), note: text(), notified: boolean(), due: timestamp().nullable() },
  problems: ['rule-broken'],
})
export const digest = operation({
  method: 'GET',
  on: 'collection',
  query: { since: date(), size: integer({ min: 1 }).default(3), about: text().nullable() },
  response: { text: text(), cost: decimal({ scale: 2 }).default('0.00') },
})
export const tally = operation({
  method: 'GET',
  on: 'collection',
  query: { least: integer().default(0) },
  response: [{ status: choice('OPEN', 'CLOSED'), count: integer(), note: text().default('none') }],
})
export const lock = operation({ method: 'PUT', on: 'record', body: { reason: text() } })
export const unlock = operation({ method: 'DELETE', on: 'record' })
const stepDigest = operation({ method: 'GET', on: 'collection', response: { text: text() } })
const stepCopy = operation({ method: 'POST', on: 'record', response: step.fields })

export const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(ticket, {
      rename: { name: 'title' },
      complete: ['id', 'name', 'status', 'owner'],
      operations: { reopening, digest, tally, lock: [lock, unlock] },
      children: [resource(step, { operations: { stepDigest, copy: stepCopy } })],
    }),
    resource(person, { path: 'staff-member', version: 3 }),
  ],
})
export const second = api('second', {
  version: 2,
  versioning: 'whole',
  writes: 'flat',
  resources: [resource(ticket, { operations: { reopening }, deprecated: { since: '2026-01-01' } })],
})

export const done: unknown[] = []
export const handlers: readonly Handler[] = [
  handle(ticket, reopening, async ({ key, record, ancestors, body, query, caller, requestId, call }) => {
    expectTypeOf(key).toEqualTypeOf<number>()
    expectTypeOf(record.status).toEqualTypeOf<'OPEN' | 'CLOSED'>()
    expectTypeOf(query).toEqualTypeOf<undefined>()
    expectTypeOf(body).toEqualTypeOf<{
      reason: string
      owner: number | null
      notified: boolean
      note: string
      due: string | null
    }>()
    done.push({ key, record, ancestors, body, query, user: caller.user, requestId })
    if (record.status === 'OPEN')
      throw new ProblemError(problem('rule-broken', { detail: `Ticket ${key} is open already.` }))
    const { name, status } = await call(desk).ticket.update(key, { status: 'OPEN', owner: body.owner })
    return { ...body, title: name, status: status as 'OPEN', more: 'than is declared' }
  }),
  handle(ticket, digest, ({ query, body }) => {
    expectTypeOf(query).toEqualTypeOf<{ since: string; size: number; about: string | null }>()
    expectTypeOf(body).toEqualTypeOf<undefined>()
    return { text: JSON.stringify(query) }
  }),
  handle(ticket, tally, async ({ query, call }) => {
    const { results } = await call(desk).ticket.list()
    const counts = (['OPEN', 'CLOSED'] as const).map((status) => ({
      status,
      count: results.filter((result) => result.status === status).length,
      more: 'than is declared',
    }))
    return counts.filter(({ count }) => count >= query.least)
  }),
  handle(ticket, lock, ({ key, body }) => done.push(`lock ${key} ${body.reason}`)),
  handle(ticket, unlock, ({ key }) => done.push(`unlock ${key}`)),
  handle(step, stepDigest, async ({ ancestors: [id], call }) => {
    done.push(`digest of ${id}`)
    const { results } = await call(desk).ticket.of(Number(id)).step.list()
    return { text: results.map(({ title }) => title).join() }
  }),
  handle(step, stepCopy, async ({ record, ancestors: [id], call }) => {
    expectTypeOf(record).toEqualTypeOf<{ id: string; ticket: number; title: string }>()
    return call(desk)
      .ticket.of(Number(id))
      .step.create({ title: `${record.title} again` })
  }),
]

export const sample = () => [
  { noun: 'person', rows: ['ann', 'bob'].map((username, at) => ({ id: at + 1, username })) },
  {
    noun: 'ticket',
    rows: ['CLOSED', 'OPEN', 'CLOSED'].map((status, at) => ({
      ...{ id: at + 1, title: `t${at + 1}`, status, secret: 's', owner: at === 2 ? 2 : 1 },
      lastUpdated: '2026-01-01T00:00:00.000Z',
    })),
  },
]

export async function openTickets(more: Partial<Service> = {}, settings: Partial<Settings> = {}) {
  done.length = 0
  const faults: string[] = []
  const onFault = (_: string, error: unknown) => faults.push(error instanceof Error ? error.message : `${error}`)
  const definition = service({ name: 'desk', apis: [desk, second], handlers, sample, ...more })
  return { ...(await openService(definition, { onFault, ...settings })), faults }
}
