/** A small service with custom operations on a record and on the collection, with a body, a query, or neither. */
import {
  api,
  choice,
  date,
  identity,
  integer,
  noun,
  operation,
  ProblemError,
  problem,
  reference,
  resource,
  text,
} from '@nomen/core'
import { handle, service } from '@nomen/server'

const person = noun('person', { id: identity(), name: text() })
const ticket = noun('ticket', {
  id: identity(),
  title: text(),
  status: choice('OPEN', 'CLOSED').default('OPEN'),
  owner: reference(() => person).nullable(),
})

const reopening = operation({
  method: 'POST',
  on: 'record',
  body: { reason: text({ minLength: 3 }), owner: reference(() => person).nullable() },
  response: { title: text(), status: choice('OPEN', 'CLOSED'), owner: reference(() => person).nullable() },
  problems: ['rule-broken'],
  summary: 'Reopen a ticket',
})
const closing = operation({ method: 'POST', on: 'record' })
const outlook = operation({ method: 'GET', on: 'record', response: { due: date(), chance: integer() } })
const workload = operation({
  method: 'GET',
  on: 'collection',
  query: { status: choice('OPEN', 'CLOSED').nullable(), atLeast: integer({ min: 0 }) },
  response: { count: integer() },
})

const desk = api('desk', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(ticket, { list: ['id', 'title', 'status'], operations: { reopening, closing, outlook, workload } }),
    resource(person, { search: ['name'] }),
  ],
})

export const ticketService = service({
  name: 'desk',
  apis: [desk],
  handlers: [
    handle(ticket, reopening, async ({ key, record, body, call }) => {
      if (record.status === 'OPEN')
        throw new ProblemError(problem('rule-broken', { detail: `Ticket ${key} is open.`, hint: 'Close it first.' }))
      await call(desk).ticket.update(key, { status: 'OPEN', owner: body.owner })
      return { title: record.title, status: 'OPEN', owner: body.owner }
    }),
    handle(ticket, closing, async ({ key, call }) => {
      await call(desk).ticket.update(key, { status: 'CLOSED' })
    }),
    handle(ticket, outlook, () => ({ due: '2026-12-24', chance: 80 })),
    handle(ticket, workload, async ({ query, call }) => {
      const filter = query.status === null ? {} : { status: query.status }
      const { pageInfo } = await call(desk).ticket.list({ ...filter, pageSize: 1 })
      return { count: Math.max(pageInfo.numberOfRecords, query.atLeast) }
    }),
  ],
  sample: () => [
    { noun: 'person', rows: [{ name: 'Ada Byron' }, { name: 'Grace Hopper' }] },
    { noun: 'ticket', rows: [{ title: 'Printer', status: 'CLOSED' }, { title: 'Screen' }] },
  ],
})
