/** URLs of destinations of access logs: `loki+https://user:password@logs.example:3100`. */

/**
 * The error of an invalid log shipping option; the message says how to fix it.
 *
 * @example
 * ```ts
 * try {
 *   openShipper({ log: 'data/access.log', to: 'http://logs', service: 'directory' }, console.error)
 * } catch (error) {
 *   if (error instanceof ShipError) console.error(error.message)
 * }
 * ```
 */
export class ShipError extends Error {
  override readonly name = 'ShipError'

  constructor(message: string, fix: string) {
    super(`${message}\n  ${fix}`)
  }
}

/** The contents of certificate files. */
export interface TlsFiles {
  /** The certificate of the authority that signed the destination's certificate (default: the authorities of Node.js). */
  readonly ca?: string
  /** The client certificate, for destinations that require one. */
  readonly cert?: string
  readonly key?: string
}

export type ShipKind = 'syslog' | 'loki' | 'otlp' | 'opensearch'

export interface DestinationUrl {
  readonly kind: ShipKind
  readonly isSecure: boolean
  /** The URL with the scheme http or https. */
  readonly url: URL
  /** The URL for messages, without user and password. */
  readonly redactedUrl: string
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

/** Parses the URL of a destination. Without a port, it gets the default port of its kind. */
export function readDestinationUrl(text: string): DestinationUrl {
  const colon = text.indexOf('://')
  const scheme = text.slice(0, Math.max(0, colon)).toLowerCase()
  const [kind, isSecure, port] = schemes[scheme] ?? []
  // The message does not contain the URL, because it may have a password.
  if (kind === undefined || isSecure === undefined)
    throw new ShipError(
      scheme === ''
        ? 'The URL of the log destination has no scheme.'
        : `The destination scheme "${scheme}" is not supported.`,
      `Use ${examples}.`,
    )
  const plain = `${isSecure ? 'https' : 'http'}${text.slice(colon)}`
  if (!URL.canParse(plain)) throw new ShipError(`The URL after ${scheme}:// is invalid.`, `Use ${examples}.`)
  const url = new URL(plain)
  if (url.port === '' && !new RegExp(`^[^/]*:${isSecure ? 443 : 80}(/|$)`).test(text.slice(colon + 3)))
    url.port = `${port}`
  const path = url.pathname === '/' ? '' : url.pathname
  return { kind, isSecure, url, redactedUrl: `${scheme}://${url.host}${path}` }
}
