/** The fetch adapter: a web `Request` in, a web `Response` out. */

import type { Caller } from '../define/caller.ts'
import type { MaybePromise } from '../foundation/maybe-promise.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { OperationMeter } from '../observe/metrics/http.ts'
import { accessEntry, type Observer } from './access-entry.ts'
import { Exchange, type ResponseBody, type Transport } from './exchange.ts'
import type { HandleRequest } from './handle-request.ts'

export type Fetch = (request: Request | string | URL, options?: RequestInit) => Promise<Response>

export interface FetchParts {
  readonly handle: HandleRequest
  readonly observe: Observer
  readonly meter: OperationMeter
}

/** Gives a function that handles requests in process. `callerOf` names the caller of all of them (default: not known). */
export function fetchAdapter({ handle, observe, meter }: FetchParts, callerOf?: () => MaybePromise<Caller>): Fetch {
  return async (input, options) => {
    const request = input instanceof Request && !options ? input : new Request(input, options)
    const caller = await callerOf?.()
    return new Promise<Response>((resolve, reject) => {
      const transport = new FetchTransport(request, observe, resolve, reject)
      const exchange = new Exchange(headOf(request), transport, { address: '', port: undefined }, meter)
      if (caller) exchange.caller = caller
      handle(exchange)
    })
  }
}

function headOf({ method, url, headers, body }: Request): RequestHead {
  const { host, pathname, search } = new URL(url)
  // A request in process has neither a Host header nor headers that say that it has a body.
  const isChunked = body !== null && !headers.has('content-length')
  const all = { host, ...Object.fromEntries(headers), ...(isChunked && { 'transfer-encoding': 'chunked' }) }
  return { method, url: pathname + search, headers: all, rawHeaders: Object.entries(all).flat(), httpVersion: '1.1' }
}

class FetchTransport implements Transport {
  readonly #request: Request
  readonly #observe: Observer
  readonly #resolve: (response: Response) => void
  readonly #reject: (error: Error) => void

  constructor(
    request: Request,
    observe: Observer,
    resolve: (response: Response) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request
    this.#observe = observe
    this.#resolve = resolve
    this.#reject = reject
  }

  get isClosed(): boolean {
    return this.#request.signal.aborted
  }

  begin(): void {}

  readBody(maxBytes: number, done: (body: Uint8Array | undefined) => void): void {
    this.#read(maxBytes).then(done, (error: Error) => this.#reject(error))
  }

  async #read(maxBytes: number): Promise<Uint8Array | undefined> {
    const { body } = this.#request
    const chunks: Uint8Array[] = []
    let size = 0
    if (body) {
      for await (const chunk of body) {
        size += chunk.length
        if (size > maxBytes) return undefined
        chunks.push(chunk)
      }
    }
    return Buffer.concat(chunks)
  }

  send(exchange: Exchange, status: number, head: string[], body: ResponseBody | undefined): void {
    const headers = new Headers()
    for (let index = 0; index < head.length; index += 2) headers.append(`${head[index]}`, `${head[index + 1]}`)
    const isHead = exchange.request.method === 'HEAD'
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
      const size = body === undefined ? 0 : Buffer.byteLength(body)
      if (body !== undefined) headers.set('content-length', `${size}`)
      if (exchange.isLogged) this.#observe(accessEntry(exchange, status, isHead ? 0 : size), exchange)
      this.#resolve(new Response(isHead || body === undefined ? null : bytesOf(body), { status, headers }))
    } else {
      const stream = isHead ? null : streamOf(this.#counted(exchange, status, body))
      this.#resolve(new Response(stream, { status, headers }))
    }
  }

  /** A stream is logged at its end, also if the reader stops early. */
  async *#counted(exchange: Exchange, status: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0
    try {
      for await (const chunk of body) {
        size += chunk.length
        yield chunk
      }
    } finally {
      if (exchange.isLogged) this.#observe(accessEntry(exchange, status, size), exchange)
    }
  }

  closeAfterResponse(): void {}

  abort(): void {
    this.#reject(new Error('The service could not send the response.'))
  }
}

/** As bytes of its own, which the reader may transfer. For text, a Response would set the Content-Type. */
function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
}

/** Reads on when its reader wants more, and ends the source when its reader stops. */
function streamOf(source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: async () => {
      await source.return(undefined)
    },
  })
}
