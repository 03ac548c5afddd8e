/** `npm run bench:visible`: lists with row-level visibility, on few and on many records. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { api, identity, link, noun, reference, resource, text } from '@nomen/core'
import { linked, type OpenService, open, service, visible } from '@nomen/server'
import { startPostgres } from '@nomen/testing/postgres'
import { databaseNames } from './database-name.ts'
import { markdownTable } from './markdown.ts'
import { machine } from './report.ts'
import { say, session } from './session.ts'
import { positive } from './settings.ts'
import { ratio, spread } from './statistic.ts'

const help = `npm run bench:visible -- [options]

Serves tasks to a caller who sees those that he owns, and those of projects of his teams: 100 in any database.
Compares the time of a request on many tasks with that on few.

  --tasks <number>   records in the large database (default: 1000000)
  --few <number>     records in the small database (default: 10000)
  --rounds <number>  rounds, in which both take turns (default: 9)`

const caller = 7
const requestsPerTurn = 50

const user = noun('user', { id: identity(), name: text() })
const team = noun('team', { id: identity(), name: text() })
const project = noun('project', { id: identity(), team: reference(() => team) })
const task = noun('task', {
  id: identity(),
  title: text(),
  owner: reference(() => user),
  project: reference(() => project),
})
const teamUser = link(team, user)
const tasks = api('tasks', {
  versioning: 'per-noun',
  writes: 'nested',
  resources: [
    resource(task),
    resource(project),
    resource(user),
    resource(team, { children: [resource(user, { via: teamUser })] }),
  ],
})

/** Each user owns 20 tasks and is in a team with 10 projects of 10 tasks each. */
function sampleOf(count: number) {
  const [users, teams, projects] = [count / 20, count / 100, count / 10]
  const rows = <Row>(length: number, row: (id: number) => Row) => Array.from({ length }, (_, index) => row(index + 1))
  return [
    { noun: 'user', rows: rows(users, (id) => ({ id, name: `User ${id}` })) },
    { noun: 'team', rows: rows(teams, (id) => ({ id, name: `Team ${id}` })) },
    { noun: 'project', rows: rows(projects, (id) => ({ id, team: 1 + (id % teams) })) },
    {
      noun: 'task',
      rows: rows(count, (id) => ({ id, title: `Task ${id}`, owner: 1 + (id % users), project: 1 + (id % projects) })),
    },
    { link: ['team', 'user'] as const, rows: rows(users, (id) => [1 + (id % teams), id] as const) },
  ]
}

function serviceOf(count: number) {
  const visibility = visible(task, () => [
    { owner: caller },
    { project: { team: linked(teamUser, user, { id: caller }) } },
  ])
  return service({ name: 'tasks', apis: [tasks], visibility: [visibility], sample: () => sampleOf(count) })
}

const requests: readonly (readonly [name: string, path: string])[] = [
  ['list', '/task'],
  ['list, sorted', '/task?sort=-title'],
  ['list, filtered', `/task?owner=${caller}`],
  ['GET one', `/task/${caller - 1}`],
  ['GET one, hidden', '/task/1'],
]

/** Milliseconds of one request. The expected status is that of the first response. */
async function turn({ fetch }: OpenService, path: string): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < requestsPerTurn; count++)
    await (await fetch(new Request(`http://localhost${path}`))).text()
  return (performance.now() - start) / requestsPerTurn
}

await session('bench:visible', async (folder) => {
  const option = { type: 'string' } as const
  const { values } = parseArgs({ options: { tasks: option, few: option, rounds: option, help: { type: 'boolean' } } })
  if (values.help) return console.log(help)
  const sizes = [positive('few', values.few, 10_000), positive('tasks', values.tasks, 1_000_000)]
  const rounds = positive('rounds', values.rounds, 9)
  console.log(machine())
  for (const kind of ['sqlite', 'postgres'] as const) {
    const server = kind === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
    const services: OpenService[] = []
    for (const size of sizes) {
      say(`${databaseNames[kind]}: ${size} tasks`)
      const database = (await server?.createDatabase()) ?? `sqlite:${join(folder, `${size}.db`)}`
      services.push(await open(serviceOf(size), { database, waitLimitMs: 0 }))
    }
    say('')
    const head = [databaseNames[kind], 'visible', ...sizes.map((size) => `${size} tasks, ms`), 'ratio (least to most)']
    const lines: string[][] = []
    for (const [name, path] of requests) lines.push([name, ...(await compare(services, path, rounds))])
    console.log(`\n${markdownTable(head, lines)}`)
    for (const app of services) await app.close()
    await server?.remove()
  }
})

async function compare(services: readonly OpenService[], path: string, rounds: number): Promise<readonly string[]> {
  const times: number[][] = services.map(() => [])
  for (const app of services) await turn(app, path)
  for (let round = 0; round < rounds; round++)
    for (const [index, app] of services.entries()) times[index]?.push(await turn(app, path))
  const [fewTimes = [], manyTimes = []] = times
  const { median, least, most } = ratio(manyTimes, fewTimes)
  const totals = await Promise.all(services.map((app) => visibleIn(app, path)))
  return [
    totals.join(' and '),
    ...times.map((values) => spread(values).median.toFixed(2)),
    `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
  ]
}

/** The total of a list, or the status of an error. */
async function visibleIn({ fetch }: OpenService, path: string): Promise<string> {
  const response = await fetch(new Request(`http://localhost${path}`))
  const body = (await response.json()) as { pageInfo?: { numberOfRecords?: number } } | null
  return `${body?.pageInfo?.numberOfRecords ?? response.status}`
}
