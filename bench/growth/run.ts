/** `npm run bench:growth`: what pages cost as records become many. */
import type { ChildProcess } from 'node:child_process'
import { end } from '../child.ts'
import { byHand, byHandPostgres, type Contender, type DatabaseKind, service, start } from '../contender.ts'
import { startLoad } from '../load.ts'
import { machine } from '../report.ts'
import { say, session } from '../session.ts'
import { draw } from './draw.ts'
import type { ContenderName } from './figures.ts'
import type { Filled } from './kept.ts'
import { measureSizes, type Size } from './measure.ts'
import { filledPostgres, startKeptPostgres } from './postgres.ts'
import { printRest } from './rest.ts'
import { type GrowthSettings, help, readGrowthSettings } from './settings.ts'
import { filledSqlite } from './sqlite.ts'

type Fill = (users: number) => Promise<Filled>

/** The service, and the same requests by hand with `limit`, `offset` and `count(*)`. */
function contendersOn(database: DatabaseKind): Readonly<Record<ContenderName, Contender>> {
  const plain = database === 'sqlite' ? byHand : byHandPostgres
  return { Nomen: { ...service, name: 'Nomen', database }, 'limit/offset': { ...plain, name: 'limit/offset' } }
}

async function run(settings: GrowthSettings, folder: string): Promise<void> {
  const load = startLoad()
  for (const database of settings.databases) {
    const server = database === 'postgres' ? await startKeptPostgres() : undefined
    const fill: Fill = (users) =>
      server ? filledPostgres(server, users, folder, tell) : filledSqlite(users, folder, tell)
    try {
      const measureDatabase = settings.isRest ? measureRest : measurePages
      await measureDatabase(settings, database, fill, load, folder)
    } finally {
      await server?.stop()
    }
  }
  await end(load)
}

async function measurePages(
  settings: GrowthSettings,
  database: DatabaseKind,
  fill: Fill,
  load: ChildProcess,
  folder: string,
): Promise<void> {
  const filled: Filled[] = []
  for (const users of settings.sizes) filled.push(await fill(users))
  const contenders = contendersOn(database)
  const sizes: Size[] = []
  for (const { users, address } of filled) {
    const started = async (name: ContenderName) => start(contenders[name], address, folder)
    const served = { Nomen: await started('Nomen'), 'limit/offset': await started('limit/offset') }
    sizes.push({ users, served })
  }
  const points = await measureSizes(load, sizes, settings)
  for (const { served } of sizes) for (const { child } of Object.values(served)) await end(child)
  const date = new Date().toISOString().slice(0, 10)
  draw({ date, machine: machine(), database, points }, settings.isKept)
}

async function measureRest(
  settings: GrowthSettings,
  database: DatabaseKind,
  fill: Fill,
  load: ChildProcess,
  folder: string,
): Promise<void> {
  const { address, users } = await fill(settings.sizes.at(-1) ?? 0)
  const served = await start(contendersOn(database).Nomen, address, folder)
  await printRest(settings, database, users, served, load)
  await end(served.child)
}

/** What takes minutes is told wherever the run is watched. */
function tell(text: string): void {
  say('')
  console.error(text)
}

await session('bench:growth', async (folder) => {
  const settings = readGrowthSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  if (settings.isDrawn) draw(undefined, true)
  else await run(settings, folder)
})
