/** Problems: from a problem document (RFC 9457), or from any other failed response. */
import { text } from '../../language/language.ts'
import { isObject } from './openapi.ts'

export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: string | undefined
  readonly hint: string | undefined
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[]
  readonly requestId: string | undefined
  /** The number of seconds to wait before a retry. */
  readonly retryAfter: number | undefined
}

/** A failed response, or no response (status 0). */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** `headers` are those of the response, in lower case. */
export function problemFrom(
  status: number,
  statusText: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Problem {
  const document = isObject(body) ? body : {}
  const member = (name: string) => (typeof document[name] === 'string' ? (document[name] as string) : undefined)
  const title = member('title') ?? (statusText || text().problem.status(status))
  return {
    status,
    title,
    detail: member('detail') ?? member('message') ?? text().problem.responded(status, statusText),
    code: member('code'),
    hint: member('hint'),
    errors: Array.isArray(document.errors)
      ? document.errors
          .filter(isObject)
          .map((error) => ({ ...error, detail: `${error.detail ?? error.message ?? title}` }))
      : [],
    requestId: headers['x-request-id'],
    retryAfter: secondsIn(headers['retry-after']),
  }
}

/** Reads Retry-After: a number of seconds or a date. */
function secondsIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  const detail = error instanceof Error ? error.message : `${error}`
  return {
    status: 0,
    title: text().problem.somethingWrong,
    detail,
    code: undefined,
    hint: undefined,
    errors: [],
    requestId: undefined,
    retryAfter: undefined,
  }
}

/** The errors by field; errors without a field of the form are in `others`. */
export function placed(
  problem: Problem,
  names: readonly string[],
): { readonly atField: { readonly [name: string]: string }; readonly others: readonly string[] } {
  const atField: { [name: string]: string } = {}
  const others: string[] = []
  for (const { pointer, parameter, detail } of problem.errors) {
    const name = pointer?.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? parameter
    if (name !== undefined && names.includes(name))
      atField[name] = atField[name] ? `${atField[name]} ${detail}` : detail
    else others.push(detail)
  }
  return { atField, others }
}
