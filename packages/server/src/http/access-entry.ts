/** The entry of the access log for an exchange, and its line. */
import { type AccessEntry, writeLine } from '@nomen/core'
import type { Exchange } from './exchange.ts'
import { redacted } from './redact.ts'

/** Called once per finished request; `exchange` is undefined for malformed HTTP. */
export type Observer = (entry: AccessEntry, exchange: Exchange | undefined) => void

/** As in nginx: the client closed the connection before it had its whole response. */
export const clientClosedRequest = 499

export function accessEntry({ request, client, caller }: Exchange, status: number, size: number): AccessEntry {
  const { headers, method, url, httpVersion } = request
  return {
    address: client.address,
    port: client.port,
    user: caller.user,
    time: Date.now(),
    method,
    target: loggedUrl(url) ?? '',
    protocol: httpVersion === '1.1' ? 'HTTP/1.1' : `HTTP/${httpVersion}`,
    status,
    size,
    referrer: loggedUrl(headers.referer),
    userAgent: bytesAsText(headers['user-agent']),
  }
}

function loggedUrl(text: string | undefined): string | undefined {
  const url = bytesAsText(text)
  return url === undefined ? undefined : redacted(url)
}

/** Node reads headers as Latin-1; clients send UTF-8 beyond ASCII. */
function bytesAsText(text: string | undefined): string | undefined {
  return text !== undefined && /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString() : text
}

export const accessLogFormats = ['combined', 'extended'] as const

/** The format of the access log. */
export type AccessLogFormat = (typeof accessLogFormats)[number]

/**
 * Writes an entry in the format. The extended format adds the request ID and the duration in seconds; both are `-` for
 * malformed HTTP. Readers of the combined format ignore them.
 */
export function accessLine(format: AccessLogFormat) {
  if (format === 'combined') return writeLine
  return (entry: AccessEntry, exchange: Exchange | undefined): string => {
    if (!exchange) return `${writeLine(entry)} - -`
    const seconds = ((performance.now() - exchange.startedAt) / 1000).toFixed(3)
    return `${writeLine(entry)} ${exchange.requestId.replace(/["\\]/g, '_')} ${seconds}`
  }
}
