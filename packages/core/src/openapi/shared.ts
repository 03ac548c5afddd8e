/** Parameters and headers that many operations have in common. */
import type { JsonSchema } from '../field/schema.ts'

const requestId = { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$', examples: ['6f1c2a9e'] }
const entityTag = { type: 'string', pattern: '^"[\\x21\\x23-\\x7e]*"$', examples: ['"7-3-1f0a"'] }

export const sharedParameters: { readonly [name: string]: JsonSchema } = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'The identity of the request, for logs; the service makes one where none is given.',
    schema: requestId,
  },
  TransactionId: {
    name: 'X-Transaction-Id',
    in: 'header',
    description: 'The identity of what several requests belong to; returned as it is given.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'It is read or changed only if it still has one of these tags; 412 otherwise.',
    schema: { type: 'string', examples: ['"7-3-1f0a"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answered 304 without a body where the record still has one of these tags.',
    schema: { type: 'string', examples: ['"7-3-1f0a"'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key and body give the first answer again, and create nothing more.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
}

/** In the documents of services that read from replicas. */
export const replicaParameters: { readonly [name: string]: JsonSchema } = {
  ReadAfter: {
    name: 'X-Read-After',
    in: 'header',
    description:
      'From the answer to a write: what is shown is not older than that. A value that no write was answered with is ignored.',
    schema: { type: 'string', examples: ['0/313DC60'] },
  },
}
export const replicaHeaders: { readonly [name: string]: JsonSchema } = {
  ReadAfter: {
    description:
      'The state that the write has led to: sent back with a read, to any instance, it shows nothing older. Answers that refuse a write may have it too.',
    schema: { type: 'string', examples: ['0/313DC60'] },
  },
}

export const sharedHeaders: { readonly [name: string]: JsonSchema } = {
  RequestId: { description: 'The identity of the request.', required: true, schema: requestId },
  ETag: { description: 'A strong tag of the record as it is shown here.', required: true, schema: entityTag },
  Location: {
    description: 'The path at which the new record is read.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  RetryAfter: { description: 'In so many seconds it is worth another try.', schema: { type: 'integer', minimum: 0 } },
}

/** In the documents of services that ask for a token. */
export const securedHeaders: { readonly [name: string]: JsonSchema } = {
  Challenge: {
    description: 'What is wrong with the token, or that there is none, as RFC 6750 has it.',
    required: true,
    schema: { type: 'string', examples: ['Bearer realm="directory", error="invalid_token"'] },
  },
}

/** In the documents of services that let each caller make only so many requests. */
export const limitedHeaders: { readonly [name: string]: JsonSchema } = {
  RateLimit: {
    description:
      'How many requests the caller has left, and in how many seconds all of them are there again. Every answer has it.',
    schema: { type: 'string', examples: ['"default";r=42;t=1'] },
  },
  RateLimitPolicy: {
    description: 'How many requests a caller may make in how many seconds. Every answer has it.',
    schema: { type: 'string', examples: ['"default";q=100;w=1'] },
  },
}

export function parameterRef(name: string): JsonSchema {
  return { $ref: `#/components/parameters/${name}` }
}

export function headerRef(name: string): JsonSchema {
  return { $ref: `#/components/headers/${name}` }
}
