/** Sends requests with fetch up to a limit, and records responses for later checks. */
import { setTimeout } from 'node:timers/promises'
import type { DocumentOperation } from '@nomen/core/openapi'
import type { Json } from '../../document/read-document.ts'
import { Fault, Skip } from '../finding.ts'
import { type CheckRequest, type CheckResponse, contentOf, targetOf } from './exchange.ts'
import { ReadLog } from './read-log.ts'

export interface SenderOptions {
  /** Without a trailing slash. */
  readonly base: string
  readonly maxRequests: number
  readonly token?: string | undefined
  /** Maximum time of a response, in milliseconds. */
  readonly timeoutMs: number
  readonly onRequest?: (count: number) => void
}

/** A request that the access log must contain. */
export interface SentRequest {
  readonly method: string
  readonly target: string
  readonly status: number
}

/** The user agent of the check in an access log. */
export const userAgent = 'nomen-check'

/** Stops after this number of consecutive requests without a response. */
const maxUnanswered = 5

/** The maximum number of retries, and the longest Retry-After that is waited for. */
const retry = { maxRetries: 3, maxSeconds: 30 }

/** The responses of an operation that are kept for later checks: their number, and their total length in characters. */
const maxObserved = { count: 120, length: 2_000_000 }

export class Sender {
  readonly #options: SenderOptions
  readonly #observed = new Map<DocumentOperation, CheckResponse[]>()
  readonly sent: SentRequest[] = []
  readonly reads = new ReadLog()
  #count = 0
  #unanswered = 0

  constructor(options: SenderOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#count
  }

  get maxRequests(): number {
    return this.#options.maxRequests
  }

  /** The first successful responses of each operation. */
  get observed(): ReadonlyMap<DocumentOperation, readonly CheckResponse[]> {
    return this.#observed
  }

  /** Throws Skip at the limit, and Fault without a response. `isUnlimited` requests ignore both limits. */
  async send(request: CheckRequest, isUnlimited = false): Promise<CheckResponse> {
    if (this.#count >= this.#options.maxRequests && !isUnlimited)
      throw new Skip(`the limit of ${this.#options.maxRequests} requests was reached`)
    if (this.#unanswered >= maxUnanswered && !isUnlimited)
      throw new Skip(`the service did not respond to the last ${maxUnanswered} requests`)
    const response = await this.#sendWithRetries(request)
    this.reads.add(response)
    if (request.operation && response.status < 300) {
      const responses = this.#observed.get(request.operation) ?? []
      const length = responses.reduce((sum, { text }) => sum + text.length, 0)
      if (responses.length < maxObserved.count && length < maxObserved.length)
        this.#observed.set(request.operation, [...responses, response])
    }
    return response
  }

  urlOf(path: string): string {
    return `${this.#options.base}${path}`
  }

  get(path: string, query: CheckRequest['query'] = [], operation?: DocumentOperation): Promise<CheckResponse> {
    return this.send({ method: 'GET', path, query, operation })
  }

  /** Waits and retries if the service responds with Retry-After. */
  async #sendWithRetries(request: CheckRequest): Promise<CheckResponse> {
    for (let attempt = 1; ; attempt++) {
      this.#count++
      this.#options.onRequest?.(this.#count)
      const response = await this.#fetch(request)
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      const isOverloaded = response.status === 429 || response.status === 503
      if (!isOverloaded || !(seconds <= retry.maxSeconds) || attempt > retry.maxRetries) return response
      await setTimeout(seconds * 1000)
    }
  }

  async #fetch(request: CheckRequest): Promise<CheckResponse> {
    const { base, token, timeoutMs } = this.#options
    const url = `${base}${targetOf(request)}`
    const { text: body, type } = contentOf(request)
    const headers = {
      accept: 'application/json, application/problem+json',
      'user-agent': userAgent,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(type && { 'content-type': type }),
      ...request.headers,
    }
    try {
      const response = await fetch(url, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      this.#unanswered = 0
      const { pathname, search } = new URL(url)
      this.sent.push({ method: request.method, target: `${pathname}${search}`, status: response.status })
      return { request, url, status: response.status, headers: response.headers, text, json: parseJson(text) }
    } catch (error) {
      this.#unanswered++
      const response = { request, url, status: 0, headers: new Headers(), text: '', json: undefined }
      throw new Fault({ expected: 'a response', actual: `no response: ${reasonOf(error)}`, response })
    }
  }
}

/** The cause of "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`
  const cause = error.cause instanceof Error ? error.cause : error
  return cause.message || ('code' in cause ? `${cause.code}` : cause.name)
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
