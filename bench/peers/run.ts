/** `npm run bench:peers`: the whole run, from installing the peers to the table and the chart. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startPostgres } from '@nomen/testing/postgres'
import { checkAgreement } from '../agreement.ts'
import { end, isEnded } from '../child.ts'
import { type Contender, type DatabaseKind, makeDatabase, type RunningContender, service, start } from '../contender.ts'
import { startLoad } from '../load.ts'
import { type KindResult, measure } from '../measure.ts'
import { requestSpecsOf } from '../request-kind.ts'
import { say, session } from '../session.ts'
import { timeToFirstResponse } from '../start-up.ts'
import { directus } from './directus/adapter.ts'
import { draw } from './draw.ts'
import { feathers } from './feathers/adapter.ts'
import { type ContenderDescription, type Failure, figuresOf } from './figures.ts'
import { type Installation, install } from './install.ts'
import { jsonServer } from './json-server/adapter.ts'
import { nestjs } from './nestjs/adapter.ts'
import { type Peer, page, single } from './peer.ts'
import { makePlainDatabase } from './plain-database.ts'
import { platformatic } from './platformatic/adapter.ts'
import { readSample } from './sample.ts'
import { help, type PeerSettings, readPeerSettings } from './settings.ts'
import { sizeOfFolder, sizeOfInstall } from './size.ts'

/** How many requests of each kind are compared before the measurement. */
const comparedRequests = 30

/** A contender with its own database. */
interface PreparedContender {
  readonly contender: Contender
  readonly address: string
}

function peersOn(database: DatabaseKind): Peer[] {
  const peers = [feathers(database), nestjs(database), platformatic(database), directus(database)]
  return database === 'sqlite' ? [jsonServer, ...peers] : peers
}

/** The service; its responses are compared in the common form of all contenders. */
function serviceOn(database: DatabaseKind): Contender {
  return {
    ...service,
    name: 'Nomen',
    database,
    dialect: {
      request: service.dialect.request,
      read(spec, { body }) {
        const { pageInfo, results } = body as { pageInfo?: { numberOfRecords: number }; results?: unknown }
        return spec.target === 'page' ? page(pageInfo?.numberOfRecords, results) : single(body)
      },
    },
  }
}

function contenderOf({ peer, folder, node }: Installation): Contender {
  return {
    ...peer,
    command(resources) {
      const { args, environment } = peer.command(resources)
      return { args, environment: { NODE_ENV: 'production', ...environment }, cwd: folder, node: node.program }
    },
  }
}

function describe(installations: readonly Installation[], database: DatabaseKind): ContenderDescription[] {
  const root = dirname(dirname(import.meta.dirname))
  const serviceDatabase = serviceOn(database)
  return [
    {
      name: serviceDatabase.name,
      version: '',
      node: process.versions.node,
      durability: 'synced',
      notes: [],
      size: sizeOfInstall(join(root, 'packages', 'cli')),
    },
    ...installations.map(({ peer, folder, version, node }) => ({
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
  const selectedPeers = peersOn(database).filter(
    ({ name }) =>
      settings.peers.length === 0 || settings.peers.some((part) => name.toLowerCase().includes(part.toLowerCase())),
  )
  const installations = selectedPeers.map((peer) => install(peer, progress))
  const server = database === 'postgres' ? await startPostgres({ isDurable: true }) : undefined
  try {
    say(`creating a database of ${users} users`)
    const original = join(folder, 'original.db')
    await makeDatabase(original, folder, users)
    const sample = readSample(original)
    const serviceDatabase = server ? await server.createDatabase() : original
    if (server) await makeDatabase(serviceDatabase, folder, users)
    const prepared: PreparedContender[] = [{ contender: serviceOn(database), address: serviceDatabase }]
    for (const installation of installations) {
      say(`loading the users into ${installation.peer.name}`)
      const home = join(folder, installation.peer.folder)
      mkdirSync(home)
      const makePlain = async (kind: DatabaseKind) => {
        const address = server ? await server.createDatabase() : join(home, 'users.db')
        await makePlainDatabase(kind, address, sample, settings)
        return address
      }
      const resources = { folder: home, node: installation.node.program, makeDatabase: makePlain }
      const address = await installation.peer.prepare(sample, resources)
      prepared.push({ contender: contenderOf(installation), address })
    }
    const starts = await measureStarts(settings, prepared, folder)
    const kinds = await measureKinds(settings, prepared, folder)
    say('')
    draw(figuresOf(settings, describe(installations, database), { ...kinds, starts }), settings.isKept)
  } finally {
    await server?.remove()
  }
}

async function measureStarts(settings: PeerSettings, prepared: readonly PreparedContender[], folder: string) {
  const starts = new Map(prepared.map(({ contender }) => [contender.name, [] as number[]]))
  for (let round = 0; round < settings.starts; round++) {
    for (const { contender, address } of prepared) {
      say(`start-up: ${contender.name}`)
      starts.get(contender.name)?.push(await timeToFirstResponse(() => start(contender, address, folder)))
    }
  }
  return starts
}

async function measureKinds(settings: PeerSettings, prepared: readonly PreparedContender[], folder: string) {
  const contenders = new Map<PreparedContender, RunningContender>()
  const load = startLoad()
  const kindResults: KindResult[] = []
  const failures: Failure[] = []
  for (const kind of settings.kinds) {
    for (const entry of prepared) {
      const running = contenders.get(entry)
      if (!running || isEnded(running.child)) contenders.set(entry, await start(entry.contender, entry.address, folder))
    }
    const all = [...contenders.values()]
    say(`${kind.name}: comparing responses`)
    await checkAgreement(all, requestSpecsOf(kind, comparedRequests, settings.users))
    const [turns] = await measure(load, [all], kind, settings, {
      onTurn: (name) => say(`${kind.name}: ${name}`),
      onFailure: (name, reason) => failures.push({ name, kind: kind.name, reason }),
    })
    if (turns) kindResults.push({ kind: kind.name, turns })
  }
  for (const { child } of [...contenders.values(), { child: load }]) await end(child)
  for (const { kind, reason } of failures) progress(`${kind}: ${reason}`)
  return { kindResults, failures }
}

/** Reports slow steps on standard error. */
function progress(text: string): void {
  console.error(text)
}

await session('bench:peers', async (folder) => {
  const settings = readPeerSettings(process.argv.slice(2))
  if (!settings) return console.log(help)
  if (settings.isDrawn) draw(undefined, true)
  else await run(settings, folder)
})
