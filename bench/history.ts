/** `npm run bench:history`: the cost of recording the history of changes. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { api, boolean, change, choice, email, identity, noun, resource, text, updatedAt } from '@nomen/core'
import { type OpenService, open, service } from '@nomen/server'
import { startPostgres } from '@nomen/testing/postgres'
import { databaseNames } from './database-name.ts'
import { markdownTable } from './markdown.ts'
import { machine } from './report.ts'
import { say, session } from './session.ts'
import { positive } from './settings.ts'
import { ratio, spread } from './statistic.ts'

const help = `npm run bench:history -- [options]

Changes and creates users in a service with and without history, on durable databases, and compares the requests per second.

  --users <number>        records in each database (default: 10000)
  --requests <number>     requests of one turn (default: 4000)
  --connections <number>  concurrent requests (default: 64)
  --rounds <number>       rounds, in which both take turns (default: 9)`

const fields = () => ({
  id: identity(),
  firstName: text({ maxLength: 80 }),
  lastName: text({ maxLength: 80 }),
  email: email().unique(),
  phone: text().nullable(),
  active: boolean().default(true),
  status: choice('NEW', 'OPEN', 'CLOSED').default('NEW'),
  changed: updatedAt(),
})

function serviceOf(hasHistory: boolean, users: number) {
  const user = hasHistory ? noun('user', fields(), { history: true }) : noun('user', fields())
  const directory = api('directory', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: hasHistory ? [resource(user), resource(change)] : [resource(user)],
  })
  const row = (id: number) => ({
    id,
    firstName: `F${id}`,
    lastName: `L${id}`,
    email: `u${id}@example.org`,
    phone: null,
  })
  const rows = Array.from({ length: users }, (_, at) => row(at + 1))
  return service({ name: 'directory', apis: [directory], sample: () => [{ noun: 'user', rows }] })
}

interface Load {
  readonly users: number
  readonly requests: number
  readonly connections: number
}

let sent = 0

const kinds: readonly (readonly [name: string, request: (load: Load) => Request])[] = [
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

function requestOf(method: string, path: string, body: object): Request {
  const headers = { 'content-type': 'application/json' }
  return new Request(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) })
}

/** Requests per second. */
async function turn({ fetch }: OpenService, request: (load: Load) => Request, load: Load): Promise<number> {
  let left = load.requests
  const start = performance.now()
  const work = async () => {
    while (left-- > 0) {
      sent++
      const response = await fetch(request(load))
      if (response.status >= 300) throw new Error(`${response.status}: ${await response.text()}`)
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: load.connections }, work))
  return load.requests / ((performance.now() - start) / 1000)
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
  for (const kind of ['sqlite', 'postgres'] as const) {
    const server = kind === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
    const opened: OpenService[] = []
    for (const hasHistory of [false, true]) {
      const database = (await server?.createDatabase()) ?? `sqlite:${join(folder, `${hasHistory}.db`)}`
      opened.push(await open(serviceOf(hasHistory, load.users), { database, waitLimit: 0 }))
    }
    const lines: string[][] = []
    for (const [name, request] of kinds) {
      say(`${databaseNames[kind]}: ${name}`)
      const rates: number[][] = opened.map(() => [])
      for (const app of opened) await turn(app, request, load)
      for (let round = 0; round < rounds; round++)
        for (const [index, app] of opened.entries()) rates[index]?.push(await turn(app, request, load))
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
    for (const app of opened) await app.close()
    await server?.remove()
  }
})
