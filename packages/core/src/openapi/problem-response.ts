/** Problems in a document: one schema, and a response for each status of an operation with its codes. */
import type { JsonSchema } from '../field/schema.ts'
import { type ProblemCode, problem, problems } from '../wire/problem.ts'
import { headerRef } from './shared.ts'

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong, as RFC 9457 has it. Programs decide by the code.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What happened, with the real value.' },
    code: { type: 'string', enum: Object.keys(problems) },
    hint: { type: 'string', description: 'What to do.' },
    errors: {
      type: 'array',
      description: 'Each fault by its place.',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          pointer: { type: 'string', format: 'json-pointer', description: 'Its place in the body.' },
          parameter: { type: 'string', description: 'The query parameter.' },
          detail: { type: 'string' },
        },
      },
    },
  },
}

/** What may happen to every request, whatever it asks for. */
const always: readonly ProblemCode[] = ['malformed-url', 'bad-request', 'internal', 'unavailable', 'overloaded']

/** What may happen to every request where callers must show a token. */
export const secured: readonly ProblemCode[] = [
  'token-required',
  'invalid-token',
  'insufficient-scope',
  'invalid-header',
]

/** What may happen to every request where callers may make only so many. */
export const limited: readonly ProblemCode[] = ['too-many-requests']

/** What may happen to every request that changes something, where callers need no token. */
export const unsecured: readonly ProblemCode[] = ['cross-site-request']

/** The responses of an operation's own problems, and of what the service may refuse any request with, by status. */
export function problemResponses(
  own: readonly ProblemCode[],
  refusals: readonly ProblemCode[],
): { readonly [status: string]: JsonSchema } {
  const isLimited = refusals.includes('too-many-requests')
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of new Set([...own, ...refusals, ...always])) {
    const [status] = problems[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const sorted = [...byStatus].sort(([one], [other]) => one - other)
  return Object.fromEntries(sorted.map(([status, all]) => [`${status}`, responseOf(status, all, isLimited)]))
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
          allOf: [{ $ref: '#/components/schemas/Problem' }, { type: 'object', properties: { code: { enum: codes } } }],
        },
        example: problem(first, { detail: `${problems[first][1]}.` }),
      },
    },
  }
}
