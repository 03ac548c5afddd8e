/** What went wrong, as the service told it (RFC 9457) or as far as its answer says anything. */
import { isObject } from './openapi.ts'

export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: string | undefined
  readonly hint: string | undefined
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[]
  readonly requestId: string | undefined
  /** After so many seconds it is worth another try. */
  readonly retryAfter: number | undefined
}

/** An answer that is none of success, or none at all (status 0). */
export class ProblemAnswer extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** `headers` are those of the answer, in small letters. */
export function problemFrom(
  status: number,
  statusText: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Problem {
  const told = isObject(body) ? body : {}
  const text = (name: string) => (typeof told[name] === 'string' ? (told[name] as string) : undefined)
  const title = text('title') ?? (statusText || `Status ${status}`)
  return {
    status,
    title,
    detail: text('detail') ?? text('message') ?? `The service answered ${status} ${statusText}`.trim(),
    code: text('code'),
    hint: text('hint'),
    errors: Array.isArray(told.errors)
      ? told.errors.filter(isObject).map((one) => ({ ...one, detail: `${one.detail ?? one.message ?? title}` }))
      : [],
    requestId: headers['x-request-id'],
    retryAfter: secondsIn(headers['retry-after']),
  }
}

/** So many seconds, or a moment. */
function secondsIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemAnswer) return error.problem
  const detail = error instanceof Error ? error.message : `${error}`
  return {
    status: 0,
    title: 'Something went wrong here',
    detail,
    code: undefined,
    hint: undefined,
    errors: [],
    requestId: undefined,
    retryAfter: undefined,
  }
}

/** Each fault by the field it stands at; what stands at none of them, or at one that the form lacks, is told apart. */
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
