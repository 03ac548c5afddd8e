/** Formats syslog messages (RFC 5424) with octet-counting framing (RFC 6587, RFC 5425). */
import type { Severity } from '../record.ts'

/** The names of the facilities; the index is the number. */
const facilities = [
  ...['kern', 'user', 'mail', 'daemon', 'auth', 'syslog', 'lpr', 'news', 'uucp', 'cron', 'authpriv', 'ftp'],
  ...['ntp', 'security', 'console', 'clock', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5'],
  ...['local6', 'local7'],
]

const severityNumbers: Readonly<Record<Severity, number>> = { INFO: 6, WARN: 4, ERROR: 3 }

/** The number of a facility; undefined if the name is unknown. */
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
  const message = `<${priority}>1 ${stampOf(time)} ${printable(host, 255)} ${printable(application, 48)} - access - ${escaped(text)}`
  return `${Buffer.byteLength(message)} ${message}`
}

/** The last timestamp, because most lines have the same second as the line before. */
let lastTimestamp = { time: Number.NaN, stamp: '' }

function stampOf(time: number): string {
  if (time !== lastTimestamp.time) lastTimestamp = { time, stamp: new Date(time).toISOString().replace('.000Z', 'Z') }
  return lastTimestamp.stamp
}

/** Printable ASCII without spaces; `-` for an empty value. */
function printable(text: string, length: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, length) || '-'
}

/** A message that is not ASCII starts with a byte order mark, which declares UTF-8. */
function escaped(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : `\ufeff${text}`
}
