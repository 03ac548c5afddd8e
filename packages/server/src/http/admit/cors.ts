/** Cross-origin resource sharing (CORS). */
import type { IncomingHttpHeaders } from 'node:http'
import type { TextResponse } from '../../message/text-response.ts'

/** Response headers that pages may read. */
const exposedHeaders = [
  'accept',
  'accept-encoding',
  'accept-patch',
  'accept-post',
  'allow',
  'deprecation',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'server-timing',
  'sunset',
  'www-authenticate',
  'x-read-after',
  'x-request-id',
  'x-transaction-id',
].join(', ')

/** Request headers that pages may send. */
const allowedHeaders = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'traceparent',
  'tracestate',
  'x-read-after',
  'x-request-id',
  'x-transaction-id',
].join(', ')

/** How long a browser may cache a preflight response. This is the maximum of Chromium. */
const maxAgeSeconds = '7200'

export interface Cors {
  /** Whether pages of an origin may read responses. */
  isAllowed(origin: string): boolean
  /** Adds the CORS headers as alternating names and values; none if the origin is not allowed. */
  addTo(rawHeaders: string[], headers: IncomingHttpHeaders): void
  /** The response to a preflight request; undefined for other requests, and if the origin is not allowed. */
  preflight(method: string | undefined, headers: IncomingHttpHeaders): TextResponse | undefined
}

/** Allows pages of these origins, or of all origins if one of them is `*`. */
export function corsFor(origins: readonly string[]): Cors {
  const originSet = new Set(origins)
  const isAny = originSet.has('*')
  const allowedOrigin = ({ origin }: IncomingHttpHeaders) => {
    if (origin === undefined) return undefined
    return isAny ? '*' : originSet.has(origin) ? origin : undefined
  }
  return {
    isAllowed: (origin) => isAny || originSet.has(origin),
    addTo: (rawHeaders, headers) => {
      const origin = allowedOrigin(headers)
      if (origin !== undefined)
        rawHeaders.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposedHeaders)
    },
    preflight: (method, headers) => {
      const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
      return isPreflight && allowedOrigin(headers) !== undefined ? preflightResponse : undefined
    },
  }
}

const preflightResponse: TextResponse = {
  status: 204,
  body: '',
  headers: {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': maxAgeSeconds,
  },
}

/** The reason why a string is not a valid origin; undefined if it is. */
export function originFault(text: string): string | undefined {
  if (text === '*') return undefined
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  // Any page can have the origin "null", for example in a sandboxed frame.
  const isOpaque = origin === 'null'
  if (origin === text && !isOpaque) return undefined
  const fix = isOpaque ? 'Use the form https://app.example.com.' : `Use ${origin}.`
  return `"${text}" is not an origin. ${fix}`
}
