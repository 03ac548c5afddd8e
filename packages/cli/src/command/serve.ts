/** `nomen serve`: runs a service file as an HTTP service until it receives a stop signal. */
import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { type ApplicationLog, type OpenService, open, type Service, type Settings } from '@nomen/server'
import type { MigrationReport } from '@nomen/server/admin'
import { listenWhileStarting, redactedUrl } from '@nomen/server/internal'
import type { ShipOptions, ShipSettings } from '@nomen/server/ship'
import { type Arguments, type Command, readArguments } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { readAccess } from '../flag/access.ts'
import { readBranding } from '../flag/console.ts'
import { databaseUrlOf } from '../flag/database-url.ts'
import { readSettings, type ServeSettings, serveFlags } from '../flag/serve.ts'
import { welcome } from '../output/welcome.ts'
import { exitAfter } from '../process/exit-after.ts'
import { explainListenError } from '../process/listen-error.ts'
import { onStopRequest } from '../process/stop-request.ts'
import { loadService } from '../service-file/load.ts'
import { fromEnvironment, shipSettings } from '../ship/ship-flag.ts'
import { consoleFolder } from '../source/console-folder.ts'
import { recordLoadedFiles } from '../watch/loaded-files.ts'
import { serveAndReload } from '../watch/reloader.ts'
import { rejectMemoryDatabase } from '../workers/number-of-processes.ts'
import { type ListeningReport, sendReport } from '../workers/report.ts'
import { supervise } from '../workers/supervisor.ts'
import { SupervisorChannel } from '../workers/supervisor-channel.ts'
import { serveAsWorker } from '../workers/worker.ts'

export const serveCommand: Command = {
  name: 'serve',
  flags: serveFlags,
  usage: 'serve [service file or folder] [options]',
  description: `Starts the service that a service file declares (default: service.ts in this folder). Creates an SQLite file if it does
not exist, and loads the sample data of the service into an empty database. Adds missing tables, columns and indexes.`,
  notes: `--ship also reads the environment variables of nomen ship, such as SHIP_HEADERS and SHIP_CA. To trace requests,
start an OpenTelemetry SDK in your own file, such as telemetry.ts, and load it first:

  NODE_OPTIONS="--import ./telemetry.ts" nomen serve

A flag overrides its environment variable, which is in capitals at the end of its description. Stop with Ctrl+C or SIGTERM: the service finishes open requests.`,
  async run(argv) {
    const args = readArguments(serveFlags, argv)
    const settings = readSettings(args)
    if (args.isOn('watch') && settings.processes > 1)
      throw new CommandError(
        `${args.source('workers')} is "${args.text('workers')}", but --watch supports only one process.`,
        'Remove one of them.',
      )
    // With --workers and with --watch, this process may be a worker that runs the service.
    if (cluster.isWorker) return serveAsWorker(settings.log, (onOpen) => serveInProcess(args, settings, onOpen))
    if (args.isOn('watch')) return serveAndReload({ ...settings, args: ['serve', ...argv] })
    if (settings.processes > 1) {
      rejectMemoryDatabase(args)
      const { rateLimit, stopDelayMs } = settings.limits
      return supervise({ ...settings, rateLimit, stopDelayMs, args: ['serve', ...argv] })
    }
    const onOpen = closeOnSignal(settings.log)
    console.log((await serveInProcess(args, settings, onOpen)).welcome)
  },
}

/**
 * Serves in this process. Calls `onOpen` with the service before it listens. Returns the message to print and, with several
 * processes, the options for shipping the log.
 */
