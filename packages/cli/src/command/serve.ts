/** `nomen serve`: serves a service file until it is told to stop. */
import cluster from 'node:cluster'
import { type ApplicationLog, type OpenService, open, type Service } from '@nomen/server'
import type { MigrationReport } from '@nomen/server/admin'
import { redactedAddress } from '@nomen/server/internal'
import type { ShipOptions, ShipSettings } from '@nomen/server/ship'
import { type Arguments, type Command, flagHelp, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { readAccess } from '../flag/access.ts'
import { readSettings, type ServeSettings, serveFlags } from '../flag/serve.ts'
import { welcome } from '../output/welcome.ts'
import { onHangUp } from '../process/hang-up.ts'
import { loadService } from '../service-file/load.ts'
import { fromEnvironment, shipSettings } from '../ship/ship-flag.ts'
import { consoleFolder } from '../source/console-folder.ts'
import { noteLoadedFiles } from '../watch/loaded-files.ts'
import { serveAndReload } from '../watch/reloader.ts'
import { refuseMemory } from '../workers/number-of-processes.ts'
import { type Listening, sendReport } from '../workers/report.ts'
import { supervise } from '../workers/supervisor.ts'
import { SupervisorLine } from '../workers/supervisor-line.ts'
import { serveAsWorker } from '../workers/worker.ts'

export const serveCommand: Command = {
  name: 'serve',
  flags: serveFlags,
  help: `Usage: nomen serve [service file or folder] [options]

Serves the nouns that a service file declares: service.ts in this folder unless named. An empty database is made,
and filled with the service's sample data where it has any; safe changes of a declaration are applied to the schema.

${flagHelp(serveFlags)}

Shipping takes the variables of nomen ship as well, such as SHIP_HEADERS and SHIP_CA: see its help. Requests are
traced if NODE_OPTIONS="--import ./telemetry.ts" starts an OpenTelemetry SDK.
A flag counts before the environment variable in brackets. Stop with Ctrl+C or SIGTERM: requests under way are finished.`,
  async run(given) {
    const args = readArguments(serveFlags, given)
    const settings = readSettings(args)
    if (args.isOn('watch') && settings.processes > 1) refuseWatchedWorkers(args)
    if (cluster.isWorker) return serveAsWorker(settings.log, (onOpen) => serveHere(args, settings, onOpen))
    if (args.isOn('watch')) return serveAndReload({ ...settings, given: ['serve', ...given] })
    if (settings.processes > 1) {
      refuseMemory(args)
      const { rateLimit, stopDelay } = settings.limits
      return supervise({ ...settings, rateLimit, stopDelay, given: ['serve', ...given] })
    }
    console.log((await serveHere(args, settings, (opened) => closeOnSignal(settings.log, opened))).welcome)
  },
}

/** Serves in this process, and gives what is to be told of it. `onOpen` is told of the service before it listens. */
async function serveHere(
  args: Arguments,
  { port, host, logSize, logKeep, usage, usageKeep, limits, log, processes }: ServeSettings,
  onOpen: (opened: OpenService) => void,
): Promise<Listening> {
  const service = await loadAt(args)
  const access = readAccess(args, host)
  const database = args.text('database') ?? `sqlite:data/${service.name}.db`
  const accessLog = args.text('access-log') ?? 'data/access.log'
  const databaseRead = args.text('database-read')
  const to = args.text('ship')
  const ship = to === undefined ? undefined : shipSettings(to, fromEnvironment)
  // of several processes, the one above them ships
  const shared = ship && processes > 1 ? await sharedShipping(service, accessLog, ship) : undefined
  const folder = consoleFolder()
  const supervisor = cluster.isWorker && !args.isOn('watch') ? new SupervisorLine() : undefined
  let isNew = false
  const opened = await open(service, {
    database,
    ...(databaseRead !== undefined && { databaseRead }),
    accessLog,
    ...(ship && !shared && { ship }),
    ...(logSize > 0 && { accessLogRotation: { size: logSize, keep: logKeep } }),
    usage,
    usageKeep,
    ...limits,
    ...access,
    ...(folder !== undefined && { console: folder }),
    log,
    hasServerTiming: args.isOn('server-timing') || process.env.NODE_ENV === 'development',
    ...(supervisor && { gatherMetrics: () => supervisor.metrics(), rateLimitStore: supervisor }),
    onMigration: ({ isFresh, changes }) => {
      isNew = isFresh
      if (!isFresh) console.log(schemaReport(changes))
    },
  })
  supervisor?.open(opened)
  onOpen(opened)
  const address = await listen(opened, port, host)
  const shown = {
    address,
    hasConsole: folder !== undefined,
    database: `${redactedAddress(database)}${isNew ? ', made now' : ''}`,
    databaseRead,
    accessLog,
    processes,
    issuer: access.auth?.issuer,
  }
  return { welcome: welcome(service, shown), ...(shared && { ship: shared }) }
}

/** The service file. Where it is being written, whoever started this process is told of what it is made of. */
async function loadAt(args: Arguments): Promise<Service> {
  if (!args.isOn('watch')) return loadService(args.positionals[0])
  const files = noteLoadedFiles()
  try {
    return await loadService(args.positionals[0])
  } finally {
    await sendReport({ kind: 'loaded', files: files() })
  }
}

function schemaReport(changes: MigrationReport['changes']): string {
  return ['The schema has been changed:', ...changes.map(({ sentence }) => `  ${sentence}`)].join('\n')
}

function refuseWatchedWorkers(args: Arguments): never {
  throw new CommandError(
    `${args.source('workers')} is "${args.text('workers')}", and --watch serves with one process.`,
    'Leave out one of the two.',
  )
}

/** Told to the process above, which knows no service. */
async function sharedShipping(service: Service, accessLog: string, settings: ShipSettings): Promise<ShipOptions> {
  const { shipOptionsOf } = await import('@nomen/server/ship')
  return shipOptionsOf({ service, log: accessLog }, settings)
}

async function listen(opened: OpenService, port: number, host: string): Promise<string> {
  try {
    return await opened.listen({ port, host })
  } catch (error) {
    await opened.close()
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} is taken.`, 'Give another with --port or PORT; 0 takes a free one.', 1)
    if (code === 'EACCES')
      throw new CommandError(
        `Port ${port} may not be used.`,
        'Ports below 1024 need rights: give another with --port or PORT.',
        1,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CommandError(`${host} is no address of this machine.`, 'Give another with --host or HOST.', 1)
    throw error
  }
}

/** The first signal lets requests finish; a second one does not wait. */
function closeOnSignal(log: ApplicationLog, opened: OpenService): void {
  let isClosing = false
  const close = () => {
    if (isClosing) process.exit(1)
    isClosing = true
    opened.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('The service did not stop in order.', { error })
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', close)
  process.on('SIGINT', close)
  onHangUp(close)
}
