/** Problems in an OpenAPI document: one schema, and a response with the codes for each status of an operation. */
import type { JsonSchema } from '../../field/schema.ts'
import { type ProblemCode, problem, problems } from '../../wire/problem.ts'
import { headerRef } from '../shared.ts'

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'A problem document (RFC 9457). Programs should decide by the code.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'The reason, with the received value.' },
    code: { type: 'string', enum: Object.keys(problems) },
    hint: { type: 'string', description: 'Advice on how to fix it.' },
    errors: {
      type: 'array',
      description: 'The error of each invalid property or parameter.',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: { type: 'string', format: 'json-pointer', description: 'The position in the body.' },
          parameter: { type: 'string', description: 'The query parameter.' },
          detail: { type: 'string' },
        },
      },
    },
  },
}

/** Problems of every request. */
const generalProblems: readonly ProblemCode[] = [
  'malformed-url',
  'bad-request',
  'internal',
  'unavailable',
  'overloaded',
]

/** Problems of every request if callers need a token. */
export const tokenProblems: readonly ProblemCode[] = [
  'token-required',
  'invalid-token',
  'insufficient-scope',
  'invalid-header',
]

/** Problems of every request if there is a rate limit. */
export const rateLimitProblems: readonly ProblemCode[] = ['too-many-requests']

/** Problems of every write if callers need no token. */
export const crossSiteProblems: readonly ProblemCode[] = ['cross-site-request']

/** The error responses of an operation by status: its own problems, and those of every request. */
export function problemResponses(
  operationProblems: readonly ProblemCode[],
  sharedProblems: readonly ProblemCode[],
): readonly { readonly status: number; readonly response: JsonSchema }[] {
  const isLimited = sharedProblems.includes('too-many-requests')
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set([...operationProblems, ...sharedProblems, ...generalProblems])) {
    const [status] = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return sorted.map(([status, codes]) => ({ status, response: responseOf(status, codes, isLimited) }))
}

function responseOf(status: number, codes: readonly ProblemCode[], isLimited: boolean): JsonSchema {
  const titles = codes.map((code) => `${problems[code][1]} (\`${code}\`).`)
  const [first] = codes as [ProblemCode]
  return {
    description: titles.join(' '),
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...((status === 401 || codes.every((code) => code === 'insufficient-scope')) && {
        'WWW-Authenticate': headerRef('Challenge'),
      }),
      ...((status === 503 || (status === 429 && isLimited)) && { 'Retry-After': headerRef('RetryAfter') }),
      ...(status === 429 &&
        isLimited && { RateLimit: headerRef('RateLimit'), 'RateLimit-Policy': headerRef('RateLimitPolicy') }),
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        example: problem(first, { detail: `${problems[first][1]}.` }),
      },
    },
  }
}