async function serveInProcess(
  args: Arguments,
  settings: ServeSettings,
  onOpen: (service: OpenService) => void,
): Promise<ListeningReport> {
  const { port, host, metricsPort, processes } = settings
  const service = await loadServiceOf(args)
  const access = readAccess(args, host)
  const { database, databaseRead } = databaseSettings(args, service)
  const accessLog = args.text('access-log') ?? 'data/access.log'
  const shipUrl = args.text('ship')
  const ship = shipUrl === undefined ? undefined : shipSettings(shipUrl, fromEnvironment)
  // With several processes, the supervisor ships the log.
  const supervisorShipping =
    ship && processes > 1 ? await supervisorShippingOptions(service, accessLog, ship) : undefined
  const supervisor = cluster.isWorker && !args.isOn('watch') ? new SupervisorChannel() : undefined
  let isNewDatabase = false
  // A worker does not listen while it starts. With several processes, the supervisor listens meanwhile; with --watch, the previous
  // process, if there is one.
  const startingServer = cluster.isWorker
    ? undefined
    : await explainListenError(() => listenWhileStarting(port, host), port, host)
  const openedService = await open(service, {
    ...settingsForOpen(args, settings, service),
    ...access,
    accessLog,
    ...(ship && !supervisorShipping && { ship }),
    ...(supervisor && { gatherMetrics: () => supervisor.metrics(), rateLimitStore: supervisor }),
    onMigration: ({ isFresh, changes }) => {
      isNewDatabase = isFresh
      if (!isFresh) console.log(schemaReport(changes))
    },
  }).catch((error) => {
    startingServer?.close()
    throw error
  })
  supervisor?.connect(openedService)
  onOpen(openedService)
  const address = await listen(openedService, port, host, startingServer)
  if (metricsPort !== undefined)
    await explainListenError(() => openedService.listenForMetrics({ port: metricsPort, host }), metricsPort, host)
  const welcomeOptions = {
    address,
    hasConsole: consoleFolder() !== undefined,
    database: `${redactedUrl(database)}${isNewDatabase ? ', created' : ''}`,
    databaseRead,
    accessLog,
    processes,
    issuer: access.auth?.issuer,
    // Only --auth dev passes the keys themselves.
    isDev: access.auth?.jwks !== undefined,
  }
  return { welcome: welcome(service, welcomeOptions), ...(supervisorShipping && { ship: supervisorShipping }) }
}

/** The settings for `open` from flags, except authentication, proxies and public URLs, shipping, and the path of the access log. */
function settingsForOpen(args: Arguments, settings: ServeSettings, service: Service): Settings {
  const { logFormat, logSize, logKeep, databasePool, usage, usageKeepDays, limits, log, metricsPort } = settings
  const { database, databaseDirect, databaseRead } = databaseSettings(args, service)
  const folder = consoleFolder()
  return {
    database,
    ...(databaseDirect !== undefined && { databaseDirect }),
    ...(databaseRead !== undefined && { databaseRead }),
    databasePool,
    accessLogFormat: logFormat,
    ...(logSize > 0 && { accessLogRotation: { size: logSize, keep: logKeep } }),
    usage,
    usageKeepDays,
    ...limits,
    ...(folder !== undefined && { console: folder }),
    ...readBranding(args),
    log,
    hasMetrics: metricsPort === undefined,
    hasServerTiming: args.isOn('server-timing') || process.env.NODE_ENV === 'development',
    ...(args.isOn('watch') && { onSchemaChange: () => void sendReport({ kind: 'schema-changed' }) }),
  }
}

function databaseSettings(args: Arguments, service: Service) {
  return {
    database: databaseUrlOf(args, service),
    databaseDirect: args.text('database-direct'),
    databaseRead: args.text('database-read'),
  }
}

/** Loads the service file. With --watch, reports the loaded files to the parent process. */
async function loadServiceOf(args: Arguments): Promise<Service> {
  if (!args.isOn('watch')) return loadService(args.positionals[0])
  const files = recordLoadedFiles()
  try {
    return await loadService(args.positionals[0])
  } finally {
    await sendReport({ kind: 'loaded', files: files() })
  }
}

function schemaReport(changes: MigrationReport['changes']): string {
  return ['Schema changes applied:', ...changes.map(({ sentence }) => `  ${sentence}`)].join('\n')
}

/** The options for the supervisor, which does not load the service. */
async function supervisorShippingOptions(
  service: Service,
  accessLog: string,
  settings: ShipSettings,
): Promise<ShipOptions> {
  const { shipOptionsOf } = await import('@nomen/server/ship')
  return shipOptionsOf({ service, log: accessLog }, settings)
}

async function listen(
  openedService: OpenService,
  port: number,
  host: string,
  startingServer?: Server,
): Promise<string> {
  try {
    const startListening = () =>
      openedService.listen({ port, host, ...(startingServer && { previous: startingServer }) })
    return await explainListenError(startListening, port, host)
  } catch (error) {
    await openedService.close()
    throw error
  }
}

/**
 * On the first signal, the process waits for open requests and exits; on the second one, it exits at once. Before the service is open,
 * the first signal also ends the process at once. That needs a handler too, because process 1 of a container ignores signals without one.
 * Returns a function that takes the open service.
 */
function closeOnSignal(log: ApplicationLog): (service: OpenService) => void {
  let [isClosing, openedService]: [boolean, OpenService | undefined] = [false, undefined]
  const close = () => {
    if (isClosing) process.exit(1)
    isClosing = true
    if (openedService) exitAfter(openedService.close(), log)
    else process.exit(0)
  }
  onStopRequest(close)
  return (service) => {
    openedService = service
  }
}
