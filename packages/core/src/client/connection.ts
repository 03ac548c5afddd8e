/** Sends the requests of a client, again where that is harmless, and reads the answers. */
import { type AnyProblem, ProblemError } from '../problem-error.ts'
import type { CallOptions, ConnectionOptions } from './client-type.ts'

/** Sends one request, and gives the body of its answer. */
export type Connection = (method: string, path: string, call?: CallOptions, body?: unknown) => Promise<unknown>

/** The wait before the first repetition, and the longest that an answer may ask for, in milliseconds. */
const firstWait = 200
const longestWait = 60_000

/** The entity tags of records that were read, for as long as anyone holds them. */
const tags = new WeakMap<object, string>()

/** The entity tag that a record came with, for `{ etag }` of a later write. */
export function etagOf(record: object): string | undefined {
  return tags.get(record)
}

export function connect(options: ConnectionOptions): Connection {
  const { baseUrl, retries = 2 } = options
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
    if (/\/\.{0,2}(?=[/?]|$)/.test(path))
      throw new Error(`The path ${path} leads elsewhere: an id or a value in it is "", "." or "..". Check it before.`)
    // Looked up when it is needed: mocks may have taken its place since.
    const { fetch = globalThis.fetch } = options
    const given = typeof options.headers === 'function' ? await options.headers() : options.headers
    const headers = new Headers({ accept: 'application/json' })
    // One by one, as names that differ in case only are one header: what is said last counts.
    for (const some of [given, call.headers])
      for (const [name, value] of Object.entries(some ?? {})) headers.set(name, value)
    if (agent !== undefined && !headers.has('user-agent')) headers.set('user-agent', agent)
    if (body !== undefined) headers.set('content-type', 'application/json')
    if (call.etag !== undefined) headers.set('if-match', call.etag)
    if (call.requestId !== undefined) headers.set('x-request-id', call.requestId)
    if (call.transactionId !== undefined) headers.set('x-transaction-id', call.transactionId)
    if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey)
    const request = {
      method,
      headers,
      ...(signal && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    // A write with a key is done once, however often it is sent.
    const isSafe = method === 'GET' || call.idempotencyKey !== undefined
    for (let repeated = 0; ; repeated++) {
      const asked = `${method} ${root}${path}`
      const response = await fetch(root + path, request).catch(lost(`${asked} got no answer`, signal))
      const text = await response.text().catch(lost(`The answer ${response.status} to ${asked} broke off`, signal))
      if (response.ok) return record(response, asked, text)
      const failed = problem(response, asked, text)
      const isBusy = response.status === 429 || response.status === 503
      // A list that takes too long would only take as long again.
      if (!isSafe || !isBusy || repeated >= retries || failed.code === 'too-expensive') throw failed
      await pause(waitFor(response, repeated), signal)
    }
  }
}

/** A fetch says no more than that it failed; why is in the cause under Node, and nowhere in a browser. */
function lost(what: string, signal?: AbortSignal): (error: Error) => never {
  return (error) => {
    // Whoever aborts a call gets the reason given, as it is.
    if (signal?.aborted || error.name !== 'TypeError') throw error
    const { message, code } = (error.cause ?? {}) as { readonly message?: string; readonly code?: string }
    throw new TypeError(`${what}: ${message || code || error.message}`, { cause: error })
  }
}

function record({ status, headers }: Response, asked: string, text: string): unknown {
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
function problem({ status, statusText, headers }: Response, asked: string, text: string): ProblemError<AnyProblem> {
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

/** What the answer asks for, or a time that grows, and is not the same for all who wait. */
function waitFor({ headers }: Response, repeated: number): number {
  const asked = headers.get('retry-after')
  const own = firstWait * 2 ** repeated * (0.5 + Math.random() / 2)
  if (asked === null) return own
  const time = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()
  return Math.min(Math.max(time || 0, own), longestWait)
}

function pause(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, time)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
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
