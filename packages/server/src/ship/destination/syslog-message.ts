/** The form of a syslog message: RFC 5424, framed by its length (RFC 6587, RFC 5425). */
import type { Severity } from '../record.ts'

/** The facilities by name, at their numbers. */
const facilities = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'],
  ...['ntp', 'security', 'console', 'clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5'],
  ...['local6', 'local7'],
]

const severityNumbers: Readonly<Record<Severity, number>> = { INFO: 6, WARN: 4, ERROR: 3 }

/** Undefined for what is none. */
export function facilityNumber(name: string): number | undefined {
  const number = facilities.indexOf(name)
  return number === -1 ? undefined : number
}

export interface SyslogMessage {
  readonly facility: number
  readonly severity: Severity
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly host: string
  readonly application: string
  readonly text: string
}

/** The message with its length in front. */
export function frame({ facility, severity, time, host, application, text }: SyslogMessage): string {
  const priority = facility * 8 + severityNumbers[severity]
  const message = `<${priority}>1 ${stampOf(time)} ${word(host, 255)} ${word(application, 48)} - access - ${escaped(text)}`
  return `${Buffer.byteLength(message)} ${message}`
}

/** Most lines are of the second of the one before. */
let last = { time: Number.NaN, stamp: '' }

function stampOf(time: number): string {
  if (time !== last.time) last = { time, stamp: new Date(time).toISOString().replace('.000Z', 'Z') }
  return last.stamp
}

/** Printable ASCII without spaces; `-` is how nothing is written. */
function word(text: string, length: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, length) || '-'
}

/** What is not ASCII is UTF-8, and says so. */
function escaped(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `\ufeff${text}`
}
