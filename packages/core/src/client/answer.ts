/** Reads the answers that a client gets: a record with its tag, or a problem, whoever it came from. */
import { type AnyProblem, ProblemError } from '../wire/problem-error.ts'

/** The entity tags of records that were read, for as long as anyone holds them. */
const tags = new WeakMap<object, string>()

/** The entity tag that a record came with, for `{ etag }` of a later write. */
export function etagOf(record: object): string | undefined {
  return tags.get(record)
}

/** What an answer that is well holds; null where it has no body. */
export function record({ status, headers }: Response, asked: string, text: string): unknown {
  const body = text === '' ? null : valueIn(text)
  if (body === undefined) {
    // From something before the service, such as a proxy that wants a login.
    const detail = `${asked} answered ${status} with ${headers.get('content-type') ?? 'text'} that is no JSON${begun(text)}`
    throw new ProblemError(
      { type: 'about:blank', title: 'The answer is no JSON', status, detail },
      requestIdOf(headers),
    )
  }
  const tag = headers.get('etag')
  if (tag !== null && typeof body === 'object' && body !== null) tags.set(body, tag)
  return body
}

/** What a service says of a failure, whether or not it says it as RFC 9457 has it. */
export function problem(
  { status, statusText, headers }: Response,
  asked: string,
  text: string,
): ProblemError<AnyProblem> {
  const title = statusText || `HTTP ${status}`
  const said = saidIn(text)
  const isTold = 'title' in said || 'detail' in said
  const detail = `${asked} answered ${status}${statusText && ` ${statusText}`}${begun(text)}`
  // Other services give a `status` of their own, such as "error".
  const told = { type: 'about:blank', title, ...(!isTold && { detail }), ...said, status }
  return new ProblemError(told, requestIdOf(headers))
}

/** The members of a problem. Others number their codes, or list their details: what is to be text is made so. */
function saidIn(text: string): { readonly [name: string]: unknown } {
  const value = valueIn(text)
  const members = value instanceof Object && !Array.isArray(value) ? Object.entries(value) : []
  const isText = /^(type|title|detail|code|hint)$/
  return Object.fromEntries(
    members
      .filter(([, held]) => held !== null)
      .map(([name, held]) => [name, isText.test(name) && typeof held !== 'string' ? JSON.stringify(held) : held]),
  )
}

/** The beginning of an answer that nobody foresaw. */
function begun(text: string): string {
  return text === '' || text === 'null' ? '' : `: ${text.slice(0, 80)}`
}

/** Undefined where it is no JSON. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function requestIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined
}
