/** `npm run bench:bulk`: loads and exports of users against a bare loop on the same table. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { markdownTable } from '../markdown.ts'
import { machine } from '../report.ts'
import { ratio, type Spread, spread } from '../statistic.ts'

/** The result of one contender in one round. Seconds, and MiB. */
interface Turn {
  readonly records: number
  readonly seconds: number
  readonly processor: number
  readonly memory: number
}

/** Each contender is compared with the first one, which has no checks. */
const comparisons = [
  ['insert, short commits', 'insert, one commit', 'load CSV', 'load NDJSON'],
  ['select, JSON.stringify', 'export CSV', 'export NDJSON'],
]

const { values } = parseArgs({ options: { users: { type: 'string' }, rounds: { type: 'string' } } })
const [users, rounds] = [Number(values.users ?? 100_000), Number(values.rounds ?? 3)]
const folder = mkdtempSync(join(tmpdir(), 'nomen-bulk-'))
const pathOf = (name: string) => join(folder, name)
const programs = {
  make: fileURLToPath(import.meta.resolve('./make.ts')),
  turn: fileURLToPath(import.meta.resolve('./turn.ts')),
}

try {
  run('make', pathOf('full.db'), pathOf('empty.db'))
  for (const format of ['csv', 'ndjson'])
    runTurn(`export ${format.toUpperCase()}`, pathOf('full.db'), pathOf(`user.${format}`))
  const turns = new Map<string, Turn[]>(comparisons.flat().map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) for (const [name, list] of turns) list.push(takeTurn(name))
  console.log(machine())
  console.log(`${users} users, ${rounds} rounds; medians, and ratios within rounds (minimum to maximum)`)
  for (const comparison of comparisons) console.log(`\n${tableOf(comparison, turns)}`)
} finally {
  rmSync(folder, { recursive: true })
}

function takeTurn(name: string): Turn {
  if (!/^(insert|load)/.test(name)) return runTurn(name, pathOf('full.db'), pathOf('out'))
  copyFileSync(pathOf('empty.db'), pathOf('turn.db'))
  try {
    return runTurn(name, pathOf('turn.db'), pathOf(name === 'load CSV' ? 'user.csv' : 'user.ndjson'))
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(pathOf(`turn.db${end}`), { force: true })
  }
}

function runTurn(name: string, database: string, file: string): Turn {
  return JSON.parse(run('turn', name, database, file)) as Turn
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
