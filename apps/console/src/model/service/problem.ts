/** Problems: from a problem document (RFC 9457), or from any other failed response. */
import { text } from '../../language/language.ts'
import { isObject } from './openapi.ts'
import { responseText } from './response-text.ts'

interface ProblemDetail {
  readonly pointer?: string
  readonly parameter?: string
  readonly detail: string
}

export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly code: string | undefined
  readonly hint: string | undefined
  readonly errors: readonly ProblemDetail[]
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
    detail: member('detail') ?? responseText(body) ?? text().problem.responded(status, statusText),
    code: member('code'),
    hint: member('hint'),
    errors: Array.isArray(document.errors) ? document.errors.flatMap((error) => errorFrom(error, title)) : [],
    requestId: headers['x-request-id'],
    retryAfter: retrySeconds(headers['retry-after']),
  }
}

/** Another service may have anything here. */
function errorFrom(error: unknown, title: string): ProblemDetail | [] {
  if (typeof error === 'string') return { detail: error }
  if (!isObject(error)) return []
  const { pointer, parameter, detail, message } = error
  return {
    ...(typeof pointer === 'string' && { pointer }),
    ...(typeof parameter === 'string' && { parameter }),
    detail: [detail, message].find((part) => typeof part === 'string') ?? title,
  }
}

/** Reads Retry-After: a number of seconds or a date. */
function retrySeconds(header: string | undefined): number | undefined {
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

/** Whether the same request may succeed later: no response, too many requests, or an error of the service. */
export function isTransient(error: unknown): boolean {
  const { status } = problemOf(error)
  return status === 0 || status === 429 || status >= 500
}

type TitledField = { readonly name: string; readonly title: string }

/** The errors by field, as sentences; errors without a field of the form are in `others`. */
export function withLocation(
  problem: Problem,
  fields: readonly TitledField[],
): { readonly atField: { readonly [name: string]: string }; readonly others: readonly string[] } {
  const atField: { [name: string]: string } = {}
  const others: string[] = []
  for (const error of problem.errors) {
    const field = fieldOfError(error, fields)
    if (!field) {
      others.push(error.detail)
      continue
    }
    const sentence = errorSentence(field, error.detail)
    atField[field.name] = atField[field.name] ? `${atField[field.name]} ${sentence}` : sentence
  }
  return { atField, others }
}

function fieldOfError({ pointer, parameter }: ProblemDetail, fields: readonly TitledField[]): TitledField | undefined {
  const name = pointer?.split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~') ?? parameter
  return fields.find((field) => field.name === name)
}

/** Details such as `must be an integer` continue the name of the field. */
function errorSentence({ title }: TitledField, detail: string): string {
  if (/^is missing\.?$/.test(detail)) return text().record.required(title)
  return /^(must|is|has|may|cannot) /.test(detail) ? `${title} ${detail.replace(/\.?$/, '.')}` : detail
}

/** All errors of a problem in one text, each with its field; the detail if there are none. */
export function errorText(problem: Problem, fields: readonly TitledField[]): string {
  if (problem.errors.length === 0) return problem.detail
  const sentences = problem.errors.map((error) => {
    const field = fieldOfError(error, fields)
    if (!field) return [error.pointer, error.detail].filter(Boolean).join(' ')
    const sentence = errorSentence(field, error.detail)
    return sentence.startsWith(field.title) ? sentence : `${field.title}: ${sentence}`
  })
  return [...new Set(sentences)].join(' ')
}
