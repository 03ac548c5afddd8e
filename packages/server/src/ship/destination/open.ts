/** Opens the destination of a URL. */
import { readFileSync } from 'node:fs'
import { type DestinationUrl, readDestinationUrl, ShipError, type TlsFiles } from '../destination-url.ts'
import type { Destination, LogOrigin } from './destination.ts'
import { loki } from './loki.ts'
import { openSearch } from './opensearch.ts'
import { otlp } from './otlp.ts'
import { syslog } from './syslog.ts'
import { facilityNumber } from './syslog-message.ts'

/** The destination of log shipping. */
export interface DestinationOptions {
  /** The URL of the log service: `syslog+tls://…`, `loki+http://…`, `otlp+http://…`, `opensearch+http://…/index`. */
  readonly to: string
  /** HTTP headers as `name=value,name=value`, with percent-encoded values. */
  readonly headers?: string
  /**
   * The syslog facility.
   *
   * @default 'local0'
   */
  readonly facility?: string
  /** The path of the CA certificate, in PEM. */
  readonly ca?: string
  /** The path of the client certificate, in PEM. */
  readonly cert?: string
  /** The path of the key of the client certificate, in PEM. */
  readonly key?: string
}

/** Creates the destination without connecting to it. Throws a ShipError if an option is invalid. */
export function openDestination(options: DestinationOptions, origin: LogOrigin): Destination {
  const destinationUrl = readDestinationUrl(options.to)
  const tls = tlsFiles(options)
  if (destinationUrl.kind === 'syslog')
    return syslog({ destinationUrl, tls, facility: facilityOf(options.facility) }, origin)
  const post = { url: withoutCredentials(destinationUrl.url), headers: headersOf(destinationUrl, options.headers), tls }
  if (destinationUrl.kind === 'loki') return loki(destinationUrl.redactedUrl, post, origin)
  if (destinationUrl.kind === 'otlp') return otlp(destinationUrl.redactedUrl, post, origin)
  return openSearch(destinationUrl.redactedUrl, post, origin)
}

function withoutCredentials(original: URL): URL {
  const url = new URL(original)
  url.username = ''
  url.password = ''
  return url
}

function headersOf({ url }: DestinationUrl, text = ''): Record<string, string> {
  const headers: Record<string, string> = {}
  if (url.username !== '') {
    const account = `${decode(url.username, 'The URL')}:${decode(url.password, 'The URL')}`
    headers.authorization = `Basic ${Buffer.from(account).toString('base64')}`
  }
  for (const pair of text.split(',').filter((item) => item.trim() !== '')) {
    const equals = pair.indexOf('=')
    if (equals < 1) throw new ShipError('A header has no value.', 'Use the form SHIP_HEADERS="name=value,name=value".')
    headers[pair.slice(0, equals).trim().toLowerCase()] = decode(pair.slice(equals + 1).trim(), 'A header')
  }
  return headers
}

/** The message does not contain the text, because it may be a password. */
function decode(text: string, source: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ShipError(`${source} contains invalid percent-encoding.`, 'Write a percent sign as %25.')
  }
}

function facilityOf(name = 'local0'): number {
  const number = facilityNumber(name)
  if (number === undefined)
    throw new ShipError(`Unknown syslog facility "${name}".`, 'Use one such as local0 to local7, daemon or user.')
  return number
}

function tlsFiles({ ca, cert, key }: DestinationOptions): TlsFiles {
  if ((cert === undefined) !== (key === undefined))
    throw new ShipError('Only one of --cert and --key is set.', 'Set both.')
  return {
    ...(ca !== undefined && { ca: pem(ca) }),
    ...(cert !== undefined && { cert: pem(cert) }),
    ...(key !== undefined && { key: pem(key) }),
  }
}

function pem(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ShipError(
      `${path} cannot be read: ${(error as Error).message}.`,
      'Use a certificate or key in PEM format.',
    )
  }
}
