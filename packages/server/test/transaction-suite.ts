/** Transactions of several plans, as every store must run them; the same on each database. */
import {
  type AnyApi,
  api,
  choice,
  identity,
  integer,
  noun,
  type Operation,
  operations,
  reference,
  resource,
  text,
  type Value,
} from '@nomen/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable, TransactionTimeout } from '../src/store/fault/error.ts'
import { modelOf } from '../src/store/model.ts'
import type { Outcome } from '../src/store/outcome.ts'
import type { Plan, Values } from '../src/store/plan.ts'
import type { Store, Transaction } from '../src/store/store.ts'
import type { StoreUnderTest } from './store/store-test.ts'

const account = noun('account', {
  id: identity(),
  name: text().unique(),
  balance: integer(),
  state: choice('OPEN', 'CLOSED').default('OPEN'),
})
const entry = noun('entry', { id: identity(), account: reference(() => account), amount: integer() })
const bank: AnyApi = api('bank', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [resource(account), resource(entry)],
})
const table = operations(bank)
const now = '2026-11-15T03:29:00.000Z'
const limitMs = 60_000

interface SuiteOptions {
  /** Whether reads during a transaction wait for its end, instead of seeing the state before. */
  readonly readsWait?: boolean
}

export function transactionSuite(
  name: string,
  prepare: () => Promise<StoreUnderTest>,
  { readsWait = false }: SuiteOptions = {},
): void {
  describe(`transaction on ${name}`, () => {
    const model = modelOf(table)
    let under: StoreUnderTest
    let store: Store

    beforeEach(async () => {
      under = await prepare()
      store = await under.open(model)
      for (const name of ['a', 'b']) await store.run(created(name, 100))
    })
    afterEach(async () => {
      await store.close()
      await under.remove()
    })

    const balances = async (of: Pick<Store, 'run'> = store) =>
      (await listed(of, 'account')).map(({ balance }) => balance)

    it('returns the result of the work, once all of it is stored', async () => {
      const { result } = await store.transaction(
        async (all) => {
          await all.run(changed(1, { balance: 60 }))
          await all.run(changed(2, { balance: 140 }))
          return 'done'
        },
        { limitMs },
      )
      expect([result, await balances()]).toEqual(['done', [60, 140]])
    })

    it('shows the work its own writes in records, lists, totals and filters, and to others only after the end', async () => {
      const written = Promise.withResolvers<void>()
      const looked = Promise.withResolvers<void>()
      const whole = store.transaction(
        async (all) => {
          const before = await listed(all, 'account')
          await all.run(created('c', 5))
          await all.run(changed(1, { balance: 7, state: 'CLOSED' }))
          await all.run(deleted('account', 2))
          const state = {
            before: before.length,
            record: recordOf(await all.run(read(1))).balance,
            list: (await listed(all, 'account')).map(({ name }) => name),
            totals: [await total(all), await total(all, { state: ['OPEN'] }), await total(all, { balance: [7] })],
          }
          written.resolve()
          await looked.promise
          return state
        },
        { limitMs },
      )
      await written.promise
      const meanwhile = Promise.all([balances(), total(store), total(store, { state: ['OPEN'] })])
      if (!readsWait) expect(await meanwhile).toEqual([[100, 100], 2, 2])
      looked.resolve()
      expect((await whole).result).toEqual({ before: 2, record: 7, list: ['a', 'c'], totals: [2, 1, 1] })
      if (readsWait) expect(await meanwhile).toEqual([[7, 5], 2, 1])
      const known = [await balances(), await total(store, { state: ['OPEN'] }), await total(store, { balance: [7] })]
      expect(known).toEqual([[7, 5], 1, 1])
    })

    it('rolls back if the work throws, and rejects with the error', async () => {
      const thrown = new Error('no')
      const ends: boolean[] = []
      const whole = store.transaction(
        async (all) => {
          all.atEnd((isDone) => ends.push(isDone))
          await all.run(created('c', 5))
          await all.run(changed(1, { balance: 0 }))
          await all.run(deleted('account', 2))
          throw thrown
        },
        { limitMs },
      )
      await expect(whole).rejects.toBe(thrown)
      expect([await balances(), await total(store), ends]).toEqual([[100, 100], 2, [false]])
      await store.transaction((all) => ran(all, changed(1, { balance: 1 })), { limitMs })
      expect(await balances()).toEqual([1, 100])
    })

    it('rejects a single plan, and continues with the others', async () => {
      const ends: boolean[] = []
      const { result } = await store.transaction(
        async (all) => {
          all.atEnd((isDone) => ends.push(isDone))
          await all.run(created('c', 5))
          const conflict = await all.run(created('a', 5))
          const nowhere = await all.run(plan('create', 'entry.create', { values: { account: 99, amount: 1 } }))
          await all.run(plan('create', 'entry.create', { values: { account: 3, amount: 1 } }))
          const referenced = await all.run(deleted('account', 3))
          const outdated = await all.run({ ...changed(1, { balance: 0 }), meetsPreconditions: () => false })
          const ruled = await all.run({ ...changed(1, { balance: 0 }), check: () => ({ detail: 'never' }) })
          return [conflict, nowhere, referenced, outdated, ruled].map(reasonOf)
        },
        { limitMs },
      )
      expect(result).toEqual(['taken', 'no-target', 'referenced', 'precondition', 'rule'])
      expect([await balances(), (await listed(store, 'entry')).length, ends]).toEqual([[100, 100, 5], 1, [true]])
    })

    it('stores an Idempotency-Key only together with its write', async () => {
      const keyed = (key: string): Plan => ({
        ...created(key, 5),
        idempotency: { key: 'key', fingerprint: key },
      })
      const failed = store.transaction(
        async (all) => {
          await all.run(keyed('c'))
          throw new Error('no')
        },
        { limitMs },
      )
      await expect(failed).rejects.toThrow('no')
      const once = await store.transaction((all) => ran(all, keyed('d')), { limitMs })
      const again = await store.transaction((all) => ran(all, keyed('d')), { limitMs })
      const other = await store.transaction((all) => ran(all, keyed('e')), { limitMs })
      expect([recordOf(once.result).name, recordOf(again.result)]).toEqual(['d', recordOf(once.result)])
      expect([reasonOf(other.result), await total(store)]).toEqual(['key-reused', 3])
    })

    it('rolls back if one of its plans fails, even if the work catches the error', async () => {
      const bug = new Error('a bug')
      const whole = store.transaction(
        async (all) => {
          await all.run(changed(1, { balance: 0 }))
          const failing = () => {
            throw bug
          }
          await ran(all, { ...changed(2, { balance: 0 }), check: failing }).catch(() => 'caught')
          return 'done'
        },
        { limitMs },
      )
      await expect(whole).rejects.toBe(bug)
      expect(await balances()).toEqual([100, 100])
    })

    it('runs concurrent plans one after the other, and waits for plans that are not awaited', async () => {
      await store.transaction(
        async (all) => {
          await Promise.all([
            ran(all, created('a', 1)),
            ran(all, created('c', 1)),
            ran(all, created('a', 1)),
            ran(all, changed(1, { balance: 1 })),
          ])
          void ran(all, changed(2, { balance: 2 }))
        },
        { limitMs },
      )
      expect(await balances()).toEqual([1, 2, 1])
    })

    it('also rolls back plans that were running when the work threw, without late writes', async () => {
      for (let round = 1; round <= 10; round++) {
        const plans: Promise<unknown>[] = []
        const whole = store.transaction(
          async (all) => {
            // Each looks at the record before it writes.
            for (const key of [1, 2]) {
              const changing = ran(all, { ...changed(key, { balance: round }), check: () => undefined })
              plans.push(changing.catch(() => 'not done'))
            }
            throw new Error('no')
          },
          { limitMs },
        )
        await expect(whole).rejects.toThrow('no')
        await Promise.all(plans)
        expect(await balances()).toEqual([100, 100])
      }
    })

    it('is isolated from concurrent work on the database', async () => {
      await store.usage.days()
      const written = Promise.withResolvers<void>()
      const looked = Promise.withResolvers<void>()
      const whole = store.transaction(
        async (all) => {
          await all.run(changed(1, { balance: 0 }))
          written.resolve()
          await looked.promise
          await all.run(changed(2, { balance: 0 }))
          throw new Error('no')
        },
        { limitMs },
      )
      await written.promise
      const loaded = store.loadIfEmpty(() => [
        { noun: 'account', rows: [{ id: 9, name: 'z', balance: 9, state: 'OPEN' }] },
      ])
      expect([await store.usage.days(), await store.isEmpty(), await store.check()]).toEqual([[], false, undefined])
      // All that was to be done at the end of this turn is done.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      looked.resolve()
      await expect(whole).rejects.toThrow('no')
      expect([await loaded, await balances()]).toEqual([0, [100, 100]])
    })

    it('rejects plans after its end, without running them', async () => {
      let ended: Transaction | undefined
      await store.transaction(
        async (all) => {
          ended = all
        },
        { limitMs },
      )
      await expect(ran(ended as Transaction, changed(1, { balance: 0 }))).rejects.toThrow(
        'A call of the transaction came after its end',
      )
      const ends: boolean[] = []
      ended?.atEnd((isDone) => ends.push(isDone))
      expect([await balances(), ends]).toEqual([[100, 100], [true]])
    })

    it('is rolled back at its time limit, and other writes continue', async () => {
      const late = Promise.withResolvers<void>()
      const afterwards = Promise.withResolvers<unknown>()
      const whole = store.transaction(
        async (all) => {
          try {
            await all.run(changed(1, { balance: 0 }))
            await late.promise
            await all.run(changed(2, { balance: 0 }))
          } catch (error) {
            afterwards.resolve(error)
          }
        },
        { limitMs: 1000 },
      )
      await expect(whole).rejects.toBeInstanceOf(TransactionTimeout)
      expect(recordOf(await store.run(changed(1, { balance: 50 }))).balance).toBe(50)
      late.resolve()
      expect(`${await afterwards.promise}`).toContain('A call of the transaction came after its end')
      expect(await balances()).toEqual([50, 100])
    })

    it('loses no update if many transactions read and write the same records, also from several processes', async () => {
      const other = readsWait ? store : await under.open(model)
      const many = Array.from({ length: 20 }, (_, at) => at)
      const sums: unknown[] = []
      const move = (at: number) =>
        (at % 3 === 0 ? other : store).transaction(
          async (all) => {
            const [from, to] = at % 2 ? [1, 2] : [2, 1]
            const source = Number(recordOf(await all.run(read(from))).balance)
            await all.run(changed(from, { balance: source - 1 }))
            const target = Number(recordOf(await all.run(read(to))).balance)
            await all.run(changed(to, { balance: target + 1 }))
            await all.run(plan('create', 'entry.create', { values: { account: to, amount: 1 } }))
          },
          { limitMs },
        )
      const look = async () => sums.push((await balances()).reduce<number>((sum, balance) => sum + Number(balance), 0))
      await Promise.all(many.flatMap((at) => [move(at), look(), store.run(created(`single ${at}`, 0))]))
      if (other !== store) await other.close()
      expect(new Set(sums)).toEqual(new Set([200]))
      expect((await balances()).slice(0, 2)).toEqual([100, 100])
      expect([await total(store), (await listed(store, 'entry')).length]).toEqual([22, 20])
    })

    it('is rolled back if the store closes, and rejected afterwards', async () => {
      const written = Promise.withResolvers<void>()
      const ends: boolean[] = []
      const whole = store.transaction(
        async (all) => {
          all.atEnd((isDone) => ends.push(isDone))
          await all.run(changed(1, { balance: 0 }))
          written.resolve()
          await new Promise(() => {})
        },
        { limitMs },
      )
      await written.promise
      await Promise.all([expect(whole).rejects.toBeInstanceOf(StoreUnavailable), store.close()])
      await expect(store.transaction(async () => 'never', { limitMs })).rejects.toBeInstanceOf(StoreUnavailable)
      expect(ends).toEqual([false])
    })
  })
}

