// Several calls of a handler as one: over HTTP, beside other requests, on whichever database.
import {
  api,
  boolean,
  type CustomOperation,
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
import { etagOf } from '@nomen/core/client'
import { type Asked, after, type Handler, handle, type RunTransaction, rule, service, visible } from '@nomen/server'
import { isOnPostgres } from '@nomen/testing/test-database'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { type Opened, opened } from './opened.ts'
import { temporaryPath } from './temporary-database.ts'

const account = noun('account', {
  id: identity(),
  owner: text().unique(),
  balance: integer(),
  hidden: boolean().default(false),
})
const entry = noun('entry', { id: identity(), account: reference(() => account), amount: integer() })

const transfer = operation({
  method: 'POST',
  on: 'record',
  body: { to: reference(() => account), amount: integer({ min: 1 }) },
  answer: { left: integer(), entries: integer() },
  problems: ['rule-broken'],
})
const trial = operation({ method: 'POST', on: 'collection', answer: { said: text().default('') } })
const note = operation({ method: 'POST', on: 'record', body: { amount: integer() } })

const bank = api('bank', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(account, { operations: { transfer, trial, note } }), resource(entry)],
})

/** Nobody is refused because the machine is busy with other tests. */
const patient = { limit: 60_000 }

const solvent = rule(account, ['balance'], ({ balance }) =>
  balance < 0 ? { field: 'balance', detail: `The balance would be ${balance}.` } : undefined,
)

/** The other account is credited first, so that what fails has already written. */
const transferred = handle(account, transfer, async ({ key, body: { to, amount }, transaction }) => {
  const done = await transaction(async (call) => {
    const { account: accounts, entry: entries } = call(bank)
    const target = await accounts.read(to)
    await accounts.update(to, { balance: target.balance + amount })
    await entries.create({ account: to, amount })
    const source = await accounts.read(key)
    const { balance: left } = await accounts.update(key, { balance: source.balance - amount })
    await entries.create({ account: key, amount: -amount })
    const { pageInfo } = await entries.list({ account: key })
    return { left, entries: pageInfo.numberOfRecords }
  }, patient)
  expectTypeOf(done).toEqualTypeOf<{ left: number; entries: number }>()
  return done
})
const noted = handle(account, note, async ({ key, body, call }) => {
  await call(bank).entry.create({ account: key, amount: body.amount })
})

type Told = readonly [kind: string, id: number, balance: number]
type Given = Asked<typeof account, typeof trial extends CustomOperation<infer Options> ? Options : never>

/** A bank with two accounts of 1000 each, in which POST /account/trial does what a test wants. */
async function openBank(
  database: string | undefined,
  tried: (given: Given) => Promise<string | undefined> = async () => '',
) {
  const told: Told[] = []
  const faults: unknown[] = []
  const trying: Handler = handle(account, trial, async (given) => ({ said: (await tried(given)) ?? '' }))
  const definition = service({
    name: 'bank',
    apis: [bank],
    rules: [solvent],
    handlers: [transferred, trying, noted],
    visibility: [visible(account, ({ claims }) => (claims?.clerk === true ? { hidden: false } : true))],
    after: [after(account, ({ kind, record }) => told.push([kind, record.id, record.balance]))],
  })
  const app = await opened(definition, {
    onFault: (_message, error) => faults.push(error),
    ...(database !== undefined && { database }),
  })
  for (const owner of ['Ada', 'Bob']) await app.ask('POST', '/account', { owner, balance: 1000 })
  await vi.waitUntil(() => told.length === 2)
  told.length = 0
  return { ...app, told, faults, balances: () => app.column('balance', '/account') }
}

const move = ({ ask }: Pick<Opened, 'ask'>, from: number, to: number, amount: number) =>
  ask('POST', `/account/${from}/transfer`, { to, amount })

const places: readonly (readonly [string, () => string | undefined])[] = isOnPostgres
  ? [['PostgreSQL', () => undefined]]
  : [
      ['SQLite in memory', () => undefined],
      ['a file of SQLite', () => `sqlite:${temporaryPath()}`],
    ]

