// Transactions in handlers: over HTTP, with concurrent requests, on both databases.
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
import {
  after,
  type Handler,
  type HandlerRequest,
  handle,
  type RunTransaction,
  rule,
  service,
  visible,
} from '@nomen/server'
import { isOnPostgres } from '@nomen/testing/test-database'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { temporaryPath } from './temporary-database.ts'
import { openService, type TestService } from './test-service.ts'

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
  response: { left: integer(), entries: integer() },
  problems: ['rule-broken'],
})
const trial = operation({ method: 'POST', on: 'collection', response: { said: text().default('') } })
const note = operation({ method: 'POST', on: 'record', body: { amount: integer() } })

const bank = api('bank', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(account, { operations: { transfer, trial, note } }), resource(entry)],
})

/** No request is rejected because the machine is busy with other tests. */
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

type HookCall = readonly [kind: string, id: number, balance: number]
type TrialRequest = HandlerRequest<
  typeof account,
  typeof trial extends CustomOperation<infer Options> ? Options : never
>

/** A bank with two accounts of 1000 each, in which POST /account/trial does what a test wants. */
async function openBank(
  database: string | undefined,
  tried: (request: TrialRequest) => Promise<string | undefined> = async () => '',
) {
  const hookCalls: HookCall[] = []
  const faults: unknown[] = []
  const trying: Handler = handle(account, trial, async (request) => ({ said: (await tried(request)) ?? '' }))
  const definition = service({
    name: 'bank',
    apis: [bank],
    rules: [solvent],
    handlers: [transferred, trying, noted],
    visibility: [visible(account, ({ claims }) => (claims?.clerk === true ? { hidden: false } : true))],
    after: [after(account, ({ kind, record }) => hookCalls.push([kind, record.id, record.balance]))],
  })
  const app = await openService(definition, {
    onFault: (_message, error) => faults.push(error),
    ...(database !== undefined && { database }),
  })
  for (const owner of ['Ada', 'Bob']) await app.send('POST', '/account', { owner, balance: 1000 })
  await vi.waitUntil(() => hookCalls.length === 2)
  hookCalls.length = 0
  return { ...app, hookCalls, faults, balances: () => app.column('balance', '/account') }
}

const move = ({ send }: Pick<TestService, 'send'>, from: number, to: number, amount: number) =>
  send('POST', `/account/${from}/transfer`, { to, amount })

const databases: readonly (readonly [string, () => string | undefined])[] = isOnPostgres
  ? [['PostgreSQL', () => undefined]]
  : [
      ['SQLite in memory', () => undefined],
      ['a file of SQLite', () => `sqlite:${temporaryPath()}`],
    ]

