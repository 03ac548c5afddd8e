/** `npm run bench:history-size`: the time of requests with a long history, compared with an empty one. */
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
import { fillHistory, waitForCounts } from './fill.ts'
import { requestOf, userService } from './service.ts'

const help = `npm run bench:history-size -- [options]

Sends requests one after the other to two services, one without and one with many history entries, and compares the median times.

  --entries <number>    history entries of the second service (default: 1000000)
  --users <number>      records in each database (default: 10000)
  --requests <number>   requests of one turn (default: 200)
  --rounds <number>     rounds, in which both take turns (default: 9)
  --database <kind>     sqlite or postgres (default: both)

The databases are in the folder for temporary files; set TMPDIR for another disk. An entry takes about 500 bytes.`

interface Sizes {
  readonly users: number
  /** The number of entries that the history has at the start. */
  readonly entries: number
}

/** The kinds of requests, each with the number of the request. */
const kinds: readonly (readonly [name: string, request: (number: number, sizes: Sizes) => BenchRequest])[] = [
  ['GET /user/{id}', (number, { users }) => requestOf('GET', `/user/${userOf(number, users)}`)],
  ['GET /user', (number, { users }) => requestOf('GET', `/user?pageNumber=${1 + (number % Math.ceil(users / 10))}`)],
  [
    'PATCH /user/{id}',
    (number, { users }) => requestOf('PATCH', `/user/${userOf(number, users)}`, { firstName: `N${number}` }),
  ],
  ['GET /user/{id}/change', (number, { users }) => requestOf('GET', `/user/${userOf(number, users)}/change`)],
  ['GET /change', () => requestOf('GET', '/change')],
  ['GET /user/change', () => requestOf('GET', '/user/change')],
  [
    'GET /change?pageNumber={page}',
    (number, { entries }) => requestOf('GET', `/change?pageNumber=${pageOf(number, entries)}`),
  ],
  [
    'GET /user/change?pageNumber={page}',
    (number, { entries }) => requestOf('GET', `/user/change?pageNumber=${pageOf(number, entries)}`),
  ],
  [
    'GET /change?afterId={id}',
    (number, { entries }) => requestOf('GET', `/change?afterId=${spreadOver(number, entries)}`),
  ],
]

function userOf(number: number, users: number): number {
  return 1 + spreadOver(number, users)
}

/** Pages of ten entries, over the whole history. */
function pageOf(number: number, entries: number): number {
  return 1 + spreadOver(number, Math.ceil(entries / 10))
}

/** Numbers below a limit, far from each other. */
function spreadOver(number: number, limit: number): number {
  return limit === 0 ? 0 : (number * 7919) % limit
}

/** The maximum length of a turn, in seconds. */
const maxSeconds = 120

let sent = 0

/** The median time of requests, in milliseconds. */
async function turn(
  client: ChildProcess,
  { url, sizes }: OpenedService,
  request: (number: number, sizes: Sizes) => BenchRequest,
  requestsPerTurn: number,
): Promise<number> {
  // More than are needed: no request may be sent twice.
  const requests = Array.from({ length: requestsPerTurn * 2 }, () => request(++sent, sizes))
  const order = { url, connections: 1, requests, seconds: maxSeconds, atMost: requestsPerTurn }
  return (await runLoad(client, order)).p50
}

interface OpenedService {
  readonly app: OpenService
  readonly url: string
  readonly sizes: Sizes
}

async function openWith(sizes: Sizes, database: string): Promise<OpenedService> {
  const definition = userService(sizes.users, true)
  await (await open(definition, { database })).close()
  await fillHistory(database, sizes.entries, sizes.users)
  const app = await open(definition, { database, waitLimitMs: 0 })
  const startMs = performance.now()
  await waitForCounts(database)
  say(`counted in ${Math.round(performance.now() - startMs)} ms`)
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }), sizes }
}

await session('bench:history-size', async (folder) => {
  const option = { type: 'string' } as const
  const options = {
    entries: option,
    users: option,
    requests: option,
    rounds: option,
    database: option,
    help: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(help)
  const entries = positive('entries', values.entries, 1_000_000)
  const users = positive('users', values.users, 10_000)
  const requests = positive('requests', values.requests, 200)
  const rounds = positive('rounds', values.rounds, 9)
  console.log(machine())
  const client = startLoad()
  for (const kind of ['sqlite', 'postgres'] as const) {
    if (values.database !== undefined && values.database !== kind) continue
    const server = kind === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
    const opened: OpenedService[] = []
    for (const number of [0, entries]) {
      say(`${databaseNames[kind]}: ${number} entries`)
      const database = (await server?.createDatabase()) ?? `sqlite:${join(folder, `${number}.db`)}`
      opened.push(await openWith({ users, entries: number }, database))
    }
    const lines: string[][] = []
    for (const [name, request] of kinds) {
      say(`${databaseNames[kind]}: ${name}`)
      const times: number[][] = opened.map(() => [])
      for (const service of opened) await turn(client, service, request, requests)
      for (let round = 0; round < rounds; round++)
        for (const [index, service] of opened.entries())
          times[index]?.push(await turn(client, service, request, requests))
      const [empty = [], long = []] = times
      const { median, least, most } = ratio(long, empty)
      lines.push([
        name,
        ...times.map((list) => spread(list).median.toFixed(2)),
        `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
      ])
    }
    say('')
    const head = [databaseNames[kind], '0 entries, ms', `${entries.toLocaleString('en-US')} entries, ms`]
    console.log(`\n${markdownTable([...head, 'ratio (least to most)'], lines)}`)
    for (const { app } of opened) await app.close()
    await server?.remove()
  }
  await end(client)
})
