/** A library whose members may have a limited number of open loans: for tests of rules and assignments that read records. */
import { api, choice, identity, integer, noun, operation, reference, resource, text, timestamp } from '@nomen/core'
import { assign, handle, rule, service } from '@nomen/server'

const member = noun('member', { id: identity(), name: text(), limit: integer().default(5) })

const loan = noun('loan', {
  id: identity(),
  number: text().unique().managed(),
  member: reference(() => member),
  title: text(),
  status: choice('OPEN', 'RETURNED').default('OPEN'),
  returnedAt: timestamp().nullable().managed(),
})

/** Borrows two books, or none. */
const borrowing = operation({
  method: 'POST',
  on: 'record',
  body: { first: text(), second: text() },
  response: { open: integer() },
  problems: ['rule-broken'],
})

const library = api('library', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(member, { operations: { borrowing } }), resource(loan)],
})

const withinLimit = rule(loan, ['member', 'status'], async (next, previous, { read }) => {
  const isCounted = previous?.status === 'OPEN' && previous.member === next.member
  if (next.status !== 'OPEN' || isCounted) return undefined
  const limit = (await read(member).get(next.member))?.limit ?? 0
  const open = await read(loan).count({ member: next.member, status: 'OPEN' })
  return open < limit ? undefined : { field: 'member', detail: `Member ${next.member} already has ${open} open loans.` }
})

/** The reverse of the same invariant: a limit is not lowered below the number of open loans. */
const limitHolds = rule(member, ['id', 'limit'], async ({ id, limit }, previous, { read }) => {
  if (!previous || limit >= previous.limit) return undefined
  const open = await read(loan).count({ member: id, status: 'OPEN' })
  return open <= limit ? undefined : { field: 'limit', detail: `Member ${id} has ${open} open loans.` }
})

/** L-1, L-2 and so on, without gaps. */
const numbered = assign(loan, ['number'], async (_next, previous, { read }) => {
  if (previous) return {}
  const [last] = await read(loan).list(true, { sort: '-id', limit: 1 })
  return { number: `L-${Number(last?.number.slice(2) ?? 0) + 1}` }
})

const returned = assign(loan, ['returnedAt'], ({ status }, previous, { now }) => {
  if (status === 'OPEN') return { returnedAt: null }
  return previous?.status === 'RETURNED' ? {} : { returnedAt: now }
})

const borrowed = handle(member, borrowing, async ({ key, body, transaction }) =>
  transaction(
    async (call) => {
      const { loan: loans } = call(library)
      await loans.create({ member: key, title: body.first })
      await loans.create({ member: key, title: body.second })
      const { pageInfo } = await loans.list({ member: key, status: 'OPEN' })
      return { open: pageInfo.numberOfRecords }
    },
    { limit: 60_000 },
  ),
)

export const lending = service({
  name: 'lending',
  apis: [library],
  rules: [withinLimit, limitHolds],
  assignments: [numbered, returned],
  handlers: [borrowed],
})
