/** `npm run bench`: the whole run, from an empty folder to the report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkAgreement } from './agreement.ts'
import { end, killAll } from './child.ts'
import {
  byHand,
  type Contender,
  copyDatabase,
  limit,
  makeDatabase,
  type Served,
  service,
  startOnCopy,
} from './contender.ts'
import { startLoad } from './load.ts'
import { type Measured, measure } from './measure.ts'
import { type Results, report, reportJson } from './report.ts'
import { type RequestKind, requestsOf } from './request-kind.ts'
import { help, readSettings, type Settings } from './settings.ts'
import { timeToFirstAnswer } from './start-up.ts'

const contenders: readonly Contender[] = [service, byHand, limit]

/** How many requests of each kind must be answered alike before any is measured. */
const comparedRequests = 30

async function run(settings: Settings, folder: string): Promise<Results> {
  const file = join(folder, 'made.db')
  say(`making a database of ${settings.users} users`)
  await makeDatabase(file, folder, settings.users)
  await copyDatabase(file, contenders)
  const starts = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < settings.starts; round++) {
    for (const contender of contenders) {
      say(`start-up: ${contender.name}`)
      starts.get(contender.name)?.push(await timeToFirstAnswer(() => startOnCopy(contender, file, folder)))
    }
  }
  const measured = await measureAll(settings.kinds, false)
  const measuredFast = await measureAll(settings.kinds.filter(({ isWrite }) => isWrite).map(named), true)
  return { settings, measured, measuredFast, starts }

  async function measureAll(kinds: readonly RequestKind[], isFast: boolean): Promise<Measured[]> {
    const served: Served[] = []
    for (const contender of contenders) served.push(await startOnCopy(contender, file, folder, { isFast }))
    const load = startLoad()
    const measured: Measured[] = []
    for (const kind of kinds) {
      say(`${kind.name}: comparing answers`)
      await checkAgreement(served, requestsOf(kind, comparedRequests, settings.users))
      measured.push(await measure(load, served, kind, settings, (name) => say(`${kind.name}: ${name}`)))
    }
    for (const { child } of [...served, { child: load }]) await end(child)
    return measured
  }
}

function named(kind: RequestKind): RequestKind {
  return { ...kind, name: `${kind.name}, synchronous=OFF` }
}

/** One line that tells what goes on, on a terminal only. */
function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  const folder = mkdtempSync(join(tmpdir(), 'nomen-bench-'))
  process.on('exit', () => {
    killAll()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
  const results = await run(settings, folder)
  say('')
  console.log(report(results))
  if (settings.json) writeFileSync(settings.json, `${reportJson(results)}\n`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? `bench: ${error.message}` : error)
  process.exit(1)
})
