/** Requests and responses of `node:http`. The head and the body of a response are sent in one write. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHead } from '../../message/request-head.ts'
import type { OperationMeter } from '../../observe/metrics/http.ts'
import type { Client, ClientAddress } from '../admit/client-address.ts'
import { isTooLong, readStream } from '../body.ts'
import { countedBody } from '../counted-body.ts'
import { Exchange, type ResponseBody, type Transport } from '../exchange.ts'
import type { InFlight, InFlightRequests } from './in-flight.ts'

/** Requests of a server always have a method and a target. */
type ServerRequest = IncomingMessage & RequestHead

export class NodeTransport implements Transport, InFlight {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly exchange: Exchange
  readonly #inFlight: InFlightRequests
  readonly #isContinueExpected: boolean
  position = -1
  size: number | (() => number) = 0
  rejection?: { readonly status: number; readonly size: number }

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    inFlight: InFlightRequests,
    clientOf: ClientAddress,
    meter: OperationMeter,
    isContinueExpected: boolean,
  ) {
    this.request = request
    this.response = response
    this.#inFlight = inFlight
    this.#isContinueExpected = isContinueExpected
    this.exchange = new Exchange(request as ServerRequest, this, clientOf(request.headers, peerOf(request)), meter)
    if (inFlight.isStopping) response.shouldKeepAlive = false
  }

  get isClosed(): boolean {
    return this.response.destroyed
  }

  registerPending(): void {
    this.#inFlight.add(this)
  }

  readBody(maxBytes: number, done: (body: Uint8Array | undefined) => void): void {
    // Without 100 Continue, Node closes the connection after the response, because the client may not send the body.
    if (this.#isContinueExpected && !isTooLong(this.request.headers, maxBytes)) this.response.writeContinue()
    readStream(this.request, this.request, maxBytes, done)
  }

  send(_: Exchange, status: number, rawHeaders: string[], body: ResponseBody | undefined): void {
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array)
      this.#sendWhole(status, rawHeaders, body)
    else this.#stream(status, rawHeaders, body)
  }

  #sendWhole(status: number, rawHeaders: string[], body: string | Uint8Array | undefined): void {
    const { request, response } = this
    const size = body === undefined ? 0 : Buffer.byteLength(body)
    if (body !== undefined) rawHeaders.push('content-length', `${size}`)
    response.writeHead(status, rawHeaders)
    const isSent = body !== undefined && request.method !== 'HEAD'
    if (!isSent) response.end()
    else if (typeof body !== 'string') response.end(body)
    else if (size === body.length) response.end(body, 'latin1')
    // Node writes the head in the encoding of a text body, which changes bytes beyond ASCII in a header.
    else if (this.exchange.isAsciiHead) response.end(body, 'utf8')
    else response.end(Buffer.from(body))
    this.#inFlight.onSent(this, isSent ? size : 0)
  }

  #stream(status: number, rawHeaders: string[], body: AsyncIterable<Uint8Array>): void {
    const { request, response } = this
    const counted = countedBody(body)
    this.size = () => counted.size
    this.registerPending()
    response.once('prefinish', () => this.#inFlight.unread.add(response))
    response.writeHead(status, rawHeaders)
    if (request.method === 'HEAD' || response.destroyed) {
      void counted.return?.()
      response.end()
    } else void sendStream(counted, response)
  }

  closeAfterResponse(): void {
    this.response.shouldKeepAlive = false
  }

  abort(): void {
    this.response.destroy()
  }
}

/** Sends a stream. If the client disconnects, the source ends; if the source fails, the connection is closed. */
async function sendStream(source: AsyncIterator<Uint8Array>, response: ServerResponse): Promise<void> {
  response.once('close', () => void source.return?.())
  try {
    for (;;) {
      const { done, value } = await source.next()
      if (done || response.destroyed) break
      if (!response.write(value)) await waitForDrain(response)
    }
    response.end()
  } catch {
    response.destroy()
  }
}

/** Waits until the client has read enough, or has disconnected. */
function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const onDrain = () => {
      response.off('drain', onDrain).off('close', onDrain)
      resolve()
    }
    response.on('drain', onDrain).on('close', onDrain)
  })
}

/** Read early: a closed connection has no address. */
export function peerOf({ socket }: IncomingMessage): Client {
  return { address: socket.remoteAddress ?? '', port: socket.remotePort }
}
