/** `npm run bench:peers`: the whole run, from installing the peers to the table and the chart. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startPostgres } from '@nomen/testing/postgres'
import { checkAgreement } from '../agreement.ts'
import { end, isEnded } from '../child.ts'
import { type Contender, type DatabaseKind, makeDatabase, type Served, service, start } from '../contender.ts'
import { startLoad } from '../load.ts'
import { type Measured, measure } from '../measure.ts'
import { asksOf } from '../request-kind.ts'
import { say, session } from '../session.ts'
import { timeToFirstAnswer } from '../start-up.ts'
import { directus } from './directus/adapter.ts'
import { draw } from './draw.ts'
import { feathers } from './feathers/adapter.ts'
import { type Described, type Failure, figuresOf } from './figures.ts'
import { type Installed, install } from './install.ts'
import { jsonServer } from './json-server/adapter.ts'
import { nestjs } from './nestjs/adapter.ts'
import { type Peer, page, single } from './peer.ts'
import { makePlainDatabase } from './plain-database.ts'
import { platformatic } from './platformatic/adapter.ts'
import { readSample } from './sample.ts'
import { help, type PeerSettings, readPeerSettings } from './settings.ts'
import { sizeOfFolder, sizeOfInstall } from './size.ts'

/** How many requests of each kind must be answered alike before any is measured. */
const comparedRequests = 30

/** A contender with a database of its own. */
interface Ready {
  readonly contender: Contender
  readonly address: string
}

function peersOn(database: DatabaseKind): Peer[] {
  const peers = [feathers(database), nestjs(database), platformatic(database), directus(database)]
  return database === 'sqlite' ? [jsonServer, ...peers] : peers
}

/** The service, whose answers are compared in the words that all contenders have. */
function serviceOn(database: DatabaseKind): Contender {
  return {
    ...service,
    name: 'Nomen',
    database,
    dialect: {
      request: service.dialect.request,
      read(ask, { body }) {
        const { pageInfo, results } = body as { pageInfo?: { numberOfRecords: number }; results?: unknown }
        return ask.of === 'page' ? page(pageInfo?.numberOfRecords, results) : single(body)
      },
    },
  }
}

function contenderOf({ peer, folder, node }: Installed): Contender {
  return {
    ...peer,
    command(place) {
      const { args, environment } = peer.command(place)
      return { args, environment: { NODE_ENV: 'production', ...environment }, cwd: folder, node: node.program }
    },
  }
}

function describe(installed: readonly Installed[], database: DatabaseKind): Described[] {
  const root = dirname(dirname(import.meta.dirname))
  const own = serviceOn(database)
  return [
    {
      name: own.name,
      version: '',
      node: process.versions.node,
      durability: 'synced',
      notes: [],
      size: sizeOfInstall(join(root, 'packages', 'cli')),
    },
    ...installed.map(({ peer, folder, version, node }) => ({
      name: peer.name,
      version,
      node: node.version,
      durability: peer.durability,
      notes: peer.notes,
      size: sizeOfFolder(join(folder, 'node_modules')),
    })),
  ]
}

async function run(settings: PeerSettings, folder: string): Promise<void> {
  const { database, users } = settings
  const wanted = peersOn(database).filter(
    ({ name }) =>
      settings.peers.length === 0 || settings.peers.some((part) => name.toLowerCase().includes(part.toLowerCase())),
  )
  const installed = wanted.map((peer) => install(peer, progress))
  const server = database === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
  try {
    say(`making a database of ${users} users`)
    const made = join(folder, 'made.db')
    await makeDatabase(made, folder, users)
    const sample = readSample(made)
    const own = server ? await server.createDatabase() : made
    if (server) await makeDatabase(own, folder, users)
    const ready: Ready[] = [{ contender: serviceOn(database), address: own }]
    for (const one of installed) {
      say(`giving ${one.peer.name} its users`)
      const home = join(folder, one.peer.folder)
      mkdirSync(home)
      const makePlain = async (kind: DatabaseKind) => {
        const address = server ? await server.createDatabase() : join(home, 'users.db')
        await makePlainDatabase(kind, address, sample, settings)
        return address
      }
      const given = { folder: home, node: one.node.program, makeDatabase: makePlain }
      const address = await one.peer.prepare(sample, given)
      ready.push({ contender: contenderOf(one), address })
    }
    const starts = await measureStarts(settings, ready, folder)
    const kinds = await measureKinds(settings, ready, folder)
    say('')
    draw(figuresOf(settings, describe(installed, database), { ...kinds, starts }), settings.isKept)
  } finally {
    await server?.remove()
  }
}

async function measureStarts(settings: PeerSettings, ready: readonly Ready[], folder: string) {
  const starts = new Map(ready.map(({ contender }) => [contender.name, [] as number[]]))
  for (let round = 0; round < settings.starts; round++) {
    for (const { contender, address } of ready) {
      say(`start-up: ${contender.name}`)
      starts.get(contender.name)?.push(await timeToFirstAnswer(() => start(contender, address, folder)))
    }
  }
  return starts
}

async function measureKinds(settings: PeerSettings, ready: readonly Ready[], folder: string) {
  const served = new Map<Ready, Served>()
  const load = startLoad()
  const measured: Measured[] = []
  const failures: Failure[] = []
  for (const kind of settings.kinds) {
    for (const one of ready) {
      const already = served.get(one)
      if (!already || isEnded(already.child)) served.set(one, await start(one.contender, one.address, folder))
    }
    const all = [...served.values()]
    say(`${kind.name}: comparing answers`)
    await checkAgreement(all, asksOf(kind, comparedRequests, settings.users))
    const [turns] = await measure(load, [all], kind, settings, {
      onTurn: (name) => say(`${kind.name}: ${name}`),
      onFailure: (name, reason) => failures.push({ name, kind: kind.name, reason }),
    })
    if (turns) measured.push({ kind: kind.name, turns })
  }
  for (const { child } of [...served.values(), { child: load }]) await end(child)
  for (const { kind, reason } of failures) progress(`${kind}: ${reason}`)
  return { measured, failures }
}

/** What takes minutes is told wherever the run is watched. */
function progress(text: string): void {
  console.error(text)
}

await session('bench:peers', async (folder) => {
  const settings = readPeerSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  if (settings.isDrawn) draw(undefined, true)
  else await run(settings, folder)
})
