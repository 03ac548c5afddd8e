/** The flags of `nomen serve` and their settings, in the groups of the help. */
import type { ApplicationLog } from '@nomen/server'
import { type AccessLogFormat, accessLogFormats, applicationLog, logLevels } from '@nomen/server/internal'
import { type Arguments, type Flag, inGroup } from '../command.ts'
import { numberOfProcesses } from '../workers/number-of-processes.ts'
import { accessFlags } from './access.ts'
import { choiceOf, isOn } from './choice.ts'
import { consoleFlags } from './console.ts'
import { databaseFlags, readPool } from './database.ts'
import { limitFlags, readLimits } from './limit.ts'
import { wholeNumber } from './whole-number.ts'

export const serveFlags: readonly Flag[] = [
  ...inGroup('HTTP', [
    {
      name: 'port',
      environment: 'PORT',
      value: 'number',
      about: 'port to listen on; 0 selects a free port (default: 3000)',
    },
    { name: 'host', environment: 'HOST', value: 'address', about: 'address to listen on (default: 127.0.0.1)' },
  ]),
  ...inGroup('Processes', [
    {
      name: 'workers',
      environment: 'WORKERS',
      value: 'number',
      about: 'number of processes that share the port, or "max" for one per core (default: 1)',
    },
    { name: 'watch', about: 'for development: reload when the service file, or a file that it imports, changes' },
  ]),
  ...databaseFlags,
  ...accessFlags,
  ...inGroup('Log, usage and metrics', [
    {
      name: 'access-log',
      environment: 'ACCESS_LOG',
      value: 'path',
      about: 'access log file; - is standard output (default: data/access.log)',
    },
    {
      name: 'access-log-format',
      environment: 'ACCESS_LOG_FORMAT',
      value: 'format',
      about: 'combined, or extended, which adds the request ID and the duration in seconds (default: combined)',
    },
    {
      name: 'access-log-size',
      environment: 'ACCESS_LOG_SIZE',
      value: 'bytes',
      about: 'rotate and compress the access log at this size, and daily; 0 never rotates (default: 104857600)',
    },
    {
      name: 'access-log-keep',
      environment: 'ACCESS_LOG_KEEP',
      value: 'number',
      about: 'number of rotated logs to keep (default: 400)',
    },
    {
      name: 'log-level',
      environment: 'LOG_LEVEL',
      value: 'level',
      about: 'log level on standard error: error, warn, info or debug (default: info)',
    },
    {
      name: 'usage',
      environment: 'USAGE',
      value: 'on or off',
      about: 'count calls by calling application, and serve the counts at /usage (default: on)',
    },
    {
      name: 'usage-keep',
      environment: 'USAGE_KEEP',
      value: 'days',
      about: 'days to keep usage counts (default: 400)',
    },
    {
      name: 'ship',
      environment: 'SHIP_TO',
      value: 'URL',
      about: 'also send the access log to this URL: syslog+tls://…, loki+http://…, otlp+http://…, opensearch+http://…',
    },
    {
      name: 'metrics-port',
      environment: 'METRICS_PORT',
      value: 'number',
      about:
        'serve /metrics on this separate port, without authentication, and /health on both ports (default: no separate port)',
    },
    {
      name: 'server-timing',
      about: 'send a Server-Timing header with every response; also on if NODE_ENV=development',
    },
  ]),
  ...limitFlags,
  ...consoleFlags,
]

export interface ServeSettings {
  readonly port: number
  readonly host: string
  /** Undefined if the port of the service has the metrics. */
  readonly metricsPort: number | undefined
  readonly logFormat: AccessLogFormat
  readonly logSize: number
  readonly logKeep: number
  readonly databasePool: ReturnType<typeof readPool>
  readonly usage: boolean
  readonly usageKeepDays: number
  readonly limits: ReturnType<typeof readLimits>
  readonly log: ApplicationLog
  readonly processes: number
}

export function readSettings(args: Arguments): ServeSettings {
  return {
    port: wholeNumber(args, 'port', 3000, [0, 65_535]),
    host: (args.text('host') ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1'),
    metricsPort: wholeNumber(args, 'metrics-port', undefined, [0, 65_535]),
    logFormat: choiceOf(args, 'access-log-format', accessLogFormats, 'combined'),
    logSize: wholeNumber(args, 'access-log-size', 100 * 1024 * 1024, [0, Number.MAX_SAFE_INTEGER]),
    logKeep: wholeNumber(args, 'access-log-keep', 400, [0, 1_000_000]),
    databasePool: readPool(args),
    usage: isOn(args, 'usage', 'on'),
    usageKeepDays: wholeNumber(args, 'usage-keep', 400, [1, 100_000]),
    limits: readLimits(args),
    log: applicationLog({ level: choiceOf(args, 'log-level', logLevels, 'info') }),
    processes: numberOfProcesses(args),
  }
}
