/** The error responses of an operation, as references to components that are named by status. */
import type { JsonSchema } from '../../field/schema.ts'
import type { Operation } from '../../operation/operation.ts'
import { followProblems, historyProblems } from '../../operation/problem.ts'
import { type ProblemCode, problems } from '../../wire/problem.ts'
import type { DocumentComponents } from '../document-components.ts'
import { capitalize, customNames } from '../name.ts'
import { problemResponses } from './problem-response.ts'

/** The error responses by status. Operations with the same problems share them. */
export function errorResponses(
  operation: Operation,
  { responses }: DocumentComponents,
  sharedProblems: readonly ProblemCode[],
): JsonSchema {
  const { problems: operationProblems, custom } = operation
  return Object.fromEntries(
    problemResponses(operationProblems, sharedProblems).map(({ status, response }) => {
      const ownCodes = operationProblems.filter((code) => problems[code][0] === status)
      const phrase = phrases[status] ?? `Status${status}`
      const names = [
        ...(hasStatusName(operation, status, ownCodes) ? [phrase] : []),
        ...prefixesOf(operation, status).map((prefix) => prefix + phrase),
        ...(custom ? customNames(operation, phrase) : []),
      ]
      return [status, responses.referToSame(names, response)]
    }),
  )
}

/** Whether a response has the name of its status alone: problems of every request, or the usual problem of the status. */
function hasStatusName({ deprecation }: Operation, status: number, ownCodes: readonly ProblemCode[]): boolean {
  if (ownCodes.length === 0) return !(deprecation?.gone && status === 400)
  return ownCodes.length === 1 && commonProblems.includes(ownCodes[0] as ProblemCode)
}

const commonProblems: readonly ProblemCode[] = [
  'unknown-parameter',
  'record-not-found',
  'gone',
  'precondition-failed',
  'precondition-required',
  'body-too-large',
  'unsupported-media-type',
]

/** Name prefixes that distinguish the problems of an operation from those of others with the same status. */
function prefixesOf(operation: Operation, status: number): readonly string[] {
  const { kind, levels, requiresIfMatch, deprecation, at, list } = operation
  const has = (codes: readonly ProblemCode[]) => codes.some((code) => problems[code][0] === status)
  const topic = at && has(historyProblems) ? 'History' : list?.canBeFollowed && has(followProblems) ? 'Change' : ''
  const ending = `${topic}${groupOf(kind, status)}`
  const nested = levels.length > 1 ? 'Nested' : ''
  const conditional = requiresIfMatch ? 'Conditional' : ''
  return [
    // A removed endpoint does not read its request, so it has no other problems.
    ...(deprecation?.gone ? ['Removed'] : []),
    ending,
    `${topic}${capitalize(kind)}`,
    `${nested}${ending}`,
    `${nested}${conditional}${ending}`,
    `${nested}${conditional}${topic}${capitalize(kind)}`,
  ]
}

/** Kinds of operations that mostly have the same problems. */
function groupOf(kind: Operation['kind'], status: number): string {
  if (kind === 'lookup') return 'Read'
  if (kind === 'replace' || kind === 'update' || (kind === 'create' && status === 409)) return 'Write'
  return capitalize(kind)
}

/** The names of statuses, as in RFC 9110. */
const phrases: { readonly [status: number]: string } = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}