describe.each(places)('transaction in a handler, on %s', (_name, database) => {
  it('does all that its calls write, and reads what they have written', async () => {
    const app = await openBank(database())
    const { status, body } = await move(app, 1, 2, 300)
    expect([status, body]).toEqual([200, { left: 700, entries: 1 }])
    expect([await app.balances(), await app.column('amount', '/entry')]).toEqual([
      [700, 1300],
      [300, -300],
    ])
  })

  it('answers the problem of a call, and nothing of it has happened', async () => {
    const app = await openBank(database())
    const before = await app.get('/account/2')
    const { status, body } = await move(app, 1, 2, 1001)
    expect([status, body.code, body.errors]).toEqual([
      422,
      'rule-broken',
      [{ pointer: '/balance', detail: 'The balance would be -1.' }],
    ])
    expect(await app.get('/account/2', { 'if-none-match': `${before.headers.etag}` })).toMatchObject({ status: 304 })
    expect([await app.balances(), (await app.get('/entry')).body.pageInfo.numberOfRecords]).toEqual([[1000, 1000], 0])
    expect([await move(app, 2, 1, 1), app.faults]).toMatchObject([{ status: 200 }, []])
  })

  it('undoes all where its function throws, and answers that', async () => {
    const errors = [new ProblemError(problem('rule-broken', { detail: 'Not today.' })), new Error('a bug')]
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        await call(bank).account.update(1, { balance: 5 })
        throw errors.shift()
      }),
    )
    const [refused, failed] = [await app.ask('POST', '/account/trial'), await app.ask('POST', '/account/trial')]
    expect([refused.status, refused.body.detail, failed.status]).toEqual([422, 'Not today.', 500])
    expect([await app.balances(), app.faults]).toMatchObject([[1000, 1000], [{ message: 'a bug' }]])
  })

  it('goes on after a call that was refused, where the function catches that', async () => {
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        const { account: accounts } = call(bank)
        await accounts.update(1, { balance: 5 })
        const codes: unknown[] = []
        const catching = (error: ProblemError) => codes.push(error.code)
        await accounts.create({ owner: 'Bob', balance: 1 }).catch(catching)
        await accounts.update(1, { balance: -5 }).catch(catching)
        await accounts.update(9, { balance: 5 }).catch(catching)
        await call(bank).entry.create({ account: 9, amount: 5 }).catch(catching)
        await accounts.update(2, { balance: 6 })
        return codes.join()
      }),
    )
    const { body } = await app.ask('POST', '/account/trial')
    expect(body.said).toBe('value-taken,rule-broken,record-not-found,reference-not-found')
    expect(await app.balances()).toEqual([5, 6])
  })

  it('tells hooks of it once all is durable, in order, and of nothing that was undone', async () => {
    let isFailing = true
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        const { account: accounts } = call(bank)
        const { id } = await accounts.create({ owner: 'Cy', balance: 1 })
        await accounts.update(id, { balance: 2 })
        await accounts.update(1, { balance: 3 })
        await accounts.delete(id)
        if (isFailing) throw new Error('a bug')
        return `${app.told.length}`
      }),
    )
    expect((await app.ask('POST', '/account/trial')).status).toBe(500)
    isFailing = false
    const { body } = await app.ask('POST', '/account/trial')
    await app.ask('PATCH', '/account/1', { balance: 4 })
    await vi.waitUntil(() => app.told.length >= 5)
    await app.app.close()
    expect(body.said).toBe('0')
    const ofFirst = app.told.filter(([, id]) => id === 1)
    const ofOther = app.told.filter(([, id]) => id !== 1).map(([kind, , balance]) => [kind, balance])
    expect(ofFirst).toEqual([
      ['update', 1, 3],
      ['update', 1, 4],
    ])
    expect(ofOther).toEqual([
      ['create', 1],
      ['update', 2],
      ['delete', 2],
    ])
  })

  it('keeps to scopes, to what a caller sees, and to conditions', async () => {
    const asked: ((given: Given, call: Parameters<Parameters<RunTransaction>[0]>[0]) => Promise<unknown>)[] = [
      ({ caller }, call) => call(bank, { ...caller, scopes: ['account:read'] }).account.update(2, { balance: 9 }),
      ({ caller }, call) => call(bank, { ...caller, claims: { clerk: true } }).account.update(2, { balance: 9 }),
      async (_given, call) => {
        const { account: accounts } = call(bank)
        const read = await accounts.read(2)
        await accounts.update(2, { balance: 9 }, { etag: `${etagOf(read)}` })
        await accounts.update(2, { balance: 10 }, { etag: `${etagOf(read)}` })
      },
    ]
    const app = await openBank(database(), async (given) => {
      const last = asked.shift()
      await given.transaction(async (call) => {
        await call(bank).account.update(1, { balance: 5 })
        await last?.(given, call)
      })
      return ''
    })
    await app.ask('PATCH', '/account/2', { hidden: true })
    const answers = [
      await app.ask('POST', '/account/trial'),
      await app.ask('POST', '/account/trial'),
      await app.ask('POST', '/account/trial'),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'insufficient-scope'],
      [404, 'record-not-found'],
      [412, 'precondition-failed'],
    ])
    expect(await app.balances()).toEqual([1000, 1000])
  })

  it('takes in operations of the service that are called, and what they call', async () => {
    let isFailing = true
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        await call(bank).account.of(1).note.post({ amount: 7 })
        if (isFailing) throw new ProblemError(problem('rule-broken', { detail: 'Not today.' }))
        return ''
      }),
    )
    expect((await app.ask('POST', '/account/trial')).status).toBe(422)
    expect(await app.column('amount', '/entry')).toEqual([])
    isFailing = false
    expect((await app.ask('POST', '/account/trial')).status).toBe(200)
    expect(await app.column('amount', '/entry')).toEqual([7])
  })

  it('is 503 when its time is over: nothing of it has happened, and others write on', async () => {
    const late = Promise.withResolvers<void>()
    const app = await openBank(database(), ({ transaction }) =>
      transaction(
        async (call) => {
          await call(bank).account.update(1, { balance: 5 })
          await late.promise
          return ''
        },
        { limit: 700 },
      ),
    )
    const waiting = app.ask('POST', '/account/trial')
    const { status, headers, body } = await waiting
    late.resolve()
    expect([status, headers['retry-after'], body.code, body.detail]).toEqual([
      503,
      '1',
      'unavailable',
      'This takes longer than the 700 ms that are allowed for it. Nothing of it was done.',
    ])
    expect([await move(app, 1, 2, 1), await app.balances()]).toMatchObject([{ status: 200 }, [999, 1001]])
    expect(app.faults).toMatchObject([{ name: 'Overdue' }])
  })

  it('refuses what would wait for itself, or comes too late, with words', async () => {
    const tries: ((given: Given) => Promise<unknown>)[] = [
      ({ transaction }) => transaction(() => transaction(async () => '')),
      ({ transaction }) => transaction((call) => call(bank).account.of(1).transfer.post({ to: 2, amount: 1 })),
      ({ call, transaction }) => {
        const { account: accounts } = call(bank)
        return transaction(() => accounts.update(1, { balance: 5 }))
      },
      async ({ transaction }) => {
        const kept = await transaction(async (call) => call(bank).account)
        return kept.update(1, { balance: 5 })
      },
      ({ transaction }) => transaction(async () => '', { limit: 0 }),
    ]
    const app = await openBank(database(), async (given) => `${await tries.shift()?.(given)}`)
    for (const _ of [...tries]) expect((await app.ask('POST', '/account/trial')).status).toBe(500)
    expect(app.faults.map((error) => `${error}`)).toEqual([
      expect.stringContaining('inside another one'),
      expect.stringContaining('inside another one'),
      expect.stringContaining('Use the call that transaction gives'),
      expect.stringContaining('The call of a transaction was used after its end'),
      'Error: The limit of a transaction is 0. Give it in milliseconds, from 1 to 60000.',
    ])
    expect(await app.balances()).toEqual([1000, 1000])
  })

  it('keeps the sum of two accounts whatever comes at once, and shows nobody another one', async () => {
    const app = await openBank(database())
    const sums: number[] = []
    const look = async () => {
      const { body } = await app.get('/account?owner=Ada&owner=Bob')
      sums.push(body.results.reduce((sum: number, { balance }: { balance: number }) => sum + balance, 0))
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const [from, to] = at % 2 === 0 ? [1, 2] : [2, 1]
        const [{ status }] = await Promise.all([
          move(app, from as number, to as number, at % 10 === 9 ? 5000 : at + 1),
          look(),
          app.ask('POST', '/account', { owner: `owner ${at}`, balance: 0 }),
        ])
        await look()
        return status
      }),
    )
    expect(answers).toEqual(answers.map((_, at) => (at % 10 === 9 ? 422 : 200)))
    expect(new Set(sums)).toEqual(new Set([2000]))
    const amounts = (await app.column('amount', '/entry')) as number[]
    expect([amounts.length, amounts.reduce((sum, amount) => sum + amount, 0)]).toEqual([36, 0])
    const [ada = 0, bob = 0] = (await app.balances()) as number[]
    expect([ada, ada + bob]).toEqual([1000 + (await sumOf(app, 1)), 2000])
    expect((await app.get('/account')).body.pageInfo.numberOfRecords).toBe(22)
  })
})

async function sumOf({ column }: Pick<Opened, 'column'>, id: number): Promise<number> {
  return ((await column('amount', `/entry?account=${id}`)) as number[]).reduce((sum, amount) => sum + amount, 0)
}
