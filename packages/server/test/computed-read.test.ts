// Computed fields whose functions read other records.
import { choice, identity, integer, noun, operation, reference, resource, text } from '@nomen/core'
import { compute, handle, service } from '@nomen/server'
import { expect, it } from 'vitest'
import { openService, plainApi } from './test-service.ts'

const member = noun(
  'member',
  { id: identity(), name: text(), note: text().default('') },
  { computed: { greeting: text(), openLoans: integer(), latest: text().nullable() } },
)
const loan = noun('loan', {
  id: identity(),
  member: reference(() => member),
  title: text(),
  status: choice('OPEN', 'RETURNED').default('OPEN'),
})
const borrowing = operation({ method: 'POST', on: 'record', body: { titles: integer() }, response: { open: text() } })

const library = plainApi(
  resource(member, { operations: { borrowing }, list: ['id', 'openLoans', 'name', 'greeting'] }),
  resource(loan),
)

const greeting = compute(member, 'greeting', ['name'], ({ name }) => `Hello, ${name}`)
const openLoans = compute(member, 'openLoans', ['id'], async ({ id }, { read }) =>
  read(loan).count({ member: id, status: 'OPEN' }),
)
const latest = compute(member, 'latest', ['id'], async ({ id }, { read }) => {
  const [last] = await read(loan).list({ member: id }, { sort: '-id', limit: 1 })
  return last?.title ?? null
})

/** Borrows books in a transaction, and shows what the transaction sees after each of them. */
const borrow = handle(member, borrowing, ({ key, body, transaction }) =>
  transaction(async (call) => {
    const { member: members, loan: loans } = call(library) as never as {
      member: {
        read(id: unknown): Promise<{ openLoans: number }>
        list(): Promise<{ results: { openLoans: number }[] }>
      }
      loan: { create(body: object): Promise<unknown> }
    }
    const counts: number[] = []
    for (let title = 1; title <= body.titles; title++) {
      await loans.create({ member: key, title: `T${title}` })
      const { results } = await members.list()
      counts.push((await members.read(key)).openLoans, ...results.map((result) => result.openLoans))
    }
    return { open: counts.join(' ') }
  }),
)

const openLibrary = (
  computations = [greeting, openLoans, latest],
  onFault = (_: string, error: unknown) => void error,
) => openService(service({ name: 'test', apis: [library], computed: computations, handlers: [borrow] }), { onFault })

it('are in single records, lists and responses to writes, with current values and in the declared order', async () => {
  const { get, send } = await openLibrary()
  for (let id = 1; id <= 30; id++) await send('POST', '/member', { name: `M${id}` })
  for (let id = 1; id <= 30; id++)
    for (let count = 0; count < id % 4; count++) await send('POST', '/loan', { member: id, title: `T${count}` })
  const { text: shown } = await get('/member/7')
  expect(shown).toBe('{"id":7,"name":"M7","note":"","greeting":"Hello, M7","openLoans":3,"latest":"T2"}')
  const { body } = await get('/member?pageSize=30')
  expect(body.results).toEqual(
    Array.from({ length: 30 }, (_, at) => ({
      id: at + 1,
      openLoans: (at + 1) % 4,
      name: `M${at + 1}`,
      greeting: `Hello, M${at + 1}`,
    })),
  )
  expect(Object.keys(body.results[0])).toEqual(['id', 'openLoans', 'name', 'greeting'])
  expect((await send('PATCH', '/member/7', { note: 'x' })).body).toMatchObject({ openLoans: 3, latest: 'T2' })
  expect((await get('/member?pageSize=30&name=nobody')).body.results).toEqual([])
})

it('change the ETag with their values', async () => {
  const { get, send } = await openLibrary()
  const created = await send('POST', '/member', { name: 'Ada' })
  const first = `${created.headers.etag}`
  expect((await get('/member/1', { 'if-none-match': first })).status).toBe(304)
  await send('POST', '/loan', { member: 1, title: 'Emma' })
  const changed = await get('/member/1', { 'if-none-match': first })
  expect([changed.status, changed.body.openLoans]).toEqual([200, 1])
  expect((await send('PATCH', '/member/1', { note: 'x' }, { 'if-match': first })).status).toBe(200)
})

it('see the earlier writes of a transaction', async () => {
  const { get, send } = await openLibrary()
  await send('POST', '/member', { name: 'Ada' })
  await send('POST', '/member', { name: 'Bob' })
  expect((await send('POST', '/member/2/borrowing', { titles: 2 })).body).toEqual({ open: '1 0 1 2 0 2' })
  expect((await get('/member/2')).body.openLoans).toBe(2)
})

it.each<[string, Parameters<typeof compute<typeof member, 'openLoans', 'id'>>[3], string]>([
  ['is not async', (_, { read }) => Number(read(loan)), 'cannot be computed: its function throws.'],
  ['returns a promise and is not async', () => Promise.resolve(1), 'is a promise. Declare its function with async.'],
  [
    'reads a noun of no api',
    async (_, { read }) => read(noun('other', { id: identity() })).count(),
    'cannot be computed',
  ],
  ['rejects', async () => Promise.reject(new Error('no')), 'cannot be computed: its function throws.'],
  ['returns an invalid value', async () => 1.5, 'is 1.5, but must be an integer'],
])('whose function %s are a fault, and a write is stored', async (_, value, message) => {
  const faults: unknown[] = []
  const broken = compute(member, 'openLoans', ['id'], value)
  const { get, send } = await openLibrary([greeting, broken, latest], (_, error) => void faults.push(error))
  expect((await send('POST', '/member', { name: 'Ada' })).status).toBe(500)
  expect((await get('/member/1')).status).toBe(500)
  expect((await get('/member')).status).toBe(500)
  expect((await get('/member?name=nobody')).status).toBe(200)
  expect(faults).toHaveLength(3)
  for (const fault of faults) expect(`${fault}`).toContain(`The computed field "openLoans" of member 1 ${message}`)
})

it('cannot be declared as not volatile', () => {
  expect(() => compute(member, 'openLoans', ['id'], async () => 1, { isVolatile: false })).toThrow(
    'noun "member", computed field "openLoans": isVolatile: false is not possible with an async function',
  )
})
