/** Sends all requests of the console, and records requests and responses for the request panel. */

import { text } from '../language/language.ts'
import { Listeners } from '../listeners.ts'
import type { SentRequest } from '../model/request-text.ts'
import { ProblemError, problemFrom } from '../model/service/problem.ts'
import { notSendable, redirected, unreachable, urlOutsideBase } from './failure.ts'
import { bindTokens, type TokenBinding } from './sign-in/token-binding.ts'

export interface Request {
  readonly base: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: URLSearchParams | string | undefined
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
  /** Not caused by the user: the request panel does not show it, and a 401 does not ask the user to sign in. */
  readonly isBackground?: boolean
}

export interface ApiResponse {
  readonly status: number
  readonly body: unknown
  readonly etag: string | undefined
  readonly headers: { readonly [name: string]: string }
}

/** One request with its response. */
export interface Exchange extends SentRequest {
  readonly id: number
  readonly at: number
  /** 0 without a response. */
  readonly status: number
  readonly statusText: string
  /** In milliseconds. */
  readonly durationMs: number
  readonly responseHeaders: { readonly [name: string]: string }
  readonly responseBody: unknown
}

/** A request that the service rejected with 401. */
interface UnauthorizedRequest {
  readonly base: string
  readonly token: string | undefined
}

/** The maximum number of recorded requests. */
const maxExchanges = 200

export class HttpClient {
  #exchanges: readonly Exchange[] = []
  #number = 0
  readonly #listeners = new Listeners()
  /** The token binding of a base URL. */
  readonly bindingOf: (base: string) => TokenBinding
  /** Called before every request, so that the token is current. */
  readonly #token: (binding: TokenBinding) => Promise<string | undefined>
  readonly #referrer: string | undefined
  #onUnauthorized: ((request: UnauthorizedRequest) => void) | undefined
  /** Called before a write that the user caused. */
  onWrite: () => void = () => {}
  /** An unauthorized request before the listener was set. */
  #earlyUnauthorized: UnauthorizedRequest | undefined

  constructor(
    bindingOf = bindTokens([], true),
    token: (binding: TokenBinding) => Promise<string | undefined> = async () => undefined,
    referrer?: string,
  ) {
    this.bindingOf = bindingOf
    this.#token = token
    this.#referrer = referrer
  }

  /** The recorded requests, newest first. */
  readonly exchanges = (): readonly Exchange[] => this.#exchanges

  /** The number of recorded requests. */
  readonly requestCount = (): number => this.#exchanges.length

  readonly subscribe = this.#listeners.subscribe

  /** Receives unauthorized requests, including one before it was set. */
  set onUnauthorized(listener: (request: UnauthorizedRequest) => void) {
    this.#onUnauthorized = listener
    if (this.#earlyUnauthorized) listener(this.#earlyUnauthorized)
    this.#earlyUnauthorized = undefined
  }

  /** Sends a request and returns the response. Throws a problem for every other status than success. */
  async send(options: Request): Promise<ApiResponse> {
    const { base, method, path, query = '', body, headers = {}, signal, isBackground = false } = options
    const url = urlBelow(base, `${path}${query && `?${query}`}`)
    if (method !== 'GET' && !isBackground) this.onWrite()
    const token = await this.#token(this.bindingOf(base))
    const allHeaders = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const sent: SentRequest = { base, method, path, query: `${query}`, headers: allHeaders, body }
    const startedAt = performance.now()
    const request = requestTo(url, {
      method,
      headers: allHeaders,
      ...(this.#referrer !== undefined && { referrer: this.#referrer }),
      // A token must not follow a redirect.
      ...(token !== undefined && { redirect: 'manual' }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    try {
      const response = await fetch(request)
      if (response.type === 'opaqueredirect') throw new ProblemError(redirected(url))
      const apiResponse = await readResponse(response)
      if (!isBackground) this.#record(sent, startedAt, response, apiResponse)
      if (response.status === 401 && !isBackground) this.#reportUnauthorized({ base, token })
      if (!response.ok)
        throw new ProblemError(problemFrom(response.status, response.statusText, apiResponse.body, apiResponse.headers))
      return apiResponse
    } catch (error) {
      if (error instanceof ProblemError || signal?.aborted) throw error
      if (!isBackground) this.#record(sent, startedAt)
      throw new ProblemError(unreachable(base, error))
    }
  }

  #reportUnauthorized(request: UnauthorizedRequest): void {
    if (this.#onUnauthorized) this.#onUnauthorized(request)
    else this.#earlyUnauthorized = request
  }

  #record(sent: SentRequest, startedAt: number, response?: Response, apiResponse?: ApiResponse): void {
    const exchange = {
      ...sent,
      id: ++this.#number,
      at: Date.now(),
      status: response?.status ?? 0,
      statusText: response?.statusText ?? text().problem.unreachable,
      durationMs: performance.now() - startedAt,
      responseHeaders: apiResponse?.headers ?? {},
      responseBody: apiResponse?.body,
    }
    this.#exchanges = [exchange, ...this.#exchanges].slice(0, maxExchanges)
    this.#listeners.notify()
  }

  readonly clear = (): void => {
    this.#exchanges = []
    this.#listeners.notify()
  }
}

/** Paths come from documents and links: they must not lead out of the base. */
function urlBelow(base: string, target: string): string {
  const url = URL.parse(`${base}${target}`)
  const root = new URL(`${base}/`)
  if (url?.origin !== root.origin || !url.pathname.startsWith(root.pathname))
    throw new ProblemError(urlOutsideBase(`${base}${target}`, base))
  return url.href
}

/** A header may have characters that cannot be sent. */
function requestTo(url: string, init: RequestInit): globalThis.Request {
  try {
    return new globalThis.Request(url, init)
  } catch (error) {
    throw new ProblemError(notSendable(url, error))
  }
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const body = parseBody(await response.text())
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, body, etag: headers.etag, headers }
}

function parseBody(body: string): unknown {
  if (body === '') return null
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
