/**
 * Parameters and headers that many operations share. Parameters have no examples: an API reference would send them with
 * every request that is tried.
 */
import type { JsonSchema } from '../field/schema.ts'

const requestId = { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' }
const entityTag = { type: 'string', pattern: '^"[\\x21\\x23-\\x7e]*"$', examples: ['"7-3-1f0a"'] }

export const sharedParameters: { readonly [name: string]: JsonSchema } = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'The ID of the request, for logs. The service creates one if it is missing.',
    schema: requestId,
  },
  TransactionId: {
    name: 'X-Transaction-Id',
    in: 'header',
    description: 'An ID that several related requests share. The response returns it unchanged.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The record is read or changed only if it still has one of these ETags: 412 otherwise.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: '304 without a body if the record still has one of these ETags.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A repeated request with the same key and body gets the first response again and creates nothing.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

/** For services that read from replicas. */
export const replicaParameters: { readonly [name: string]: JsonSchema } = {
  ReadAfter: {
    name: 'X-Read-After',
    in: 'header',
    description:
      'The value from the response to a write: the read shows that write or a later state. Unknown values are ignored.',
    schema: { type: 'string' },
  },
}
export const replicaHeaders: { readonly [name: string]: JsonSchema } = {
  ReadAfter: {
    description:
      'The state after the write. Send it with a read, to any instance, to see that write or a later state. Responses that refuse a write may have it too.',
    schema: { type: 'string', examples: ['1-0/313DC60'] },
  },
}

export const sharedHeaders: { readonly [name: string]: JsonSchema } = {
  RequestId: { description: 'The ID of the request.', required: true, schema: requestId },
  ETag: { description: 'The strong ETag of the record in this response.', required: true, schema: entityTag },
  Location: {
    description: 'The path of the new record.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  RetryAfter: { description: 'The number of seconds to wait before a retry.', schema: { type: 'integer', minimum: 0 } },
}

/** For services that require a token. */
export const tokenHeaders: { readonly [name: string]: JsonSchema } = {
  Challenge: {
    description: 'The reason why the token is rejected or missing (RFC 6750).',
    required: true,
    schema: { type: 'string', examples: ['Bearer realm="directory", error="invalid_token"'] },
  },
}

/** For services with a rate limit. */
export const rateLimitHeaders: { readonly [name: string]: JsonSchema } = {
  RateLimit: {
    description:
      'The number of requests that the caller has left, and the seconds until the full number is available again. Every response has it.',
    schema: { type: 'string', examples: ['"default";r=42;t=1'] },
  },
  RateLimitPolicy: {
    description:
      'The number of requests that a caller may send, and the length of the window in seconds. Every response has it.',
    schema: { type: 'string', examples: ['"default";q=100;w=1'] },
  },
}

export function parameterRef(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` }
}

export function headerRef(name: string): JsonSchema {
  return { $ref: `#/components/headers/${name}` }
}
