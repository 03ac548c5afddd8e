/** The application log: what whoever runs a service should know, apart from the requests. One event is one line. */
import { inspect } from 'node:util'

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** What is known of an event beside its message; errors are told with their causes. */
export interface LogFields {
  readonly [name: string]: unknown
}

export type ApplicationLog = { readonly [Level in LogLevel]: (message: string, fields?: LogFields) => void }

export interface ApplicationLogOptions {
  /** What is less urgent is not written; `info` where left out. */
  readonly level?: LogLevel
  /** Text for people instead of JSON. */
  readonly isPlain?: boolean
  /** Takes every event without a newline at its end; standard error where left out. */
  readonly write?: (text: string) => void
}

/**
 * Makes an application log.
 * @example
 * const log = applicationLog({ level: 'debug' })
 * log.warn('The mail server is slow.', { host: 'mail.example.com', seconds: 7 })
 * // {"time":"2026-11-15T12:00:00.000Z","level":"warn","message":"The mail server is slow.","host":…,"seconds":7}
 */
export function applicationLog(options: ApplicationLogOptions = {}): ApplicationLog {
  // Not by the stream itself: an error of it that nobody listens to would end the process.
  const { level = 'info', isPlain = process.stderr.isTTY === true, write = (text) => console.error(text) } = options
  const shape = isPlain ? plainEvent : jsonEvent
  const writer = (own: LogLevel) => {
    if (logLevels.indexOf(own) > logLevels.indexOf(level)) return () => {}
    return (message: string, fields: LogFields = {}) => write(shape(new Date(), own, message, fields))
  }
  return { error: writer('error'), warn: writer('warn'), info: writer('info'), debug: writer('debug') }
}

function jsonEvent(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  try {
    return jsonOf({ time, level, message, ...fields })
  } catch {
    // What is thrown may lead back to itself, or refuse to be written: to tell of it must not end the process.
    const told = Object.entries(fields).map(([name, value]) => [name, inWords(value)])
    return JSON.stringify({ time, level, message, ...Object.fromEntries(told) })
  }
}

function jsonOf(given: unknown): string {
  return JSON.stringify(given, (_, value) => {
    return value instanceof Error ? errorFields(value) : typeof value === 'bigint' ? `${value}` : value
  })
}

/** An error keeps its parts; all that stands behind it is in the text of its stack. */
function inWords(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}` : value
  const text = textOf(value)
  return value instanceof Error ? { name: value.name, message: value.message, stack: text } : text
}

/** Neither getters nor functions of the value are asked. */
function textOf(value: object): string {
  return inspect(value, { customInspect: false, depth: 4 })
}

function errorFields(error: Error): LogFields {
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack, cause }
}

function plainEvent(time: Date, level: LogLevel, message: string, fields: LogFields): string {
  const errors = Object.values(fields).filter((value) => value instanceof Error)
  const others = Object.entries(fields).filter(([, value]) => value !== undefined && !(value instanceof Error))
  const told = others.map(([name, value]) => `${name}=${plainText(value)}`)
  const line = [time.toISOString().slice(11, 19), level.padEnd(5), message, ...told].join(' ')
  return [line, ...errors.map(indented)].join('\n')
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return jsonOf(value)
  } catch {
    return textOf(value as object).replaceAll(/\s*\n\s*/g, ' ')
  }
}

function indented(error: Error): string {
  return stackOf(error).replace(/^/gm, '  ')
}

function stackOf(error: Error): string {
  try {
    return error.cause instanceof Error ? `${error.stack}\ncaused by ${error.cause.stack}` : `${error.stack}`
  } catch {
    return textOf(error)
  }
}
