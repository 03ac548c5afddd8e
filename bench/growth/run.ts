/** `npm run bench:growth`: the cost of pages by number of records. */
import type { ChildProcess } from 'node:child_process'
import compile from '@nomen/testing/compile'
import { end } from '../child.ts'
import { byHand, byHandPostgres, type Contender, type DatabaseKind, service, start } from '../contender.ts'
import { startLoad } from '../load.ts'
import { machine } from '../report.ts'
import { say, session } from '../session.ts'
import { draw } from './draw.ts'
import type { ContenderName } from './figures.ts'
import type { FilledDatabase } from './kept.ts'
import { measureSizes, type Size } from './measure.ts'
import { filledPostgres, startKeptPostgres } from './postgres.ts'
import { printRest } from './rest.ts'
import { type GrowthSettings, help, readGrowthSettings } from './settings.ts'
import { filledSqlite } from './sqlite.ts'

type Fill = (users: number) => Promise<FilledDatabase>

/** The service, and hand-written code with `limit`, `offset` and `count(*)`. */
function contendersOn(database: DatabaseKind): Readonly<Record<ContenderName, Contender>> {
  const plain = database === 'sqlite' ? byHand : byHandPostgres
  return { Nomen: { ...service, name: 'Nomen', database }, 'limit/offset': { ...plain, name: 'limit/offset' } }
}

async function run(settings: GrowthSettings, folder: string): Promise<void> {
  await compile()
  const load = startLoad()
  for (const database of settings.databases) {
    const server = database === 'postgres' ? await startKeptPostgres() : undefined
    const fill: Fill = (users) =>
      server ? filledPostgres(server, users, folder, report) : filledSqlite(users, folder, report)
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
  const databases: FilledDatabase[] = []
  for (const users of settings.sizes) databases.push(await fill(users))
  const definitions = contendersOn(database)
  const sizes: Size[] = []
  for (const { users, address } of databases) {
    const startContender = async (name: ContenderName) => start(definitions[name], address, folder)
    const contenders = { Nomen: await startContender('Nomen'), 'limit/offset': await startContender('limit/offset') }
    sizes.push({ users, contenders })
  }
  const points = await measureSizes(load, sizes, settings)
  for (const { contenders } of sizes) for (const { child } of Object.values(contenders)) await end(child)
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
  const contenders = await start(contendersOn(database).Nomen, address, folder)
  await printRest(settings, database, users, contenders, load)
  await end(contenders.child)
}

/** Reports slow steps on standard error. */
function report(text: string): void {
  say('')
  console.error(text)
}

await session('bench:growth', async (folder) => {
  const settings = readGrowthSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  if (settings.isDrawn) draw(undefined, true)
  else await run(settings, folder)
})
