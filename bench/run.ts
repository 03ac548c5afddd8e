/** `npm run bench`: the whole run, from an empty folder to the report. */
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { checkAgreement } from './agreement.ts'
import { type BesideWriters, measureBesideWriters } from './beside-writers.ts'
import { end } from './child.ts'
import {
  byHand,
  byHandPostgres,
  type Contender,
  limit,
  makeDatabase,
  otherCheckout,
  type Served,
  service,
  startOn,
} from './contender.ts'
import { type Copies, copiesIn } from './copy.ts'
import { startLoad } from './load.ts'
import { type Measured, measure } from './measure.ts'
import { type Results, report, reportJson } from './report.ts'
import { asksOf, change, one } from './request-kind.ts'
import { say, session } from './session.ts'
import { help, readSettings, type Settings } from './settings.ts'
import { timeToFirstAnswer } from './start-up.ts'

function contendersOf({ database, against }: Settings): readonly Contender[] {
  const own = { ...service, database }
  if (against !== undefined) return [own, { ...otherCheckout(against), database }]
  return database === 'sqlite' ? [own, byHand, limit] : [own, byHandPostgres]
}

/** How many requests of each kind must be answered alike before any is measured. */
const comparedRequests = 30

async function run(settings: Settings, folder: string): Promise<Results> {
  const copies = await copiesIn(folder, settings.database)
  try {
    return await runOn(copies, settings, folder)
  } finally {
    await copies.remove()
  }
}

async function runOn(copies: Copies, settings: Settings, folder: string): Promise<Results> {
  say(`making a database of ${settings.users} users`)
  const contenders = contendersOf(settings)
  // The other checkout is usually the older one, and an older service refuses a database of a newer one.
  await makeDatabase(copies.original, folder, settings.users, settings.against ? contenders[1] : service)
  const starts = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < settings.starts; round++) {
    for (const contender of contenders) {
      say(`start-up: ${contender.name}`)
      const database = await copies.copy(contender.name)
      starts.get(contender.name)?.push(await timeToFirstAnswer(() => startOn(contender, database, folder)))
    }
  }
  return { settings, starts, ...(await measureAll(settings, copies, folder)) }
}

/** Reads, then writes: those that wait for the disk and, on SQLite, those that do not take turns in the same rounds. */
async function measureAll(settings: Settings, copies: Copies, folder: string) {
  const served: Served[] = []
  const fast: Served[] = []
  const isFastToo =
    settings.database === 'sqlite' && settings.against === undefined && settings.kinds.some(({ isWrite }) => isWrite)
  for (const contender of contendersOf(settings)) {
    served.push(await startOn(contender, await copies.copy(contender.name), folder))
    if (isFastToo) {
      const database = await copies.copy(`${contender.name}, fast`)
      fast.push(await startOn(contender, database, folder, { isFast: true }))
    }
  }
  const load = startLoad()
  const measured: Measured[] = []
  const measuredFast: Measured[] = []
  for (const kind of settings.kinds) {
    const groups = kind.isWrite && isFastToo ? [served, fast] : [served]
    say(`${kind.name}: comparing answers`)
    await checkAgreement(groups.flat(), asksOf(kind, comparedRequests, settings.users))
    const listener = { onTurn: (name: string) => say(`${kind.name}: ${name}`) }
    const [turns, turnsFast] = await measure(load, groups, kind, settings, listener)
    if (turns) measured.push({ kind: kind.name, turns })
    if (turnsFast) measuredFast.push({ kind: kind.name, turns: turnsFast })
  }
  const besideWriters = isFastToo ? await readsBesideWriters(load, settings, served, fast) : []
  for (const { child } of [...served, ...fast, { child: load }]) await end(child)
  return { measured, measuredFast, besideWriters }
}

/** The service with nobody else, beside as many writers as connections, and beside writers that wait for no disk. */
async function readsBesideWriters(
  readers: ChildProcess,
  settings: Settings,
  served: readonly Served[],
  fast: readonly Served[],
): Promise<readonly BesideWriters[]> {
  const writers = startLoad()
  const of = (group: readonly Served[], name: string) => group.find((one) => one.name === name) as Served
  const ways = [
    { name: 'the service, no writers', served: of(served, service.name), writers: 0 },
    { name: 'the service', served: of(served, service.name), writers: settings.connections },
    { name: 'the service, synchronous=OFF', served: of(fast, service.name), writers: settings.connections },
    { name: 'by hand', served: of(served, byHand.name), writers: settings.connections },
  ]
  const kinds = { read: one, write: change }
  const measured = await measureBesideWriters({ readers, writers }, ways, kinds, settings, (name) =>
    say(`reads: ${name}`),
  )
  await end(writers)
  return measured
}

await session('bench', async (folder) => {
  const settings = readSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  const results = await run(settings, folder)
  say('')
  console.log(report(results))
  if (settings.json) writeFileSync(settings.json, `${reportJson(results)}\n`)
})
