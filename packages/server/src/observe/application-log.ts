/** The application log: events for operators, such as errors and overload. pino writes it. */
import { createRequire } from 'node:module'
import { isatty } from 'node:tty'
import { isMainThread } from 'node:worker_threads'
import type { DestinationStream, pino } from 'pino'

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * A logger for events of the service: each method takes the fields of an entry, then its message. Loggers of pino and Fastify
 * have this form.
 *
 * @example
 * await open(service, { database, log: pino({ level: 'warn' }) })
 */
export type ApplicationLog = { readonly [Level in LogLevel]: (fields: object, message: string) => void }

interface ApplicationLogOptions {
  /** Less urgent entries are not written. (default: info) */
  readonly level?: LogLevel
  /** Text for people instead of JSON. (default: if standard error is a terminal) */
  readonly isPlain?: boolean
  /** Where the lines go. (default: standard error) */
  readonly stream?: DestinationStream
}

/** The maximum size of the buffer if the reader of standard error is slow. */
const maxWaitingBytes = 1024 * 1024

/**
 * How long after the start pino is loaded, so that loading it does not delay the start. It does not wait for the first entry,
 * because that may be about a process that cannot open files.
 */
const loadDelayMs = 1000

/** The log of a service whose settings have none. pino is loaded with the first entry, or shortly after the start. */
export function applicationLog(options: ApplicationLogOptions = {}): ApplicationLog {
  let log: ApplicationLog | undefined
  const load = () => {
    log ??= pinoLog(options)
    return log
  }
  setTimeout(load, loadDelayMs).unref()
  const entryWriter =
    (level: LogLevel): ApplicationLog[LogLevel] =>
    (fields, message) =>
      load()[level](fields, message)
  return {
    error: entryWriter('error'),
    warn: entryWriter('warn'),
    info: entryWriter('info'),
    debug: entryWriter('debug'),
  }
}

function pinoLog(options: ApplicationLogOptions): ApplicationLog {
  const { pino }: typeof import('pino') = createRequire(import.meta.url)('pino')
  const { level = 'info', isPlain = isatty(2) } = options
  const stream = options.stream ?? standardError(pino, (count) => log.error({ count }, 'Log entries were lost.'))
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorFields(pino, error) },
    },
    isPlain ? { write: (line) => stream.write(plainText(line)) } : stream,
  )
  return log
}

/** How long an exit waits for a write that another thread has begun. */
const exitWaitMs = 250

/** The streams that have entries to write. */
const pendingStreams = new Set<DestinationStream>()

/** Another thread writes, so a blocked reader does not block the service. When the process exits, pino writes the rest. */
function standardError({ destination }: typeof pino, onLoss: (count: number) => void): DestinationStream {
  // pino has no exit hook in a worker thread.
  const stream = destination({ dest: 2, sync: !isMainThread, maxLength: maxWaitingBytes })
  let lostCount = 0
  stream.on('drop', () => {
    lostCount += 1
  })
  stream.on('drain', () => {
    pendingStreams.delete(stream)
    const count = lostCount
    lostCount = 0
    if (count > 0) onLoss(count)
  })
  stream.on('error', () => {
    // On a full disk, flushSync would retry forever, and the process could not exit.
    stream.flushSync = () => {}
  })
  // Once for all logs of the process.
  if (!process.listeners('exit').includes(waitForWrites)) process.prependListener('exit', waitForWrites)
  return {
    write(line) {
      pendingStreams.add(stream)
      stream.write(line)
    },
  }
}

/** pino does not wait for a write that is under way, and the end of the process would cut it off. */
function waitForWrites(): void {
  if (pendingStreams.size > 0 && isMainThread) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitWaitMs)
}

/** Other properties of an error are not logged, because they may contain credentials, such as request headers. */
function errorFields({ stdSerializers }: typeof pino, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  try {
    const { type, message, code, stack } = stdSerializers.err(error)
    return { type, message, code, stack }
  } catch {
    // pino reads all properties, and a getter may throw. It also fails on frozen errors.
    return { type: error.name, message: error.message, stack: error.stack }
  }
}

/** Formats a line of JSON as text. The stack of an error follows on its own lines. */
function plainText(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line)
  const stack = err?.stack === undefined ? '' : `${err.stack}\n`.replace(/^(?=.)/gm, '  ')
  const entries = Object.entries(stack || err === undefined ? fields : { ...fields, err })
  const pairs = entries.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${[time.slice(11, 19), level.padEnd(5), msg, ...pairs].join(' ')}\n${stack}`
}