describe.each(databases)('transaction in a handler, on %s', (_name, database) => {
  it('commits all writes of its calls, and reads them before', async () => {
    const app = await openBank(database())
    const { status, body } = await move(app, 1, 2, 300)
    expect([status, body]).toEqual([200, { left: 700, entries: 1 }])
    expect([await app.balances(), await app.column('amount', '/entry')]).toEqual([
      [700, 1300],
      [300, -300],
    ])
  })

  it('responds with the problem of a call, without changes', async () => {
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

  it('rolls back if its function throws, and responds with that problem', async () => {
    const errors = [new ProblemError(problem('rule-broken', { detail: 'Not today.' })), new Error('a bug')]
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        await call(bank).account.update(1, { balance: 5 })
        throw errors.shift()
      }),
    )
    const [rejected, failed] = [await app.send('POST', '/account/trial'), await app.send('POST', '/account/trial')]
    expect([rejected.status, rejected.body.detail, failed.status]).toEqual([422, 'Not today.', 500])
    expect([await app.balances(), app.faults]).toMatchObject([[1000, 1000], [{ message: 'a bug' }]])
  })

  it('continues after a rejected call if the function catches the error', async () => {
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
    const { body } = await app.send('POST', '/account/trial')
    expect(body.said).toBe('value-taken,rule-broken,record-not-found,reference-not-found')
    expect(await app.balances()).toEqual([5, 6])
  })

  it('runs hooks in order after the commit, and none for a rollback', async () => {
    let isFailing = true
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        const { account: accounts } = call(bank)
        const { id } = await accounts.create({ owner: 'Cy', balance: 1 })
        await accounts.update(id, { balance: 2 })
        await accounts.update(1, { balance: 3 })
        await accounts.delete(id)
        if (isFailing) throw new Error('a bug')
        return `${app.hookCalls.length}`
      }),
    )
    expect((await app.send('POST', '/account/trial')).status).toBe(500)
    isFailing = false
    const { body } = await app.send('POST', '/account/trial')
    await app.send('PATCH', '/account/1', { balance: 4 })
    await vi.waitUntil(() => app.hookCalls.length >= 5)
    await app.app.close()
    expect(body.said).toBe('0')
    const ofFirst = app.hookCalls.filter(([, id]) => id === 1)
    const ofOther = app.hookCalls.filter(([, id]) => id !== 1).map(([kind, , balance]) => [kind, balance])
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

  it('applies scopes, visibility and conditional requests', async () => {
    const attempts: ((
      request: TrialRequest,
      call: Parameters<Parameters<RunTransaction>[0]>[0],
    ) => Promise<unknown>)[] = [
      ({ caller }, call) => call(bank, { ...caller, scopes: ['account:read'] }).account.update(2, { balance: 9 }),
      ({ caller }, call) => call(bank, { ...caller, claims: { clerk: true } }).account.update(2, { balance: 9 }),
      async (_given, call) => {
        const { account: accounts } = call(bank)
        const read = await accounts.read(2)
        await accounts.update(2, { balance: 9 }, { etag: `${etagOf(read)}` })
        await accounts.update(2, { balance: 10 }, { etag: `${etagOf(read)}` })
      },
    ]
    const app = await openBank(database(), async (request) => {
      const last = attempts.shift()
      await request.transaction(async (call) => {
        await call(bank).account.update(1, { balance: 5 })
        await last?.(request, call)
      })
      return ''
    })
    await app.send('PATCH', '/account/2', { hidden: true })
    const responses = [
      await app.send('POST', '/account/trial'),
      await app.send('POST', '/account/trial'),
      await app.send('POST', '/account/trial'),
    ]
    expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
      [403, 'insufficient-scope'],
      [404, 'record-not-found'],
      [412, 'precondition-failed'],
    ])
    expect(await app.balances()).toEqual([1000, 1000])
  })

  it('includes custom operations that are called, and their calls', async () => {
    let isFailing = true
    const app = await openBank(database(), ({ transaction }) =>
      transaction(async (call) => {
        await call(bank).account.of(1).note.post({ amount: 7 })
        if (isFailing) throw new ProblemError(problem('rule-broken', { detail: 'Not today.' }))
        return ''
      }),
    )
    expect((await app.send('POST', '/account/trial')).status).toBe(422)
    expect(await app.column('amount', '/entry')).toEqual([])
    isFailing = false
    expect((await app.send('POST', '/account/trial')).status).toBe(200)
    expect(await app.column('amount', '/entry')).toEqual([7])
  })

  it('responds with 503 at its time limit, without changes, and other writes continue', async () => {
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
    const waiting = app.send('POST', '/account/trial')
    const { status, headers, body } = await waiting
    late.resolve()
    expect([status, headers['retry-after'], body.code, body.detail]).toEqual([
      503,
      '1',
      'unavailable',
      'The transaction exceeded its time limit of 700 ms. No changes were made.',
    ])
    expect([await move(app, 1, 2, 1), await app.balances()]).toMatchObject([{ status: 200 }, [999, 1001]])
    expect(app.faults).toMatchObject([{ name: 'TransactionTimeout' }])
  })

  it('rejects calls that would deadlock or come too late, with a clear message', async () => {
    const tries: ((request: TrialRequest) => Promise<unknown>)[] = [
      ({ transaction }) => transaction(() => transaction(async () => '')),
      ({ transaction }) => transaction((call) => call(bank).account.of(1).transfer.post({ to: 2, amount: 1 })),
      ({ call, transaction }) => {
        const { account: accounts } = call(bank)
        return transaction(() => accounts.update(1, { balance: 5 }))
      },
      async ({ transaction }) => {
        const ended = await transaction(async (call) => call(bank).account)
        return ended.update(1, { balance: 5 })
      },
      ({ transaction }) => transaction(async () => '', { limit: 0 }),
    ]
    const app = await openBank(database(), async (request) => `${await tries.shift()?.(request)}`)
    for (const _ of [...tries]) expect((await app.send('POST', '/account/trial')).status).toBe(500)
    expect(app.faults.map((error) => `${error}`)).toEqual([
      expect.stringContaining('inside another one'),
      expect.stringContaining('inside another one'),
      expect.stringContaining('Use the call that the transaction passes'),
      expect.stringContaining('A call of the transaction came after its end'),
      'Error: The limit of a transaction must be an integer from 1 to 60000, in milliseconds, not 0.',
    ])
    expect(await app.balances()).toEqual([1000, 1000])
  })

  it('keeps the sum of two accounts under concurrent requests, and never shows another sum', async () => {
    const app = await openBank(database())
    const sums: number[] = []
    const look = async () => {
      const { body } = await app.get('/account?owner=Ada&owner=Bob')
      sums.push(body.results.reduce((sum: number, { balance }: { balance: number }) => sum + balance, 0))
    }
    const responses = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const [from, to] = at % 2 === 0 ? [1, 2] : [2, 1]
        const [{ status }] = await Promise.all([
          move(app, from as number, to as number, at % 10 === 9 ? 5000 : at + 1),
          look(),
          app.send('POST', '/account', { owner: `owner ${at}`, balance: 0 }),
        ])
        await look()
        return status
      }),
    )
    expect(responses).toEqual(responses.map((_, at) => (at % 10 === 9 ? 422 : 200)))
    expect(new Set(sums)).toEqual(new Set([2000]))
    const amounts = (await app.column('amount', '/entry')) as number[]
    expect([amounts.length, amounts.reduce((sum, amount) => sum + amount, 0)]).toEqual([36, 0])
    const [ada = 0, bob = 0] = (await app.balances()) as number[]
    expect([ada, ada + bob]).toEqual([1000 + (await sumOf(app, 1)), 2000])
    expect((await app.get('/account')).body.pageInfo.numberOfRecords).toBe(22)
  })
})

async function sumOf({ column }: Pick<TestService, 'column'>, id: number): Promise<number> {
  return ((await column('amount', `/entry?account=${id}`)) as number[]).reduce((sum, amount) => sum + amount, 0)
}
