/** `npm run bench:history`: the cost of recording the history of changes. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type OpenService, open } from '@nomen/server'
import { startPostgres } from '@nomen/testing/postgres'
import { end, usageOf } from '../child.ts'
import { databaseNames } from '../database-name.ts'
import type { BenchRequest } from '../dialect.ts'
import { runLoad, startLoad } from '../load.ts'
import { markdownTable } from '../markdown.ts'
import { machine } from '../report.ts'
import { say, session } from '../session.ts'
import { positive } from '../settings.ts'
import { ratio, spread } from '../statistic.ts'
import { requestOf, userService } from './service.ts'

const help = `npm run bench:history -- [options]

Changes and creates users in a service with and without history, on durable databases and over HTTP. It compares the requests per second, and the CPU time of
service and database.

  --users <number>        records in each database (default: 10000)
  --requests <number>     requests of one turn (default: 4000)
  --connections <number>  concurrent requests (default: 64)
  --rounds <number>       rounds, in which both take turns (default: 9)
  --database <kind>       sqlite or postgres (default: both)`

interface Load {
  readonly users: number
  readonly requests: number
  readonly connections: number
}

let sent = 0

/** The kinds of requests. Every request has new values, because an unchanged record has no entry. */
const kinds: readonly (readonly [name: string, request: (load: Load) => BenchRequest])[] = [
  ['PATCH of one field', ({ users }) => requestOf('PATCH', `/user/${1 + (sent % users)}`, { firstName: `N${sent}` })],
  [
    'PATCH of three fields',
    ({ users }) =>
      requestOf('PATCH', `/user/${1 + (sent % users)}`, {
        firstName: `N${sent}`,
        lastName: `M${sent}`,
        phone: `${sent}`,
      }),
  ],
  ['POST', () => requestOf('POST', '/user', { firstName: 'N', lastName: 'M', email: `n${sent}@example.org` })],
]

/** The maximum length of a turn, in seconds. */
const maxSeconds = 60

interface Turn {
  readonly requestsPerSecond: number
  /** CPU time of service and database per request, in microseconds. */
  readonly cpu: number
}

/** Sends requests over HTTP from another process. */
async function turn(
  client: ChildProcess,
  url: string,
  request: (load: Load) => BenchRequest,
  load: Load,
): Promise<Turn> {
  // More than are needed: no connection may send one twice.
  const requests = Array.from({ length: load.requests * 2 }, () => {
    sent++
    return request(load)
  })
  const { connections, requests: atMost } = load
  const before = cpuSeconds(client)
  const { number, seconds } = await runLoad(client, { url, connections, requests, seconds: maxSeconds, atMost })
  return { requestsPerSecond: number / seconds, cpu: ((cpuSeconds(client) - before) * 1e6) / number }
}

/** Of this process and the database, without the client. */
function cpuSeconds(client: ChildProcess): number {
  return (usageOf(process)?.processor ?? Number.NaN) - (usageOf(client)?.processor ?? Number.NaN)
}

await session('bench:history', async (folder) => {
  const option = { type: 'string' } as const
  const options = {
    users: option,
    requests: option,
    connections: option,
    rounds: option,
    database: option,
    help: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(help)
  const load: Load = {
    users: positive('users', values.users, 10_000),
    requests: positive('requests', values.requests, 4000),
    connections: positive('connections', values.connections, 64),
  }
  const rounds = positive('rounds', values.rounds, 9)
  console.log(machine())
  const client = startLoad()
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (values.database !== undefined && values.database !== kind) continue
    const server = kind === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
    const opened: { readonly app: OpenService; readonly url: string }[] = []
    for (const hasHistory of [false, true]) {
      const database = (await server?.createDatabase()) ?? `sqlite:${join(folder, `${hasHistory}.db`)}`
      const app = await open(userService(load.users, hasHistory), { database, waitLimitMs: 0 })
      opened.push({ app, url: await app.listen({ port: 0, host: '127.0.0.1' }) })
    }
    const lines: string[][] = []
    for (const [name, request] of kinds) {
      say(`${databaseNames[kind]}: ${name}`)
      const turns: Turn[][] = opened.map(() => [])
      for (const { url } of opened) await turn(client, url, request, load)
      for (let round = 0; round < rounds; round++)
        for (const [index, { url }] of opened.entries()) turns[index]?.push(await turn(client, url, request, load))
      const [without = [], having = []] = turns
      const rates = [without, having].map((list) => list.map(({ requestsPerSecond }) => requestsPerSecond))
      const costs = [without, having].map((list) => list.map(({ cpu }) => cpu))
      const share = (values: readonly number[] = [], reference: readonly number[] = []) => {
        const { median, least, most } = ratio(values, reference)
        return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
      }
      lines.push([
        name,
        ...rates.map((list) => spread(list).median.toFixed(0)),
        share(rates[1], rates[0]),
        ...costs.map((list) => spread(list).median.toFixed(0)),
        share(costs[0], costs[1]),
      ])
    }
    say('')
    const head = ['without history, requests/s', 'with history', 'ratio (least to most)']
    const costHead = ['without history, CPU µs', 'with history', 'ratio by CPU (least to most)']
    console.log(`\n${markdownTable([databaseNames[kind], ...head, ...costHead], lines)}`)
    for (const { app } of opened) await app.close()
    await server?.remove()
  }
  await end(client)
})
