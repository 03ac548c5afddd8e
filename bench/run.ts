/** `npm run bench`: the whole run, from an empty folder to the report. */
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import compile from '@nomen/testing/compile'
import { checkAgreement } from './agreement.ts'
import { type BesideWriters, measureBesideWriters } from './beside-writers.ts'
import { end } from './child.ts'
import {
  byHand,
  byHandPostgres,
  type Contender,
  limit,
  makeDatabase,
  oneProcess,
  otherCheckout,
  type RunningContender,
  service,
  sources,
  startOn,
  timeToFirstResponse,
  withWorkers,
} from './contender.ts'
import { type Copies, copiesIn } from './copy.ts'
import { halfOfSlowest, type KindResult, measureLatencies } from './latency.ts'
import { startLoad } from './load.ts'
import { measure } from './measure.ts'
import { type Results, report, reportJson } from './report.ts'
import { change, requestSpecsOf, singleRecord } from './request-kind.ts'
import { say, session } from './session.ts'
import { help, readSettings, type Settings } from './settings.ts'

function contendersOf({ database, against, workers }: Settings): readonly Contender[] {
  if (workers !== undefined) return [withWorkers(workers), oneProcess].map((contender) => ({ ...contender, database }))
  if (against !== undefined)
    return [
      { ...sources, database },
      { ...otherCheckout(against), database },
    ]
  return database === 'sqlite' ? [service, byHand, limit] : [{ ...service, database }, byHandPostgres]
}

/** How many requests of each kind are compared before the measurement. */
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
  say(`creating a database of ${settings.users} users`)
  const contenders = contendersOf(settings)
  if (settings.against === undefined) await makeDatabase(copies.original, folder, settings.users, service)
  // A service may reject the database of another version.
  else
    for (const contender of contenders)
      await makeDatabase(await copies.create(contender.name), folder, settings.users, contender)
  const starts = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < settings.starts; round++) {
    for (const contender of contenders) {
      say(`start-up: ${contender.name}`)
      const database = await copies.copy(contender.name)
      starts.get(contender.name)?.push(await timeToFirstResponse(() => startOn(contender, database, folder)))
    }
  }
  return { settings, starts, ...(await measureAll(settings, copies, folder)) }
}

/** Reads, then writes. On SQLite, writes with and without disk syncs take turns in the same rounds. */
async function measureAll(settings: Settings, copies: Copies, folder: string) {
  const contenders: RunningContender[] = []
  const fast: RunningContender[] = []
  const hasFast =
    settings.database === 'sqlite' &&
    settings.against === undefined &&
    settings.workers === undefined &&
    settings.kinds.some(({ isWrite }) => isWrite)
  for (const contender of contendersOf(settings)) {
    contenders.push(await startOn(contender, await copies.copy(contender.name), folder))
    if (hasFast) {
      const database = await copies.copy(`${contender.name}, fast`)
      fast.push(await startOn(contender, database, folder, { isFast: true }))
    }
  }
  const load = startLoad()
  const results: KindResult[] = []
  const measuredFast: KindResult[] = []
  for (const kind of settings.kinds) {
    const groups = kind.isWrite && hasFast ? [contenders, fast] : [contenders]
    say(`${kind.name}: comparing responses`)
    await checkAgreement(groups.flat(), requestSpecsOf(kind, comparedRequests, settings.users))
    const listener = { onTurn: (name: string) => say(`${kind.name}: ${name}`) }
    const [turns, turnsFast] = await measure(load, groups, kind, settings, listener)
    if (turns) {
      const latencies =
        kind.connection === undefined
          ? await measureLatencies(load, contenders, kind, settings, halfOfSlowest(turns), listener)
          : undefined
      results.push({ kind: kind.name, turns, latencies })
    }
    if (turnsFast) measuredFast.push({ kind: kind.name, turns: turnsFast })
  }
  const besideWriters = hasFast ? await readsBesideWriters(load, settings, contenders, fast) : []
  for (const { child } of [...contenders, ...fast, { child: load }]) await end(child)
  return { results, measuredFast, besideWriters }
}

/** Reads of the service without writers, with as many writers as connections, and with writers without disk syncs. */
async function readsBesideWriters(
  readers: ChildProcess,
  settings: Settings,
  contenders: readonly RunningContender[],
  fast: readonly RunningContender[],
): Promise<readonly BesideWriters[]> {
  const writers = startLoad()
  const contenderIn = (group: readonly RunningContender[], name: string) =>
    group.find((contender) => contender.name === name) as RunningContender
  const scenarios = [
    { name: 'the service, no writers', contender: contenderIn(contenders, service.name), writers: 0 },
    { name: 'the service', contender: contenderIn(contenders, service.name), writers: settings.connections },
    { name: 'the service, synchronous=OFF', contender: contenderIn(fast, service.name), writers: settings.connections },
    { name: 'by hand', contender: contenderIn(contenders, byHand.name), writers: settings.connections },
  ]
  const kinds = { read: singleRecord, write: change }
  const results = await measureBesideWriters({ readers, writers }, scenarios, kinds, settings, (name) =>
    say(`reads: ${name}`),
  )
  await end(writers)
  return results
}

await session('bench', async (folder) => {
  const settings = readSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  say('compiling')
  await compile()
  const results = await run(settings, folder)
  say('')
  console.log(report(results))
  if (settings.json) writeFileSync(settings.json, `${reportJson(results)}\n`)
})
