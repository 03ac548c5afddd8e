/** The flags of `nomen serve`, and what they say. Who may call has a file of its own. */
import { type ApplicationLog, applicationLog } from '@nomen/server'
import { logLevels } from '@nomen/server/internal'
import type { Arguments, Flag } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { numberOfProcesses } from '../workers/number-of-processes.ts'
import { accessFlags } from './access.ts'
import { limitFlags, readLimits } from './limit.ts'
import { wholeNumber } from './whole-number.ts'

export const serveFlags: readonly Flag[] = [
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

export interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly logSize: number
  readonly logKeep: number
  readonly usage: boolean
  readonly usageKeep: number
  readonly limits: ReturnType<typeof readLimits>
  readonly log: ApplicationLog
  readonly processes: number
}

export function readSettings(args: Arguments): ServeSettings {
  return {
    port: wholeNumber(args, 'port', 3000, [0, 65_535]),
    host: (args.text('host') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    logSize: wholeNumber(args, 'access-log-size', 100 * 1024 * 1024, [0, Number.MAX_SAFE_INTEGER]),
    logKeep: wholeNumber(args, 'access-log-keep', 400, [0, 1_000_000]),
    usage: isOn(args, 'usage'),
    usageKeep: wholeNumber(args, 'usage-keep', 400, [1, 100_000]),
    limits: readLimits(args),
    log: readLog(args),
    processes: numberOfProcesses(args),
  }
}

function isOn(args: Arguments, flag: string): boolean {
  const text = args.text(flag) ?? 'on'
  if (text === 'on' || text === 'off') return text === 'on'
  throw new CommandError(`${args.source(flag)} is "${text}".`, 'Give on or off.')
}

function readLog(args: Arguments): ApplicationLog {
  const text = args.text('log-level') ?? 'info'
  const level = logLevels.find((one) => one === text)
  if (level) return applicationLog({ level })
  throw new CommandError(`${args.source('log-level')} is "${text}".`, `Give one of ${logLevels.join(', ')}.`)
}
