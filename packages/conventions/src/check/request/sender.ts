/** Sends requests with plain fetch, at most so many of them, and remembers what the later checks look at. */
import { setTimeout } from 'node:timers/promises'
import type { DocumentOperation } from '@nomen/core/openapi'
import type { Json } from '../../document/read-document.ts'
import { Fault, Skip } from '../finding.ts'
import { type Answer, type Ask, contentOf, targetOf } from './exchange.ts'

export interface SenderOptions {
  /** No slash at the end. */
  readonly base: string
  readonly maxRequests: number
  readonly token?: string | undefined
  /** Milliseconds that one answer may take. */
  readonly timeout: number
  readonly onRequest?: (count: number) => void
}

/** What the access log must have a line of. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly status: number
}

/** By this name the requests of a check are known in an access log. */
export const userAgent = 'nomen-check'

/** After so many requests without an answer no more are sent. */
const silenceLimit = 5

/** How often, and how many seconds at most, a service that asks for time is given it. */
const waiting = { times: 3, seconds: 30 }

/** So many answers of an operation are looked at again when all is done. */
const kept = 8

export class Sender {
  readonly #options: SenderOptions
  readonly #kept = new Map<DocumentOperation, Answer[]>()
  readonly sent: Sent[] = []
  #count = 0
  #unanswered = 0

  constructor(options: SenderOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#count
  }

  /** Successful answers of each operation, the first few. */
  get observed(): ReadonlyMap<DocumentOperation, readonly Answer[]> {
    return this.#kept
  }

  /** Refused with a skip when the limit is reached; an answer that never comes is a fault. `isOwed` counts beyond it. */
  async send(ask: Ask, isOwed = false): Promise<Answer> {
    if (this.#count >= this.#options.maxRequests && !isOwed)
      throw new Skip(`the limit of ${this.#options.maxRequests} requests was reached`)
    if (this.#unanswered >= silenceLimit && !isOwed)
      throw new Skip(`the service has not answered the last ${silenceLimit} requests`)
    const answer = await this.#patiently(ask)
    if (ask.operation && answer.status < 300) {
      const answers = this.#kept.get(ask.operation) ?? []
      if (answers.length < kept) this.#kept.set(ask.operation, [...answers, answer])
    }
    return answer
  }

  urlOf(path: string): string {
    return `${this.#options.base}${path}`
  }

  get(path: string, query: Ask['query'] = [], operation?: DocumentOperation): Promise<Answer> {
    return this.send({ method: 'GET', path, query, operation })
  }

  /** A service that is asked too much may say when to come again. */
  async #patiently(ask: Ask): Promise<Answer> {
    for (let time = 1; ; time++) {
      this.#count++
      this.#options.onRequest?.(this.#count)
      const answer = await this.#fetch(ask)
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
      const isAskedTooMuch = answer.status === 429 || answer.status === 503
      if (!isAskedTooMuch || !(seconds <= waiting.seconds) || time > waiting.times) return answer
      await setTimeout(seconds * 1000)
    }
  }

  async #fetch(ask: Ask): Promise<Answer> {
    const { base, token, timeout } = this.#options
    const url = `${base}${targetOf(ask)}`
    const { text: body, type } = contentOf(ask)
    const headers = {
      accept: 'application/json, application/problem+json',
      'user-agent': userAgent,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(type && { 'content-type': type }),
      ...ask.headers,
    }
    try {
      const response = await fetch(url, {
        method: ask.method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      this.#unanswered = 0
      const { pathname, search } = new URL(url)
      this.sent.push({ method: ask.method, target: `${pathname}${search}`, status: response.status })
      return { ask, url, status: response.status, headers: response.headers, text, json: parsed(text) }
    } catch (error) {
      this.#unanswered++
      const answer = { ask, url, status: 0, headers: new Headers(), text: '', json: undefined }
      throw new Fault({ expected: 'an answer', actual: `none came: ${reasonOf(error)}`, answer })
    }
  }
}

/** What lies behind "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`
  const cause = error.cause instanceof Error ? error.cause : error
  return cause.message || ('code' in cause ? `${cause.code}` : cause.name)
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
