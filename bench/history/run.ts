/** `npm run bench:history`: the cost of recording the history of changes. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type OpenService, open } from '@nomen/server'
import { startPostgres } from '@nomen/testing/postgres'
import { end } from '../child.ts'
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

Changes and creates users in a service with and without history, on durable databases and over HTTP, and compares the requests per second.

  --users <number>        records in each database (default: 10000)
  --requests <number>     requests of one turn (default: 4000)
  --connections <number>  concurrent requests (default: 64)
  --rounds <number>       rounds, in which both take turns (default: 9)`

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

/** Requests per second, over HTTP from another process. */
async function turn(
  client: ChildProcess,
  url: string,
  request: (load: Load) => BenchRequest,
  load: Load,
): Promise<number> {
  // More than are needed: no connection may send one twice.
  const requests = Array.from({ length: load.requests * 2 }, () => {
    sent++
    return request(load)
  })
  const { connections, requests: atMost } = load
  const { number, seconds } = await runLoad(client, { url, connections, requests, seconds: maxSeconds, atMost })
  return number / seconds
}

await session('bench:history', async (folder) => {
  const option = { type: 'string' } as const
  const options = {
    users: option,
    requests: option,
    connections: option,
    rounds: option,
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
    const server = kind === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
    const opened: { readonly app: OpenService; readonly url: string }[] = []
    for (const hasHistory of [false, true]) {
      const database = (await server?.createDatabase()) ?? `sqlite:${join(folder, `${hasHistory}.db`)}`
      const app = await open(userService(load.users, hasHistory), { database, waitLimit: 0 })
      opened.push({ app, url: await app.listen({ port: 0, host: '127.0.0.1' }) })
    }
    const lines: string[][] = []
    for (const [name, request] of kinds) {
      say(`${databaseNames[kind]}: ${name}`)
      const rates: number[][] = opened.map(() => [])
      for (const { url } of opened) await turn(client, url, request, load)
      for (let round = 0; round < rounds; round++)
        for (const [index, { url }] of opened.entries()) rates[index]?.push(await turn(client, url, request, load))
      const [without = [], having = []] = rates
      const { median, least, most } = ratio(having, without)
      lines.push([
        name,
        ...rates.map((list) => spread(list).median.toFixed(0)),
        `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
      ])
    }
    say('')
    const head = [databaseNames[kind], 'without history, requests/s', 'with history', 'ratio (least to most)']
    console.log(`\n${markdownTable(head, lines)}`)
    for (const { app } of opened) await app.close()
    await server?.remove()
  }
  await end(client)
})
