/** The fetch adapter: a web `Request` in, a web `Response` out. */

import type { Caller } from '../define/caller/caller.ts'
import type { MaybePromise } from '../foundation/maybe-promise.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { OperationMeter } from '../observe/metrics/http.ts'
import { accessEntry, clientClosedRequest, type Observer } from './access-entry.ts'
import type { ClientAddress } from './admit/client-address.ts'
import { type CountedBody, countedBody } from './counted-body.ts'
import { Exchange, type ResponseBody, type Transport } from './exchange.ts'
import type { HandleRequest } from './handle-request.ts'

/** The `fetch` of a service: the same signature as the global `fetch`, without a network. */
export type Fetch = (request: Request | string | URL, options?: RequestInit) => Promise<Response>

export interface FetchDependencies {
  readonly handle: HandleRequest
  readonly observe: Observer
  readonly clientOf: ClientAddress
  readonly meter: OperationMeter
  /** Requests without a response yet. */
  readonly pending: Set<Promise<Response>>
  /** The counter of requests in flight. */
  readonly inFlight: { pendingFetches: number }
}

/** Creates a function that handles requests in process. `callerOf` returns the caller of all of them, if it is known. */
export function fetchAdapter(dependencies: FetchDependencies, callerOf?: () => MaybePromise<Caller>): Fetch {
  const { handle, clientOf, meter, pending } = dependencies
  const respondTo = async (request: Request): Promise<Response> => {
    const caller = await callerOf?.()
    request.signal.throwIfAborted()
    return new Promise<Response>((resolve, reject) => {
      const transport = new FetchTransport(request, dependencies, resolve, reject)
      const head = requestHead(request)
      const exchange = new Exchange(head, transport, clientOf(head.headers, unknownPeer), meter)
      if (caller) exchange.caller = caller
      handle(exchange)
    })
  }
  return async (input, options) => {
    const response = respondTo(
      input instanceof Request && !isRequestInit(options) ? input : new Request(input, options),
    )
    pending.add(response)
    try {
      return await response
    } finally {
      pending.delete(response)
    }
  }
}

/** A web Request has no connection. */
const unknownPeer = { address: '', port: undefined }

/** Bun, Deno and Next.js pass another second argument to a handler, which must not change the request. */
function isRequestInit(options: RequestInit | undefined): boolean {
  return options !== undefined && ['method', 'headers', 'body', 'signal'].some((name) => name in options)
}

function requestHead({ method, url, headers, body }: Request): RequestHead {
  const { host, pathname, search } = new URL(url)
  // An in-process request has neither a Host header nor headers about its body.
  const isChunked = body !== null && !headers.has('content-length')
  const allHeaders = { host, ...Object.fromEntries(headers), ...(isChunked && { 'transfer-encoding': 'chunked' }) }
  return {
    method,
    url: pathname + search,
    headers: allHeaders,
    rawHeaders: Object.entries(allHeaders).flat(),
    httpVersion: '1.1',
  }
}

class FetchTransport implements Transport {
  readonly #request: Request
  readonly #observe: Observer
  readonly #inFlight: FetchDependencies['inFlight']
  readonly #resolve: (response: Response) => void
  readonly #reject: (error: unknown) => void
  /** Set while the response is pending. */
  #exchange: Exchange | undefined
  #isEnded = false

  constructor(
    request: Request,
    { observe, inFlight }: FetchDependencies,
    resolve: (response: Response) => void,
    reject: (error: unknown) => void,
  ) {
    this.#request = request
    this.#observe = observe
    this.#inFlight = inFlight
    this.#resolve = resolve
    this.#reject = reject
  }

  get isClosed(): boolean {
    return this.#request.signal.aborted
  }

  registerPending(exchange: Exchange): void {
    if (this.#exchange) return
    this.#exchange = exchange
    if (countsAsInFlight(exchange)) this.#inFlight.pendingFetches++
    this.#request.signal.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.#fail(this.#request.signal.reason)

  /** Ends the request without a response, with one line in the access log. */
  #fail(error: unknown): void {
    const exchange = this.#exchange
    if (!exchange || !this.#end()) return
    if (exchange.isLogged) this.#observe(accessEntry(exchange, clientClosedRequest, 0), exchange)
    this.#reject(error)
  }

  /** Ends the request; false if it has ended already. */
  #end(): boolean {
    if (this.#isEnded) return false
    this.#isEnded = true
    if (!this.#exchange) return true
    if (countsAsInFlight(this.#exchange)) this.#inFlight.pendingFetches--
    this.#request.signal.removeEventListener('abort', this.#onAbort)
    return true
  }

  readBody(maxBytes: number, done: (body: Uint8Array | undefined) => void): void {
    this.#read(maxBytes).then(done, (error: unknown) => this.#fail(error))
  }

  async #read(maxBytes: number): Promise<Uint8Array | undefined> {
    const { body, headers } = this.#request
    if (Number(headers.get('content-length')) > maxBytes) {
      await body?.cancel()
      return undefined
    }
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

  send(exchange: Exchange, status: number, rawHeaders: string[], body: ResponseBody | undefined): void {
    const isWhole = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    if (!this.#end()) {
      if (!isWhole) void body[Symbol.asyncIterator]().return?.()
      return
    }
    const headers = new Headers()
    for (let index = 0; index < rawHeaders.length; index += 2)
      headers.append(`${rawHeaders[index]}`, `${rawHeaders[index + 1]}`)
    const isHead = exchange.request.method === 'HEAD'
    if (!isWhole && !isHead) {
      this.#resolve(new Response(toReadableStream(this.#counted(exchange, status, body)), { status, headers }))
      return
    }
    if (isWhole && body !== undefined) headers.set('content-length', `${Buffer.byteLength(body)}`)
    const bytes = isWhole && !isHead && body !== undefined ? copyOf(body) : null
    if (exchange.isLogged) this.#observe(accessEntry(exchange, status, bytes?.length ?? 0), exchange)
    this.#resolve(new Response(bytes, { status, headers }))
  }

  /** A stream is logged at its end, also if the reader stops early. */
  #counted(exchange: Exchange, status: number, body: AsyncIterable<Uint8Array>): CountedBody {
    const counted = countedBody(body, () => {
      if (exchange.isLogged) this.#observe(accessEntry(exchange, status, counted.size), exchange)
    })
    // A reader that aborts its request does not always cancel the stream.
    this.#request.signal.addEventListener('abort', () => void counted.return?.())
    return counted
  }

  closeAfterResponse(): void {}

  abort(): void {
    this.#fail(new Error('The service could not send the response.'))
  }
}

/** Probes and pages do not count as requests in flight. */
function countsAsInFlight({ isLogged, isBuiltIn }: Exchange): boolean {
  return isLogged && !isBuiltIn
}

/** A copy, because the reader may transfer its bytes. Text becomes bytes, because a Response would set the Content-Type of text. */
function copyOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
}

/** A stream with backpressure: reads the source on demand, and ends it when the reader cancels. */
function toReadableStream(source: CountedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(new Uint8Array(value))
    },
    cancel: async () => {
      await source.return?.()
    },
  })
}
