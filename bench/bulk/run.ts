/** `npm run bench:bulk`: loads and exports of users, compared with the minimum on the same table. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { DatabaseKind } from '../contender.ts'
import { databaseNames } from '../database-name.ts'
import { markdownTable } from '../markdown.ts'
import { machine } from '../report.ts'
import { ratio, type Spread, spread } from '../statistic.ts'
import { writeCopyFile } from './bare-postgres.ts'
import { bulkDatabases } from './databases.ts'

/** The result of one contender in one round. Seconds, and MiB of the process. */
interface Turn {
  readonly records: number
  readonly seconds: number
  /** Seconds of processor time of the process and, if there is one, the server. */
  readonly processor: number
  readonly memory: number
}

/** Each contender is compared with the first one, which has no checks. */
const comparisonsOf: Readonly<Record<DatabaseKind, readonly (readonly string[])[]>> = {
  sqlite: [
    ['insert, short commits', 'insert, one commit', 'load CSV', 'load NDJSON'],
    ['select, JSON.stringify', 'export CSV', 'export NDJSON'],
  ],
  postgres: [
    ['COPY', 'load CSV', 'load NDJSON'],
    ['COPY to JSON', 'export CSV', 'export NDJSON'],
  ],
}

const { values } = parseArgs({
  options: { users: { type: 'string' }, rounds: { type: 'string' }, database: { type: 'string', default: 'sqlite' } },
})
const kind = values.database
if (kind !== 'sqlite' && kind !== 'postgres') throw new Error(`--database is "${kind}". Use sqlite or postgres.`)
const comparisons = comparisonsOf[kind]
const [users, rounds] = [Number(values.users ?? 100_000), Number(values.rounds ?? 3)]
const programs = {
  make: fileURLToPath(import.meta.resolve('./make.ts')),
  turn: fileURLToPath(import.meta.resolve('./turn.ts')),
}
const databases = await bulkDatabases(kind)
const pathOf = (name: string) => join(databases.folder, name)

try {
  run('make', databases.full, databases.empty)
  for (const format of ['csv', 'ndjson'])
    runTurn(`export ${format.toUpperCase()}`, databases.full, pathOf(`user.${format}`))
  if (kind === 'postgres') await writeCopyFile(databases.full, pathOf('user.copy'))
  const turns = new Map<string, Turn[]>(comparisons.flat().map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) for (const [name, list] of turns) list.push(await takeTurn(name))
  console.log(machine())
  console.log(
    `${databaseNames[kind]}, ${users} users, ${rounds} rounds; medians, and ratios within rounds (minimum to maximum)`,
  )
  for (const comparison of comparisons) console.log(`\n${tableOf(comparison, turns)}`)
} finally {
  await databases.close()
}

async function takeTurn(name: string): Promise<Turn> {
  const file = inputOf(name)
  if (file === undefined) return runTurn(name, databases.full, pathOf(`${name}.out`))
  return runTurn(name, await databases.copyEmpty(), pathOf(file))
}

/** The file that a load reads. */
function inputOf(name: string): string | undefined {
  if (name === 'COPY') return 'user.copy'
  if (name === 'load CSV') return 'user.csv'
  return /^(insert|load)/.test(name) ? 'user.ndjson' : undefined
}

function runTurn(name: string, database: string, file: string): Turn {
  const startSeconds = databases.serverSeconds()
  const turn = JSON.parse(run('turn', name, database, file)) as Turn
  return { ...turn, processor: turn.processor + databases.serverSeconds() - startSeconds }
}

function run(name: keyof typeof programs, ...args: readonly string[]): string {
  const env = { ...process.env, SAMPLE_USERS: `${users}` }
  return execFileSync(process.execPath, [programs[name], ...args], { encoding: 'utf8', env })
}

function tableOf(comparison: readonly string[], turns: ReadonlyMap<string, readonly Turn[]>): string {
  const valuesOf = (name: string, figure: (turn: Turn) => number) => (turns.get(name) ?? []).map(figure)
  const rate = ({ records, seconds }: Turn) => records / seconds
  const cost = ({ records, processor }: Turn) => (processor / records) * 1e6
  const [first = ''] = comparison
  const rows = comparison.map((name) => [
    name,
    Math.round(spread(valuesOf(name, rate)).median).toLocaleString('en'),
    share(ratio(valuesOf(name, rate), valuesOf(first, rate))),
    spread(valuesOf(name, cost)).median.toFixed(1),
    share(ratio(valuesOf(first, cost), valuesOf(name, cost))),
    `${Math.round(spread(valuesOf(name, ({ memory }) => memory)).most)}`,
  ])
  return markdownTable(['', 'records/s', 'of the first', 'CPU µs', 'of the first', 'memory MiB'], rows)
}

function share({ median, least, most }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`
}
