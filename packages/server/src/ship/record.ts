/** Log lines as structured records, for destinations that store more than text. */
import { type AccessEntry, parseLine } from '@nomen/core'
import { callerOf } from '@nomen/core/usage'
import type { LogLine } from './batch.ts'
import type { LogOrigin } from './destination/destination.ts'

/** Attributes with the names of OpenTelemetry's semantic conventions, if there is one. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

export interface LineRecord {
  readonly text: string
  /** Milliseconds since the epoch; the time of the previous line if the line has none. */
  readonly time: number
  /** Nanoseconds since the epoch, as digits. They are unique within a second, keep the order, and do not change on a retry. */
  readonly nanoseconds: string
  readonly severity: Severity
  /** Undefined if the line is not in the format of an access log. */
  readonly entry: AccessEntry | undefined
}

/** The severity of a response status. */
export type Severity = 'INFO' | 'WARN' | 'ERROR'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'])

/** The records of consecutive lines. */
export function recordsOf(lines: readonly LogLine[]): LineRecord[] {
  let lastTime: number | undefined
  return lines.map(({ text, offset }) => {
    const entry = parseLine(text)
    const time = entry?.time ?? lastTime ?? Date.now()
    lastTime = time
    return {
      text,
      time,
      nanoseconds: `${Math.floor(time / 1000)}${String(offset % 1_000_000_000).padStart(9, '0')}`,
      severity: entry ? severityOf(entry.status) : 'INFO',
      entry,
    }
  })
}

function severityOf(status: number): Severity {
  return status >= 500 ? 'ERROR' : status >= 400 ? 'WARN' : 'INFO'
}

/** The attributes of a record. */
export function attributesOf({ entry }: LineRecord, { route }: LogOrigin): Attributes {
  if (!entry) return {}
  const { method, target, protocol } = entry
  const queryStart = target.indexOf('?')
  const isKnown = methods.has(method)
  const caller = callerOf(entry)
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown || method === '' ? undefined : method,
    'http.route': route(method, target),
    'url.path': queryStart === -1 ? target : target.slice(0, queryStart),
    'url.query': queryStart === -1 ? undefined : target.slice(queryStart + 1),
    'http.response.status_code': entry.status,
    'http.response.body.size': entry.size,
    'client.address': entry.address || undefined,
    'client.port': entry.port,
    'user.name': entry.user,
    'user_agent.original': entry.userAgent,
    'http.request.header.referer': entry.referrer,
    'network.protocol.name': protocol.startsWith('HTTP/') ? 'http' : undefined,
    'network.protocol.version': protocol.startsWith('HTTP/') ? protocol.slice('HTTP/'.length) : undefined,
    'nomen.application': caller.name || undefined,
  }
}