const ran = async (all: Pick<Store, 'run'>, plan: Plan): Promise<Outcome> => all.run(plan)

function operation(id: string): Operation {
  const [noun, kind] = id.split('.')
  const operation = table.find((candidate) => candidate.resource.noun.name === noun && candidate.kind === kind)
  if (!operation) throw new Error(`There is no operation ${id}.`)
  return operation
}

function plan<Kind extends Plan['kind']>(kind: Kind, id: string, more: object): Extract<Plan, { kind: Kind }> {
  const common = { kind, operation: operation(id), ancestors: [], now, match: undefined, check: undefined }
  return { ...common, ...more } as unknown as Extract<Plan, { kind: Kind }>
}

function created(name: string, balance: number): Extract<Plan, { kind: 'create' }> {
  return plan('create', 'account.create', { values: { name, balance, state: 'OPEN' } })
}

function changed(key: Value, values: Values): Extract<Plan, { kind: 'change' }> {
  return plan('change', 'account.update', { key, values })
}

function deleted(noun: string, key: Value): Plan {
  return plan('delete', `${noun}.delete`, { key })
}

function read(key: Value): Plan {
  return plan('read', 'account.read', { key })
}

function list(noun: string, filters: { readonly [field: string]: readonly Value[] } = {}): Plan {
  const conditions = Object.entries(filters).map(([field, values]) => ({ kind: 'equal', fields: [field], values }))
  const page = { pageNumber: 1, pageSize: 100 }
  return plan('list', `${noun}.list`, { conditions, include: [], order: [], page })
}

async function listed(of: Pick<Store, 'run'>, noun: string): Promise<readonly Record<string, Value>[]> {
  const outcome = await of.run(list(noun))
  if (outcome.kind !== 'list') throw new Error(outcome.kind)
  return JSON.parse(outcome.json)
}

async function total(of: Pick<Store, 'run'>, filters?: Parameters<typeof list>[1]): Promise<number> {
  const outcome = await of.run(list('account', filters))
  if (outcome.kind !== 'list') throw new Error(outcome.kind)
  return outcome.numberOfRecords
}

function recordOf(outcome: Outcome): Record<string, Value> {
  if (outcome.kind !== 'record') throw new Error(JSON.stringify(outcome))
  return JSON.parse(outcome.json)
}

function reasonOf(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? outcome.rejection.reason : outcome.kind
}
