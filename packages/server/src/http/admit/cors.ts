/** Cross-origin requests: pages of which other origins a browser lets read the answers. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Answer } from '../../message/answer.ts'

/** What a client reads in the head of an answer. */
const exposed = [
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

/** What a client sends in the head of a request. */
const taken = [
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

/** How long a browser need not ask again, in seconds. Chromium keeps to no more. */
const holds = '7200'

export interface Cors {
  /** Whether pages of an origin may read answers. */
  isAllowed(origin: string): boolean
  /** Adds what is said to the page that asks, as names and values in turn: nothing where it may not read. */
  addTo(head: string[], headers: IncomingHttpHeaders): void
  /** What a browser is told that asks first whether a page may; undefined where it asks nothing, or the page may not. */
  preflight(method: string | undefined, headers: IncomingHttpHeaders): Answer | undefined
}

/** Lets in pages of these origins, or of any where one of them is `*`. */
export function corsFor(origins: readonly string[]): Cors {
  const known = new Set(origins)
  const isAny = known.has('*')
  const allowed = ({ origin }: IncomingHttpHeaders) => {
    if (origin === undefined) return undefined
    return isAny ? '*' : known.has(origin) ? origin : undefined
  }
  return {
    isAllowed: (origin) => isAny || known.has(origin),
    addTo: (head, headers) => {
      const origin = allowed(headers)
      if (origin !== undefined)
        head.push('access-control-allow-origin', origin, 'access-control-expose-headers', exposed)
    },
    preflight: (method, headers) => {
      const isAsked = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
      return isAsked && allowed(headers) !== undefined ? permission : undefined
    },
  }
}

const permission: Answer = {
  status: 204,
  body: '',
  headers: {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': taken,
    'access-control-max-age': holds,
  },
}

/** Why a text cannot be an origin; undefined where it can. */
export function originFault(text: string): string | undefined {
  if (text === '*') return undefined
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  // Pages without an origin say null: so may anyone's.
  const isNone = origin === 'null'
  if (origin === text && !isNone) return undefined
  const fix = isNone ? 'Write it as https://app.example.com.' : `Write ${origin}.`
  return `"${text}" is no origin. ${fix}`
}
