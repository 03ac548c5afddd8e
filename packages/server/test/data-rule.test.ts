// Rules that read other records in the transaction of the write, for every kind of write.
import { identity, noun, resource, text } from '@nomen/core'
import { before, rule } from '@nomen/server'
import { describe, expect, it } from 'vitest'
import { lending } from './lending-service.ts'
import { openService, plainApi, serviceOf, type TestService } from './test-service.ts'

async function library(): Promise<TestService & { borrow(member?: number): Promise<number> }> {
  const app = await openService(lending)
  for (const name of ['Ada', 'Bea']) await app.send('POST', '/member', { name })
  return { ...app, borrow: async (member = 1) => (await app.send('POST', '/loan', { member, title: 'Emma' })).status }
}

describe('a rule that counts other records', () => {
  it('rejects the record that exceeds the limit, with the message of the rule', async () => {
    const { send, borrow } = await library()
    for (let count = 0; count < 5; count++) expect(await borrow()).toBe(201)
    const sixth = await send('POST', '/loan', { member: 1, title: 'Emma' })
    expect([sixth.status, sixth.body]).toMatchObject([
      422,
      { code: 'rule-broken', errors: [{ pointer: '/member', detail: 'Member 1 already has 5 open loans.' }] },
    ])
    expect(await borrow(2)).toBe(201)
  })

  it('is checked by PATCH and PUT too, and only if one of its fields is written', async () => {
    const { send, borrow } = await library()
    for (let count = 0; count < 5; count++) await borrow()
    await borrow(2)
    expect((await send('PATCH', '/loan/6', { member: 1 })).status).toBe(422)
    expect((await send('PUT', '/loan/6', { member: 1, title: 'Emma', status: 'OPEN' })).status).toBe(422)
    expect((await send('PATCH', '/loan/6', { title: 'Persuasion' })).status).toBe(200)
    expect((await send('PATCH', '/loan/1', { status: 'RETURNED' })).status).toBe(200)
    expect((await send('PATCH', '/loan/6', { member: 1 })).status).toBe(200)
    expect((await send('PATCH', '/loan/1', { status: 'OPEN' })).status).toBe(422)
    expect((await send('PATCH', '/member/1', { limit: 4 })).status).toBe(422)
    expect((await send('PATCH', '/member/1', { limit: 6 })).status).toBe(200)
    expect((await send('PATCH', '/loan/1', { status: 'OPEN' })).status).toBe(200)
  })

  it('counts writes of its own transaction, and rolls all of them back', async () => {
    const { send, get, borrow } = await library()
    for (let count = 0; count < 4; count++) await borrow()
    const both = { first: 'Emma', second: 'Persuasion' }
    expect((await send('POST', '/member/1/borrowing', both)).status).toBe(422)
    expect((await get('/loan?member=1')).body.pageInfo.numberOfRecords).toBe(4)
    expect((await send('POST', '/member/2/borrowing', both)).body).toEqual({ open: 2 })
  })

  it('runs after all other checks, and before the check of unique values', async () => {
    const { send, borrow } = await library()
    for (let count = 0; count < 5; count++) await borrow()
    expect((await send('POST', '/loan', { member: 9, title: 'Emma' })).body.code).toBe('reference-not-found')
    expect((await send('PATCH', '/loan/99', { member: 1 })).status).toBe(404)
    const stale = await send('PATCH', '/loan/1', { status: 'RETURNED' }, { 'if-match': '"1-9-00000000"' })
    expect(stale.status).toBe(412)
  })

  it('returns the first response to a repeated request', async () => {
    const { send, borrow } = await library()
    for (let count = 0; count < 4; count++) await borrow()
    const key = { 'idempotency-key': 'a-key-of-a-client' }
    const repeat = () => send('POST', '/loan', { member: 1, title: 'Emma' }, key)
    const first = await repeat()
    const second = await repeat()
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  })

  it('applies to concurrent requests', async () => {
    const { get, borrow } = await library()
    const statuses = await Promise.all(Array.from({ length: 64 }, (_, at) => borrow(1 + (at % 2))))
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(10)
    for (const member of [1, 2]) {
      const { numberOfRecords } = (await get(`/loan?member=${member}&status=OPEN`)).body.pageInfo
      expect(numberOfRecords).toBeLessThanOrEqual(5)
    }
    const { results } = (await get('/loan?sort=id')).body
    expect(results.map((record: { number: string }) => record.number)).toEqual(
      results.map((_: unknown, at: number) => `L-${at + 1}`),
    )
  })
})

describe('reads of a rule', () => {
  const note = noun('note', { id: identity(), title: text() })
  const other = noun('other', { id: identity() })
  const notes = plainApi(resource(note))

  async function failing(check: Parameters<typeof rule<typeof note>>[1]) {
    const faults: string[] = []
    const onFault = (_: string, error: unknown) => faults.push((error as Error).message)
    const app = await openService({ ...serviceOf([notes]), rules: [rule(note, check)] }, { onFault })
    const statuses = [(await app.send('POST', '/note', { title: 'a' })).status]
    return { statuses, faults, app }
  }

  it.each<[string, Parameters<typeof failing>[0], string]>([
    [
      'a rule that is not async',
      (_next, _previous, { read }) => {
        read(note).count()
        return undefined
      },
      'must be async. Declare it with async.',
    ],
    [
      'a noun that the service does not have',
      async (_next, _previous, { read }) => void (await read(other).count()),
      '"other" cannot be read',
    ],
    [
      'a field that does not exist',
      async (_next, _previous, { read }) => void (await read(note).count({ titel: 'a' } as never)),
      'refers to the unknown field "titel"',
    ],
    [
      'a range of a text',
      async (_next, _previous, { read }) => void (await read(note).count({ title: before('b') })),
      'has a range of "title"',
    ],
    [
      'a limit that is too large',
      async (_next, _previous, { read }) => void (await read(note).list(true, { limit: 1001 })),
      'must be an integer from 1 to 1000, not 1001.',
    ],
    ['an error', async () => Promise.reject(new Error('late')), 'late'],
    ['a result without detail', async () => ({ field: 'title' }) as never, 'A rule of "note" returned an object.'],
  ])('%s is a fault: 500, logged, and nothing is written', async (_, check, message) => {
    const { statuses, faults, app } = await failing(check)
    expect([statuses, faults]).toEqual([[500], [expect.stringContaining(message)]])
    expect((await app.get('/note')).body.pageInfo.numberOfRecords).toBe(0)
  })

  it('see records as they are stored, sorted and limited', async () => {
    const calls: unknown[] = []
    const { app } = await failing(async (next, _previous, { read, caller, now }) => {
      const [last] = await read(note).list(true, { sort: '-title', limit: 1 })
      calls.push([next.title, last, await read(note).get(1), caller.user, now.length])
      return undefined
    })
    await app.send('POST', '/note', { title: 'c' })
    await app.send('POST', '/note', { title: 'b' })
    const a = { id: 1, title: 'a' }
    expect(calls).toEqual([
      ['a', undefined, undefined, undefined, 24],
      ['c', a, a, undefined, 24],
      ['b', { id: 2, title: 'c' }, a, undefined, 24],
    ])
  })
})
