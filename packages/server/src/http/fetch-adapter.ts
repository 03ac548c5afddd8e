/** The fetch adapter: a web `Request` in, a web `Response` out. */
import type { Caller } from '../caller.ts'
import type { OperationMeter } from '../metrics/http-meter.ts'
import type { RequestHead } from '../request-head.ts'
import { accessEntry, type Observer } from './access-entry.ts'
import { Exchange, type ResponseBody, type Transport } from './exchange.ts'
import type { HandleRequest } from './handle-request.ts'

export type Fetch = (request: Request | string | URL, options?: RequestInit) => Promise<Response>

export interface FetchParts {
  readonly handle: HandleRequest
  readonly observe: Observer
  readonly meter: OperationMeter
}

/** Gives a function that handles requests in process. With a caller, every request is made on behalf of that caller. */
export function fetchAdapter({ handle, observe, meter }: FetchParts, caller?: Caller): Fetch {
  return (input, options) => {
    const request = input instanceof Request && !options ? input : new Request(input, options)
    return new Promise<Response>((resolve, reject) => {
      const transport = new FetchTransport(request, observe, resolve, reject)
      const exchange = new Exchange(headOf(request), transport, { address: '', port: undefined }, meter)
      if (caller) exchange.assume(caller)
      handle(exchange)
    })
  }
}

function headOf({ method, url, headers }: Request): RequestHead {
  const { host, pathname, search } = new URL(url)
  // A request in process has no Host header of its own.
  const all = { host, ...Object.fromEntries(headers) }
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
      const stream = isHead ? null : ReadableStream.from(this.#counted(exchange, status, body))
      this.#resolve(new Response(stream, { status, headers }))
    }
  }

  /** A stream is logged at its end, also if the reader stops early. */
  async *#counted(exchange: Exchange, status: number, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
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

/** A response in process has a body of its own, which its reader may transfer. */
function bytesOf(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? body : new Uint8Array(body)
}
