// kill -9 in the middle of what a handler does together: nothing of it is there, on both databases, and nobody waits for it.
import { join } from 'node:path'
import { often, patience, unhurried } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder } from './folder.ts'
import { type Served, serve, until } from './nomen.ts'

/** Two accounts of 1000; what is moved from one to the other stays half done where it is 13. */
const bank = `
  import { api, identity, integer, noun, operation, reference, resource } from '@nomen/core'
  import { handle, service } from '@nomen/server'
  const account = noun('account', { id: identity(), balance: integer() })
  const entry = noun('entry', { id: identity(), account: reference(() => account), amount: integer() })
  const transfer = operation({ method: 'POST', on: 'record', body: { to: reference(() => account), amount: integer() } })
  const bank = api('bank', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [resource(account, { operations: { transfer } }), resource(entry)],
  })
  const transferred = handle(account, transfer, ({ key, body: { to, amount }, transaction }) =>
    transaction(
      async (call) => {
        const { account: accounts, entry: entries } = call(bank)
        const source = await accounts.read(key)
        await accounts.update(key, { balance: source.balance - amount })
        await entries.create({ account: key, amount: -amount })
        if (amount === 13) {
          console.log('half done')
          await new Promise(() => {})
        }
        const target = await accounts.read(to)
        await accounts.update(to, { balance: target.balance + amount })
        await entries.create({ account: to, amount })
      },
      { limit: 60_000 },
    ),
  )
  const rows = [{ balance: 1000 }, { balance: 1000 }]
  export default service({ name: 'bank', apis: [bank], handlers: [transferred], sample: () => [{ noun: 'account', rows }] })
`

const rounds = often(2, 20)
const numberOfClients = 6

/** So many are answered before each kill. */
const enough = 12

const move = ({ base }: Served, from: number, to: number, amount: number) =>
  ask(`${base}/account/${from}/transfer`, { method: 'POST', body: { to, amount } })

interface Page {
  readonly results: readonly Record<string, number>[]
  readonly pageInfo: { readonly numberOfPages: number }
}

/** The values of one property in all records of a list. */
async function column({ base }: Served, path: string, name: string): Promise<readonly number[]> {
  const values: number[] = []
  for (let at = 1, last = 1; at <= last; at++) {
    const { results, pageInfo } = (await ask(`${base}${path}?pageSize=1000&pageNumber=${at}`)).json() as Page
    values.push(...results.map((one) => Number(one[name])))
    last = pageInfo.numberOfPages
  }
  return values
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

/** Moves money in one direction until the service is gone, and tells each time that it was acknowledged. */
async function client(served: Served, at: number, acknowledged: () => void): Promise<void> {
  const [from, to] = at % 2 === 0 ? [1, 2] : [2, 1]
  for (;;) {
    const answer = await move(served, from as number, to as number, at + 1).catch(() => undefined)
    if (!answer) return
    expect(answer.status).toBe(204)
    acknowledged()
  }
}

const databases: readonly (readonly [string, () => Promise<string>])[] = [
  ['SQLite', async () => 'sqlite:bank.db'],
  [
    'PostgreSQL',
    async () => {
      const { url, remove } = await temporaryPostgres()
      onTestFinished(remove)
      return url
    },
  ],
]

describe.each(databases)('kill -9 of a service on %s', (_name, database) => {
  it('in the middle of what is done together leaves nothing of it', patience(120_000, 1_200_000), async () => {
    const folder = serviceFolder({ 'service.ts': bank })
    const address = await database()
    const start = () =>
      serve(['service.ts', '--database', address, '--access-log', join(folder, 'access.log')], {
        folder,
        environment: unhurried,
      })
    let served = await start()
    let acknowledged = 0
    for (let round = 0; round < rounds; round++) {
      const enoughNow = acknowledged + enough
      const clients = Array.from({ length: numberOfClients }, (_, at) => client(served, at, () => acknowledged++))
      await until(() => acknowledged >= enoughNow, 60_000, `${enough} transfers are acknowledged`)
      // On SQLite nobody else writes from here on: the others are killed while they wait, or before they are done.
      const half = move(served, 1, 2, 13).catch(() => undefined)
      await until(() => served.said().includes('half done'), 60_000, 'a transfer is half done')
      served.kill('SIGKILL')
      expect((await served.ended).signal).toBe('SIGKILL')
      await Promise.all([half, ...clients])

      served = await start()
      const balances = await column(served, '/account', 'balance')
      const amounts = await column(served, '/entry', 'amount')
      expect([balances.length, sum(balances), sum(amounts), amounts.length % 2]).toEqual([2, 2000, 0, 0])
      expect(amounts).not.toContain(-13)
      expect(amounts.length / 2).toBeGreaterThanOrEqual(acknowledged)
      // What a killed process has left under way keeps nobody waiting.
      expect((await ask(`${served.base}/account/1`, { method: 'PATCH', body: { balance: balances[0] } })).status).toBe(
        200,
      )
    }
  })
})
