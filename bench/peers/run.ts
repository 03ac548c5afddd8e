/** `npm run bench:peers`: the whole run, from installing the peers to the table and the chart. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import compile from '@nomen/testing/compile'
import { startPostgres } from '@nomen/testing/postgres'
import { checkAgreement } from '../agreement.ts'
import { end, isEnded } from '../child.ts'
import {
  type Contender,
  type DatabaseKind,
  makeDatabase,
  type RunningContender,
  service,
  start,
  timeToFirstResponse,
} from '../contender.ts'
import { halfOfOwn, type KindResult, measureLatencies } from '../latency.ts'
import { startLoad } from '../load.ts'
import { type Listener, measure } from '../measure.ts'
import { requestSpecsOf } from '../request-kind.ts'
import { say, session } from '../session.ts'
import { directus } from './directus/adapter.ts'
import { draw } from './draw.ts'
import { fastify } from './fastify/adapter.ts'
import { feathers } from './feathers/adapter.ts'
import { type ContenderDescription, type Failure, figuresOf } from './figures.ts'
import { type Installation, install } from './install.ts'
import { jsonServer } from './json-server/adapter.ts'
import { nestjs } from './nestjs/adapter.ts'
import { type Peer, page, single } from './peer.ts'
import { makePlainDatabase } from './plain-database.ts'
import { platformatic } from './platformatic/adapter.ts'
import { pocketbase } from './pocketbase/adapter.ts'
import { postgrest } from './postgrest/adapter.ts'
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

/** Its package on npm has a program for this platform only. */
const hasPocketbase = process.platform === 'linux' && process.arch === 'x64'

function peersOn(database: DatabaseKind): Peer[] {
  const common = [fastify(database), feathers(database), nestjs(database), platformatic(database), directus(database)]
  const { POSTGREST } = process.env
  if (database === 'postgres') return POSTGREST ? [...common, postgrest(POSTGREST)] : common
  return [jsonServer, ...common, ...(hasPocketbase ? [pocketbase] : [])]
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
      const { environment, ...command } = peer.command(resources)
      return { program: node.program, ...command, environment: { NODE_ENV: 'production', ...environment }, cwd: folder }
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
      notes:
        database === 'sqlite'
          ? ['It caches the total of a filter until the next change, and nothing is changed while lists are measured.']
          : [],
      size: sizeOfInstall(join(root, 'packages', 'cli')),
    },
    ...installations.map(({ peer, folder, version, node }) => ({
      name: peer.name,
      version,
      node: peer.readVersion ? '' : node.version,
      durability: peer.durability,
      notes: peer.notes,
      size: peer.package === undefined ? undefined : sizeOfFolder(join(folder, 'node_modules')),
    })),
  ]
}

async function run(settings: PeerSettings, folder: string): Promise<void> {
  await compile()
  const { database, users } = settings
  const selectedPeers = peersOn(database).filter(
    ({ name }) =>
      settings.peers.length === 0 || settings.peers.some((part) => name.toLowerCase().includes(part.toLowerCase())),
  )
  if (database === 'sqlite' && !hasPocketbase)
    progress('PocketBase is left out: npm has its program for Linux on x64 only.')
  if (database === 'postgres' && !process.env.POSTGREST)
    progress('PostgREST is left out: set POSTGREST to the path of its program.')
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
        await makePlainDatabase(kind, address, sample)
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
    const listener: Listener = {
      onTurn: (name) => say(`${kind.name}: ${name}`),
      onFailure: (name, reason) => failures.push({ name, kind: kind.name, reason }),
    }
    const [turns] = await measure(load, [all], kind, settings, listener)
    if (!turns) continue
    const latencies = await measureLatencies(load, all, kind, settings, halfOfOwn(turns), listener)
    kindResults.push({ kind: kind.name, turns, latencies })
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
