/** `nomen serve`: serves a service file until it is told to stop. */
import cluster from 'node:cluster'
import {
  type ApplicationLog,
  applicationLog,
  logLevels,
  type MigrationReport,
  type OpenService,
  open,
  readTraceSettings,
  type Service,
  shownAddress,
} from '@nomen/server'
import type { ShipOptions, ShipSettings } from '@nomen/server/ship'
import { type Arguments, type Command, type Flag, flagHelp, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { consoleFolder } from './console-folder.ts'
import { onHangUp } from './hang-up.ts'
import { limitFlags, readLimits } from './limit-flags.ts'
import { loadService } from './load-service.ts'
import { accessFlags, readAccess } from './serve-access.ts'
import { fromEnvironment, shipSettings } from './ship/ship-flag.ts'
import { noteLoadedFiles } from './watch/loaded-files.ts'
import { serveAndReload } from './watch/reloader.ts'
import { welcome } from './welcome.ts'
import { wholeNumber } from './whole-number.ts'
import { numberOfProcesses, refuseMemory } from './workers/number-of-processes.ts'
import { type Listening, sendReport } from './workers/report.ts'
import { supervise } from './workers/supervisor.ts'
import { SupervisorLine } from './workers/supervisor-line.ts'
import { serveAsWorker } from './workers/worker.ts'

const flags: readonly Flag[] = [
  {
    name: 'port',
    environment: 'PORT',
    value: 'number',
    about: 'port to listen on, 3000 unless given; 0 takes a free one',
  },
  { name: 'host', environment: 'HOST', value: 'address', about: 'address to listen on, 127.0.0.1 unless given' },
  {
    name: 'database',
    environment: 'DATABASE_URL',
    value: 'address',
    about: 'sqlite:data/<service>.db unless given; sqlite::memory: keeps nothing; or postgres://…',
  },
  {
    name: 'database-read',
    environment: 'DATABASE_READ_URL',
    value: 'address',
    about:
      'read replicas of a PostgreSQL database: postgres://…, several hosts with commas between them; elsewhere where only other instances have some',
  },
  {
    name: 'access-log',
    environment: 'ACCESS_LOG',
    value: 'path',
    about: 'data/access.log unless given; - is standard output',
  },
  {
    name: 'access-log-size',
    environment: 'ACCESS_LOG_SIZE',
    value: 'bytes',
    about:
      'a log of so many bytes, or of another day, is put aside and compressed; 104857600 unless given, 0 for never',
  },
  {
    name: 'access-log-keep',
    environment: 'ACCESS_LOG_KEEP',
    value: 'number',
    about: 'how many old logs are kept, 400 unless given',
  },
  {
    name: 'usage',
    environment: 'USAGE',
    value: 'on or off',
    about: 'whether who calls what is counted in the database and served at /usage; on unless given',
  },
  {
    name: 'usage-keep',
    environment: 'USAGE_KEEP',
    value: 'days',
    about: 'for how many days it is kept, 400 unless given',
  },
  {
    name: 'ship',
    environment: 'SHIP_TO',
    value: 'address',
    about: 'send the access log there as well: syslog+tls://…, loki+http://…, otlp+http://…, opensearch+http://…',
  },
  ...limitFlags,
  {
    name: 'log-level',
    environment: 'LOG_LEVEL',
    value: 'level',
    about: 'what standard error tells: error, warn, info or debug; info unless given',
  },
  {
    name: 'workers',
    environment: 'WORKERS',
    value: 'number',
    about: 'processes that serve on the one port, 1 unless given; max is one for each core',
  },
  { name: 'watch', about: 'for development: serve anew when the service file changes, or one that it imports' },
  ...accessFlags,
  {
    name: 'server-timing',
    about: 'tell with every answer how long it took, as with NODE_ENV=development',
  },
]

export const serveCommand: Command = {
  name: 'serve',
  flags,
  help: `Usage: nomen serve [service file or folder] [options]

Serves the nouns that a service file declares: service.ts in this folder unless named. An empty database is made,
and filled with the service's sample data where it has any; safe changes of a declaration are applied to the schema.

${flagHelp(flags)}

Shipping takes the variables of nomen ship as well, such as SHIP_HEADERS and SHIP_CA: see its help. Traces are sent where
OTEL_EXPORTER_OTLP_ENDPOINT says, and the other usual variables of OpenTelemetry count.
A flag counts before the environment variable in brackets. Stop with Ctrl+C or SIGTERM: requests under way are finished.`,
  async run(given) {
    const args = readArguments(flags, given)
    const settings = {
      port: wholeNumber(args, 'port', 3000, [0, 65_535]),
      logSize: wholeNumber(args, 'access-log-size', 100 * 1024 * 1024, [0, Number.MAX_SAFE_INTEGER]),
      logKeep: wholeNumber(args, 'access-log-keep', 400, [0, 1_000_000]),
      usage: isOn(args, 'usage'),
      usageKeep: wholeNumber(args, 'usage-keep', 400, [1, 100_000]),
      limits: readLimits(args),
      log: readLog(args),
      traces: readTraces(),
      host: (args.text('host') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
      processes: numberOfProcesses(args),
    }
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

interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly logSize: number
  readonly logKeep: number
  readonly usage: boolean
  readonly usageKeep: number
  readonly limits: ReturnType<typeof readLimits>
  readonly log: ApplicationLog
  readonly traces: ReturnType<typeof readTraceSettings>
  readonly processes: number
}

/** Serves in this process, and gives what is to be told of it. `onOpen` is told of the service before it listens. */
async function serveHere(
  args: Arguments,
  { port, host, logSize, logKeep, usage, usageKeep, limits, log, traces, processes }: ServeSettings,
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
    ...(traces && { traces }),
    hasServerTiming: args.isOn('server-timing') || process.env.NODE_ENV === 'development',
    ...(supervisor && { gatherMetrics: () => supervisor.metrics(), rateBank: supervisor }),
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
    database: `${shownAddress(database)}${isNew ? ', made now' : ''}`,
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

function isOn(args: Arguments, flag: string): boolean {
  const text = args.text(flag) ?? 'on'
  if (text === 'on' || text === 'off') return text === 'on'
  throw new CommandError(`${args.source(flag)} is "${text}".`, 'Give on or off.')
}

function readTraces(): ReturnType<typeof readTraceSettings> {
  try {
    return readTraceSettings(process.env)
  } catch (error) {
    throw new CommandError((error as Error).message, 'OTEL_SDK_DISABLED=true sends no traces.')
  }
}

function readLog(args: Arguments): ApplicationLog {
  const text = args.text('log-level') ?? 'info'
  const level = logLevels.find((one) => one === text)
  if (level) return applicationLog({ level })
  throw new CommandError(`${args.source('log-level')} is "${text}".`, `Give one of ${logLevels.join(', ')}.`)
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
