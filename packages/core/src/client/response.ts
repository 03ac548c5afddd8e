/** Reads the responses of a client: a record with its ETag, or a problem. */
import { type AnyProblem, ProblemError } from '../wire/problem-error.ts'

/** The ETags of records, as long as the records are in memory. */
const etags = new WeakMap<object, string>()

/**
 * Returns the ETag that a record was returned with, for optimistic locking with `{ etag }` in a later write.
 *
 * @example
 * ```ts
 * const api = client<typeof directory>({ baseUrl: 'https://example.com' })
 * const user = await api.user.read(7)
 * await api.user.update(7, { lastName: 'Byron' }, { etag: etagOf(user) }) // 412 if the record has changed since
 * ```
 */
export function etagOf(readRecord: object): string | undefined {
  return etags.get(readRecord)
}

/** The body of a successful response; null if it is empty. */
export function readRecord({ status, headers }: Response, request: string, text: string): unknown {
  const body = text === '' ? null : parseJson(text)
  if (body === undefined) {
    // From a proxy in front of the service, such as a login page.
    const detail = `${request} responded with ${status} and ${headers.get('content-type') ?? 'text'} that is not JSON${excerpt(text)}`
    throw new ProblemError(
      { type: 'about:blank', title: 'The response is not JSON', status, detail },
      requestIdOf(headers),
    )
  }
  const etag = headers.get('etag')
  if (etag !== null && typeof body === 'object' && body !== null) etags.set(body, etag)
  return body
}

/** The problem of an error response, with or without a problem document (RFC 9457). */
export function problemError(
  { status, statusText, headers }: Response,
  request: string,
  text: string,
): ProblemError<AnyProblem> {
  const title = statusText || `HTTP ${status}`
  const members = problemMembers(text)
  const isDescribed = 'title' in members || 'detail' in members
  const detail = `${request} responded with ${status}${statusText && ` ${statusText}`}${excerpt(text)}`
  // The status of the response wins: other services have a member `status` such as "error".
  const document = { type: 'about:blank', title, ...(!isDescribed && { detail }), ...members, status }
  return new ProblemError(document, requestIdOf(headers))
}

/** The members of a problem. Other services use numbers or lists for members that must be strings: these become strings. */
function problemMembers(text: string): { readonly [name: string]: unknown } {
  const value = parseJson(text)
  const members = value instanceof Object && !Array.isArray(value) ? Object.entries(value) : []
  const isText = /^(type|title|detail|code|hint)$/
  return Object.fromEntries(
    members
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [
        name,
        isText.test(name) && typeof member !== 'string' ? JSON.stringify(member) : member,
      ]),
  )
}

/** The first characters of an unexpected body, for a message. */
function excerpt(text: string): string {
  return text === '' || text === 'null' ? '' : `: ${text.slice(0, 80)}`
}

/** The JSON value; undefined if the body is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function requestIdOf(headers: Headers): string | undefined {
  return headers.get('x-request-id') ?? undefined
}
