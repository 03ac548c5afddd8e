/** `npm run bench`: the whole run, from an empty folder to the report. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkAgreement } from './agreement.ts'
import { end } from './child.ts'
import { byHand, type Contender, limit, makeDatabase, type Served, service, startOnCopy } from './contender.ts'
import { startLoad } from './load.ts'
import { type Measured, measure } from './measure.ts'
import { type Results, report, reportJson } from './report.ts'
import { asksOf } from './request-kind.ts'
import { say, session } from './session.ts'
import { help, readSettings, type Settings } from './settings.ts'
import { timeToFirstAnswer } from './start-up.ts'

const contenders: readonly Contender[] = [service, byHand, limit]

/** How many requests of each kind must be answered alike before any is measured. */
const comparedRequests = 30

async function run(settings: Settings, folder: string): Promise<Results> {
  const file = join(folder, 'made.db')
  say(`making a database of ${settings.users} users`)
  await makeDatabase(file, folder, settings.users)
  const starts = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < settings.starts; round++) {
    for (const contender of contenders) {
      say(`start-up: ${contender.name}`)
      starts.get(contender.name)?.push(await timeToFirstAnswer(() => startOnCopy(contender, file, folder)))
    }
  }
  return { settings, starts, ...(await measureAll(settings, file, folder)) }
}

/** Reads, then writes: those that wait for the disk and those that do not take turns in the same rounds. */
async function measureAll(settings: Settings, file: string, folder: string) {
  const served: Served[] = []
  const fast: Served[] = []
  for (const contender of contenders) {
    served.push(await startOnCopy(contender, file, folder))
    if (settings.kinds.some(({ isWrite }) => isWrite))
      fast.push(await startOnCopy(contender, file, folder, { isFast: true }))
  }
  const load = startLoad()
  const measured: Measured[] = []
  const measuredFast: Measured[] = []
  for (const kind of settings.kinds) {
    const groups = kind.isWrite ? [served, fast] : [served]
    say(`${kind.name}: comparing answers`)
    await checkAgreement(groups.flat(), asksOf(kind, comparedRequests, settings.users))
    const listener = { onTurn: (name: string) => say(`${kind.name}: ${name}`) }
    const [turns, turnsFast] = await measure(load, groups, kind, settings, listener)
    if (turns) measured.push({ kind: kind.name, turns })
    if (turnsFast) measuredFast.push({ kind: kind.name, turns: turnsFast })
  }
  for (const { child } of [...served, ...fast, { child: load }]) await end(child)
  return { measured, measuredFast }
}

await session('bench', async (folder) => {
  const settings = readSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  const results = await run(settings, folder)
  say('')
  console.log(report(results))
  if (settings.json) writeFileSync(settings.json, `${reportJson(results)}\n`)
})
