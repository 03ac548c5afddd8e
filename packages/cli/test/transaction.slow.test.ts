// kill -9 during a transaction of a handler: nothing of it is stored, on both databases, and it does not block others.
import { join } from 'node:path'
import { numberOfRuns, timeoutOption, withoutLoadShedding } from '@nomen/testing/prove'
import { temporaryPostgres } from '@nomen/testing/shared-postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder } from './folder.ts'
import { type RunningServer, serve, waitUntil } from './nomen.ts'
import { sendRequest } from './send-request.ts'

/** Two accounts of 1000. A transfer of 13 never completes. */
const accountService = `
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

const rounds = numberOfRuns(2, 20)
const numberOfClients = 6

/** Number of responses before each kill. */
const responseCounts = 12

const move = ({ base }: RunningServer, from: number, to: number, amount: number) =>
  sendRequest(`${base}/account/${from}/transfer`, { method: 'POST', body: { to, amount } })

interface Page {
  readonly results: readonly Record<string, number>[]
  readonly pageInfo: { readonly numberOfPages: number }
}

/** The values of one property in all records of a list. */
async function column({ base }: RunningServer, path: string, name: string): Promise<readonly number[]> {
  const values: number[] = []
  for (let pageNumber = 1, last = 1; pageNumber <= last; pageNumber++) {
    const { results, pageInfo } = (
      await sendRequest(`${base}${path}?pageSize=1000&pageNumber=${pageNumber}`)
    ).json() as Page
    values.push(...results.map((result) => Number(result[name])))
    last = pageInfo.numberOfPages
  }
  return values
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, amount) => total + amount, 0)

/** Transfers money in one direction until the service is killed, and reports each acknowledged transfer. */
async function client(server: RunningServer, pageNumber: number, acknowledged: () => void): Promise<void> {
  const [from, to] = pageNumber % 2 === 0 ? [1, 2] : [2, 1]
  for (;;) {
    const response = await move(server, from as number, to as number, pageNumber + 1).catch(() => undefined)
    if (!response) return
    expect(response.status).toBe(204)
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
  it('during a transaction leaves nothing of the transaction', timeoutOption(120_000, 1_200_000), async () => {
    const folder = serviceFolder({ 'service.ts': accountService })
    const address = await database()
    const start = () =>
      serve(['service.ts', '--database', address, '--access-log', join(folder, 'access.log')], {
        folder,
        environment: withoutLoadShedding,
      })
    let server = await start()
    let acknowledged = 0
    for (let round = 0; round < rounds; round++) {
      const enoughNow = acknowledged + responseCounts
      const clients = Array.from({ length: numberOfClients }, (_, pageNumber) =>
        client(server, pageNumber, () => acknowledged++),
      )
      await waitUntil(() => acknowledged >= enoughNow, 60_000, `${responseCounts} transfers are acknowledged`)
      // On SQLite the open transaction blocks other writes: they are killed while they wait.
      const half = move(server, 1, 2, 13).catch(() => undefined)
      await waitUntil(() => server.stdout().includes('half done'), 60_000, 'a transfer is half complete')
      server.kill('SIGKILL')
      expect((await server.exit).signal).toBe('SIGKILL')
      await Promise.all([half, ...clients])

      server = await start()
      const balances = await column(server, '/account', 'balance')
      const amounts = await column(server, '/entry', 'amount')
      expect([balances.length, sum(balances), sum(amounts), amounts.length % 2]).toEqual([2, 2000, 0, 0])
      expect(amounts).not.toContain(-13)
      expect(amounts.length / 2).toBeGreaterThanOrEqual(acknowledged)
      // Transactions of a killed process do not block others.
      expect(
        (await sendRequest(`${server.base}/account/1`, { method: 'PATCH', body: { balance: balances[0] } })).status,
      ).toBe(200)
    }
  })
})
