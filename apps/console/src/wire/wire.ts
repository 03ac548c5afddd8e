/** Sends every request of the console, and remembers what was sent and what came back: the request panel shows it. */

import type { Sent } from '../model/request-text.ts'
import { type Problem, ProblemAnswer, problemFrom } from '../model/service/problem.ts'
import { bindTokens, type TokenBinding } from './token-binding.ts'

export interface Request {
  readonly base: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: URLSearchParams | string | undefined
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly etag: string | undefined
  readonly headers: { readonly [name: string]: string }
}

/** One request with its answer. */
export interface Exchange extends Sent {
  readonly id: number
  readonly at: number
  /** 0 where no answer came. */
  readonly status: number
  readonly statusText: string
  /** In milliseconds. */
  readonly duration: number
  readonly answerHeaders: { readonly [name: string]: string }
  readonly answerBody: unknown
}

/** A request that the service did not answer because of who asked. */
export interface Refusal {
  readonly base: string
  readonly token: string | undefined
}

/** So many are remembered. */
const most = 200

export class Wire {
  #exchanges: readonly Exchange[] = []
  #number = 0
  readonly #listeners = new Set<() => void>()
  /** What a token for this base is bound to. */
  readonly bindingOf: (base: string) => TokenBinding
  /** Asked before every request, so that a token is always the present one. */
  readonly #token: (binding: TokenBinding) => Promise<string | undefined>
  #onUnauthorized: ((refusal: Refusal) => void) | undefined
  /** The service wanted to know who asks before anyone listened. */
  #unheard: Refusal | undefined

  constructor(
    bindingOf = bindTokens([], true),
    token: (binding: TokenBinding) => Promise<string | undefined> = async () => undefined,
  ) {
    this.bindingOf = bindingOf
    this.#token = token
  }

  /** The newest first. */
  readonly exchanges = (): readonly Exchange[] => this.#exchanges

  /** How many are remembered. */
  readonly made = (): number => this.#exchanges.length

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whom to tell when the service wants to know who asks, also of what was refused before. */
  set onUnauthorized(listener: (refusal: Refusal) => void) {
    this.#onUnauthorized = listener
    if (this.#unheard) listener(this.#unheard)
    this.#unheard = undefined
  }

  /** Sends, and gives the answer; everything but success is thrown as the problem that it is. */
  async send({ base, method, path, query = '', body, headers = {}, signal }: Request): Promise<Answer> {
    const url = urlBelow(base, `${path}${query && `?${query}`}`)
    const token = await this.#token(this.bindingOf(base))
    const all = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const sent: Sent = { base, method, path, query: `${query}`, headers: all, body }
    const begin = performance.now()
    const request = new globalThis.Request(url, {
      method,
      headers: all,
      // A token goes where it was sent to, and no further.
      ...(token !== undefined && { redirect: 'manual' }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    try {
      const response = await fetch(request)
      if (response.type === 'opaqueredirect') throw new ProblemAnswer(redirected(url))
      const answer = await read(response)
      this.#remember(sent, begin, response, answer)
      if (response.status === 401) this.#refused({ base, token })
      if (!response.ok)
        throw new ProblemAnswer(problemFrom(response.status, response.statusText, answer.body, answer.headers))
      return answer
    } catch (error) {
      if (error instanceof ProblemAnswer || signal?.aborted) throw error
      this.#remember(sent, begin)
      throw new ProblemAnswer(unreachable(base, error))
    }
  }

  #refused(refusal: Refusal): void {
    if (this.#onUnauthorized) this.#onUnauthorized(refusal)
    else this.#unheard = refusal
  }

  #remember(sent: Sent, begin: number, response?: Response, answer?: Answer): void {
    const exchange = {
      ...sent,
      id: ++this.#number,
      at: Date.now(),
      status: response?.status ?? 0,
      statusText: response?.statusText ?? 'No answer',
      duration: performance.now() - begin,
      answerHeaders: answer?.headers ?? {},
      answerBody: answer?.body,
    }
    this.#exchanges = [exchange, ...this.#exchanges].slice(0, most)
    for (const listener of this.#listeners) listener()
  }

  readonly forget = (): void => {
    this.#exchanges = []
    for (const listener of this.#listeners) listener()
  }
}

/** Paths come from documents and links: they must not lead out of the base. */
function urlBelow(base: string, target: string): string {
  const url = URL.parse(`${base}${target}`)
  const root = new URL(`${base}/`)
  if (url?.origin !== root.origin || !url.pathname.startsWith(root.pathname))
    throw new ProblemAnswer(failed('Not sent', `${base}${target} is not below ${base}.`, 'Correct the document.'))
  return url.href
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, body: parsed(text), etag: headers.etag, headers }
}

function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function unreachable(base: string, error: unknown): Problem {
  const detail = `${base} does not answer: ${error instanceof Error ? error.message : error}.`
  return failed('No answer', detail, 'Is the service running, and does it let this page ask it?')
}

function redirected(url: string): Problem {
  const detail = `${url} answers with a redirect, and a token is not sent on.`
  return failed('Redirect', detail, 'Name the URL that it redirects to as the base URL of the service.')
}

function failed(title: string, detail: string, hint: string): Problem {
  return { status: 0, title, detail, code: undefined, hint, errors: [], requestId: undefined, retryAfter: undefined }
}
