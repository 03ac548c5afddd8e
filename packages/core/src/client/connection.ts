/** Sends the requests of a client, with retries. */
import type { AnyProblem, ProblemError } from '../wire/problem-error.ts'
import type { AnyCallOptions, ConnectionOptions } from './option.ts'
import { problemError, readRecord } from './response.ts'
import { type Failure, isRetryable, pause, retryDelayMs, withRetryHint } from './retry.ts'

/** Sends a request and returns the body of the response. */
export type Connection = (method: string, path: string, call?: AnyCallOptions, body?: unknown) => Promise<unknown>

/** Opens an event stream after the event with this ID. Either signal aborts it. */
export type OpenStream = (
  path: string,
  call: AnyCallOptions,
  lastEventId: string | undefined,
  signal: AbortSignal,
) => Promise<Response | Failure>

/** Options for calls within a service, which need no URL. */
interface InternalOptions {
  /** Whether `fetch` sends the path unchanged. */
  readonly isPathKept?: boolean
}

export function connect(options: ConnectionOptions & InternalOptions): Connection {
  const { retries = 2, isPathKept = false } = options
  const root = rootOf(options)
  const agent = options.userAgent ?? defaultUserAgent()
  return async (method, path, call = {}, body) => {
    const { signal } = call
    if (!isPathKept) checkPath(path)
    let mayHaveRun = false
    for (let retriesDone = 0; ; retriesDone++) {
      // For each attempt, because a token may have expired meanwhile.
      const headers = await headersOf(options, call, body, agent)
      const request = {
        method,
        headers,
        ...(signal && { signal }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }
      const attempt = await send(options, root + path, request, readValue)
      if ('value' in attempt) return attempt.value
      const waitMs =
        retriesDone < retries && isRetryable(method, headers) ? retryDelayMs(attempt, retriesDone) : undefined
      if (waitMs === undefined) throw mayHaveRun ? withRetryHint(attempt.error, method) : attempt.error
      mayHaveRun ||= attempt.mayHaveRun
      await pause(waitMs, signal)
    }
  }
}

/** Opens event streams with the options of a client. */
export function connectStreams(options: ConnectionOptions): OpenStream {
  const root = rootOf(options)
  const agent = options.userAgent ?? defaultUserAgent()
  return async (path, call, lastEventId, signal) => {
    checkPath(path)
    const headers = await headersOf(options, call, undefined, agent)
    headers.set('accept', 'text/event-stream')
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId)
    const anySignal = call.signal ? AbortSignal.any([call.signal, signal]) : signal
    return send(options, root + path, { method: 'GET', headers, signal: anySignal }, readStream)
  }
}

async function readValue(response: Response, requestLine: string): Promise<{ readonly value: unknown }> {
  return { value: readRecord(response, requestLine, await response.text()) }
}

async function readStream(response: Response, requestLine: string): Promise<Response | Failure> {
  const type = response.headers.get('content-type')
  if (type?.startsWith('text/event-stream')) return response
  await response.body?.cancel()
  return notStreamed(requestLine, type)
}

function rootOf({ baseUrl }: ConnectionOptions): string {
  // The compiler cannot check a value from the environment.
  if (typeof baseUrl !== 'string')
    throw new Error(
      `The client option baseUrl must be the URL of the service, not ${baseUrl}. Write { baseUrl: 'https://…' }.`,
    )
  return baseUrl.replace(/\/+$/, '')
}

/**
 * fetch normalizes such segments: the request would go to another record or to the whole list. It normalizes `%2e` too, but
 * `encodeURIComponent` never writes it.
 */
function checkPath(path: string): void {
  if (/\/\.{0,2}(?=[/?]|$)/.test(path))
    throw new Error(`The path ${path} is invalid: an ID or a value in it is "", "." or "..". Check it before the call.`)
}

/** The headers of a request. Those of the call override those of the client. */
async function headersOf(
  { headers: common }: ConnectionOptions,
  call: AnyCallOptions,
  body: unknown,
  agent: string | undefined,
): Promise<Headers> {
  const headers = new Headers({ accept: 'application/json' })
  // One by one, because header names are case-insensitive.
  for (const source of [typeof common === 'function' ? await common() : common, call.headers])
    for (const [name, value] of Object.entries(source ?? {})) headers.set(name, value)
  if (agent !== undefined && !headers.has('user-agent')) headers.set('user-agent', agent)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (call.etag !== undefined) headers.set('if-match', call.etag)
  if (call.requestId !== undefined) headers.set('x-request-id', call.requestId)
  if (call.transactionId !== undefined) headers.set('x-transaction-id', call.transactionId)
  if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey)
  return headers
}

/** Sends one attempt, and reads a successful response with `read`. An abort rejects with the reason of the signal. */
async function send<Result>(
  // Looked up for each attempt, because mocks may have replaced it.
  { fetch = globalThis.fetch }: ConnectionOptions,
  url: string,
  request: RequestInit & { readonly method: string },
  read: (response: Response, requestLine: string) => Promise<Result>,
): Promise<Result | Failure> {
  const { method, signal } = request
  signal?.throwIfAborted()
  const requestLine = `${method} ${url}`
  let failure = `${requestLine} got no response`
  try {
    const response = await fetch(url, request)
    failure = `The response ${response.status} to ${requestLine} was cut off`
    if (response.ok) return await read(response, requestLine)
    return rejection(response, problemError(response, requestLine, await response.text()))
  } catch (error) {
    if (signal?.aborted || (error as Error).name !== 'TypeError') throw error
    return lostConnection(failure, error as Error)
  }
}

function rejection({ status, headers }: Response, error: ProblemError<AnyProblem>): Failure {
  const isBusy = status === 429 || status === 503
  return {
    error,
    // A list that timed out would time out again.
    isTransient: isBusy && error.code !== 'too-expensive',
    mayHaveRun: status === 503,
    retryAfter: headers.get('retry-after'),
  }
}

/** For example, the page of a proxy. A retry would not help. */
function notStreamed(requestLine: string, type: string | null): Failure {
  const error = new Error(
    `The response to ${requestLine} has the Content-Type ${type ?? 'null'}, not text/event-stream. Check the URL, and proxies in between.`,
  )
  return { error, isTransient: false, mayHaveRun: false }
}

/** The error of a failed fetch. Node.js has the reason in its cause, a browser has none. */
function lostConnection(failure: string, cause: Error): Failure {
  const { message, code } = (cause.cause ?? {}) as { readonly message?: string; readonly code?: string }
  return {
    error: new TypeError(`${failure}: ${message || code || cause.message}`, { cause }),
    // An invalid URL stays invalid, and a caller that waited for minutes must not wait again.
    isTransient: !/INVALID_URL|(HEADERS|BODY)_TIMEOUT/.test(code ?? ''),
    mayHaveRun: true,
  }
}

/** The User-Agent of the npm package in Node.js; a browser has its own. */
function defaultUserAgent(): string | undefined {
  const { process } = globalThis as {
    process?: { versions?: { node?: string }; env?: { [name: string]: string | undefined } }
  }
  if (!process?.versions?.node) return undefined
  const { npm_package_name: name = 'nomen-client', npm_package_version: version = '0' } = process.env ?? {}
  // A slash separates product and version, so the slash of a package scope becomes a hyphen.
  return `${name.replace(/^@/, '').replaceAll('/', '-')}/${version}`
}
