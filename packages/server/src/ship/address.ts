/** The address that lines are shipped to: `loki+https://user:password@logs.example:3100`. */

/** A setting of shipping that cannot be used, in words for whoever gave it. */
export class ShipError extends Error {
  override readonly name = 'ShipError'

  constructor(message: string, fix: string) {
    super(`${message}\n  ${fix}`)
  }
}

/** Certificates, as they stand in their files. */
export interface TlsFiles {
  /** Of the authority that the destination's certificate is of; those of the system unless given. */
  readonly ca?: string
  /** Of this side, for destinations that ask for one. */
  readonly cert?: string
  readonly key?: string
}

export type ShipKind = 'syslog' | 'loki' | 'otlp' | 'opensearch'

export interface ShipAddress {
  readonly kind: ShipKind
  readonly isSecure: boolean
  /** The rest, with a scheme that Node knows. */
  readonly url: URL
  /** Without user and password. */
  readonly shown: string
}

const schemes: Readonly<Record<string, readonly [ShipKind, boolean, number]>> = {
  'syslog+tcp': ['syslog', false, 601],
  'syslog+tls': ['syslog', true, 6514],
  'loki+http': ['loki', false, 3100],
  'loki+https': ['loki', true, 443],
  'otlp+http': ['otlp', false, 4318],
  'otlp+https': ['otlp', true, 443],
  'opensearch+http': ['opensearch', false, 9200],
  'opensearch+https': ['opensearch', true, 443],
}

const examples = 'syslog+tls://host:6514, loki+https://host, otlp+http://host:4318, opensearch+https://host:9200/index'

/** Reads an address; the usual port of its kind unless it has one. */
export function readShipAddress(text: string): ShipAddress {
  const colon = text.indexOf('://')
  const scheme = text.slice(0, Math.max(0, colon)).toLowerCase()
  const [kind, isSecure, port] = schemes[scheme] ?? []
  // the address itself is not told: it may hold a password
  if (kind === undefined || isSecure === undefined)
    throw new ShipError(`Lines cannot be shipped to "${scheme || 'an address without a scheme'}".`, `Give ${examples}.`)
  const plain = `${isSecure ? 'https' : 'http'}${text.slice(colon)}`
  if (!URL.canParse(plain)) throw new ShipError(`The address after ${scheme}:// cannot be read.`, `Give ${examples}.`)
  const url = new URL(plain)
  if (url.port === '' && !new RegExp(`^[^/]*:${isSecure ? 443 : 80}(/|$)`).test(text.slice(colon + 3)))
    url.port = `${port}`
  const path = url.pathname === '/' ? '' : url.pathname
  return { kind, isSecure, url, shown: `${scheme}://${url.host}${path}` }
}
