/** Finds the destination that an address names. */
import { readFileSync } from 'node:fs'
import { readShipAddress, type ShipAddress, ShipError, type TlsFiles } from '../address.ts'
import type { Destination, Origin } from './destination.ts'
import { loki } from './loki.ts'
import { openSearch } from './opensearch.ts'
import { otlp } from './otlp.ts'
import { syslog } from './syslog.ts'
import { facilityNumber } from './syslog-message.ts'

export interface DestinationOptions {
  /** `syslog+tls://…`, `loki+http://…`, `otlp+http://…`, `opensearch+http://…/index`. */
  readonly to: string
  /** Sent with every request over HTTP, as `name=value,name=value`, values percent-encoded. */
  readonly headers?: string
  /** Of syslog; local0 unless given. */
  readonly facility?: string
  /** Paths of certificates, in PEM. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** Throws a ShipError for what cannot be used. Nothing is connected yet. */
export function openDestination(options: DestinationOptions, origin: Origin): Destination {
  const address = readShipAddress(options.to)
  const tls = tlsFiles(options)
  if (address.kind === 'syslog') return syslog({ address, tls, facility: facilityOf(options.facility) }, origin)
  const post = { url: bare(address.url), headers: headersOf(address, options.headers), tls }
  if (address.kind === 'loki') return loki(address.shown, post, origin)
  if (address.kind === 'otlp') return otlp(address.shown, post, origin)
  return openSearch(address.shown, post, origin)
}

function bare(given: URL): URL {
  const url = new URL(given)
  url.username = ''
  url.password = ''
  return url
}

function headersOf({ url }: ShipAddress, text = ''): Record<string, string> {
  const headers: Record<string, string> = {}
  if (url.username !== '') {
    const account = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(account).toString('base64')}`
  }
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const equals = pair.indexOf('=')
    if (equals < 1) throw new ShipError('A header has no value.', 'Give them as SHIP_HEADERS="name=value,name=value".')
    headers[pair.slice(0, equals).trim().toLowerCase()] = decodeURIComponent(pair.slice(equals + 1).trim())
  }
  return headers
}

function facilityOf(name = 'local0'): number {
  const number = facilityNumber(name)
  if (number === undefined)
    throw new ShipError(`There is no facility "${name}".`, 'Give one such as local0 to local7, daemon or user.')
  return number
}

function tlsFiles({ ca, cert, key }: DestinationOptions): TlsFiles {
  if ((cert === undefined) !== (key === undefined))
    throw new ShipError('A certificate needs its key, and a key its certificate.', 'Give both --cert and --key.')
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
    throw new ShipError(`${path} cannot be read: ${(error as Error).message}.`, 'Name a certificate or key in PEM.')
  }
}
