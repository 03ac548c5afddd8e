/** Sends the requests of a client, again where that is harmless. */
import type { AnyProblem, ProblemError } from '../wire/problem-error.ts'
import { problem, record } from './answer.ts'
import type { AnyCallOptions, ConnectionOptions } from './client-option.ts'
import { type Failure, inDoubt, isHarmless, pause, waitAfter } from './repetition.ts'

/** Sends one request, and gives the body of its answer. */
export type Connection = (method: string, path: string, call?: AnyCallOptions, body?: unknown) => Promise<unknown>

/** What a service says of the calls of its own operations, which need no URL. */
interface Internal {
  /** `fetch` takes every path as it is. */
  readonly isPathKept?: boolean
}

export function connect(options: ConnectionOptions & Internal): Connection {
  const { baseUrl, retries = 2, isPathKept = false } = options
  // Where it comes from the environment, no compiler sees that it is missing.
  if (typeof baseUrl !== 'string')
    throw new Error(
      `A client needs the address of its service, and baseUrl is ${baseUrl}. Say { baseUrl: 'https://…' }.`,
    )
  const root = baseUrl.replace(/\/+$/, '')
  const agent = options.userAgent ?? ownName()
  return async (method, path, call = {}, body) => {
    const { signal } = call
    // Every fetch takes such segments out of a path, encoded or not: another record, or the whole list, would be meant.
    if (!isPathKept && /\/\.{0,2}(?=[/?]|$)/.test(path))
      throw new Error(`The path ${path} leads elsewhere: an id or a value in it is "", "." or "..". Check it before.`)
    let isOpen = false
    for (let repeated = 0; ; repeated++) {
      // Anew for each try, as a token may have run out meanwhile.
      const headers = await headersOf(options, call, body, agent)
      signal?.throwIfAborted()
      const request = {
        method,
        headers,
        ...(signal && { signal }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      // Looked up when it is needed: mocks may have taken its place since.
      const { fetch = globalThis.fetch } = options
      const tried = await send(fetch, root + path, request)
      if ('value' in tried) return tried.value
      const wait = repeated < retries && isHarmless(method, headers) ? waitAfter(tried, repeated) : undefined
      if (wait === undefined) throw isOpen ? inDoubt(tried.error, method) : tried.error
      isOpen ||= tried.isOpen
      await pause(wait, signal)
    }
  }
}

/** What is said last counts: by the client, then by the call. */
async function headersOf(
  { headers: given }: ConnectionOptions,
  call: AnyCallOptions,
  body: unknown,
  agent: string | undefined,
): Promise<Headers> {
  const headers = new Headers({ accept: 'application/json' })
  // One by one, as names that differ in case only are one header.
  for (const some of [typeof given === 'function' ? await given() : given, call.headers])
    for (const [name, value] of Object.entries(some ?? {})) headers.set(name, value)
  if (agent !== undefined && !headers.has('user-agent')) headers.set('user-agent', agent)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (call.etag !== undefined) headers.set('if-match', call.etag)
  if (call.requestId !== undefined) headers.set('x-request-id', call.requestId)
  if (call.transactionId !== undefined) headers.set('x-transaction-id', call.transactionId)
  if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey)
  return headers
}

/** One try. Whoever aborts it gets the reason given, as it is. */
async function send(
  fetch: NonNullable<ConnectionOptions['fetch']>,
  url: string,
  request: RequestInit & { readonly method: string },
): Promise<{ readonly value: unknown } | Failure> {
  const asked = `${request.method} ${url}`
  let lost = `${asked} got no answer`
  try {
    const response = await fetch(url, request)
    lost = `The answer ${response.status} to ${asked} broke off`
    const text = await response.text()
    if (response.ok) return { value: record(response, asked, text) }
    return refused(response, problem(response, asked, text))
  } catch (error) {
    if (request.signal?.aborted || (error as Error).name !== 'TypeError') throw error
    return lostConnection(lost, error as Error)
  }
}

function refused({ status, headers }: Response, error: ProblemError<AnyProblem>): Failure {
  const isBusy = status === 429 || status === 503
  return {
    error,
    // A list that takes too long would only take as long again.
    isPassing: isBusy && error.code !== 'too-expensive',
    isOpen: status === 503,
    retryAfter: headers.get('retry-after'),
  }
}

/** A fetch says no more than that it failed; why is in the cause under Node, and nowhere in a browser. */
function lostConnection(what: string, cause: Error): Failure {
  const { message, code } = (cause.cause ?? {}) as { readonly message?: string; readonly code?: string }
  return {
    error: new TypeError(`${what}: ${message || code || cause.message}`, { cause }),
    // An address that is none stays so, and who has waited for minutes is not to wait for as long again.
    isPassing: !/INVALID_URL|(HEADERS|BODY)_TIMEOUT/.test(code ?? ''),
    isOpen: true,
  }
}

/** Under Node, the application as npm knows it; a browser names itself. */
function ownName(): string | undefined {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; env?: { [name: string]: string | undefined } }
  }
  if (!process?.versions?.node) return undefined
  const { npm_package_name: name = 'nomen-client', npm_package_version: version = '0' } = process.env ?? {}
  // A slash stands between product and version, so that the scope of a package is part of its name.
  return `${name.replace(/^@/, '').replaceAll('/', '-')}/${version}`
}
