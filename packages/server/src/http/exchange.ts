/** One request and its response, from the first byte to the access log, whatever the transport. */

import { type Caller, unrestrictedCaller } from '../define/caller/caller.ts'
import type { RequestHead } from '../message/request-head.ts'
import type { OperationMeter } from '../observe/metrics/http.ts'
import type { RequestTrace } from '../pipeline/request-trace.ts'
import type { Client } from './admit/client-address.ts'
import { isRequestId, requestId } from './request-id.ts'

/** The state of a rate limit, in the RateLimit header fields of the IETF draft. */
interface QuotaHeaders {
  readonly 'ratelimit-policy': string
  readonly ratelimit: string
}

/** The body of a response: whole, or a stream. */
export type ResponseBody = string | Uint8Array | AsyncIterable<Uint8Array>

/** The interface of an adapter for the request handler. */
export interface Transport {
  /** Whether the client has disconnected. */
  readonly isClosed: boolean
  /** Registers a pending response, so that a client that disconnects before the response is logged. */
  registerPending(exchange: Exchange): void
  /** Reads the whole body. Calls `done` with undefined as soon as it exceeds the limit, and not at all if the client disconnects. */
  readBody(maxBytes: number, done: (body: Uint8Array | undefined) => void): void
  /** Sends the response; `rawHeaders` has alternating names and values. */
  send(exchange: Exchange, status: number, rawHeaders: string[], body: ResponseBody | undefined): void
  /** Closes the connection after this response. */
  closeAfterResponse(): void
  /** Ends the connection without a response. */
  abort(): void
}

export class Exchange {
  readonly request: RequestHead
  readonly transport: Transport
  readonly client: Client
  /** The request ID that the client has sent, or a new one. */
  readonly requestId: string
  /** By `performance.now()`. */
  readonly startedAt = performance.now()
  caller: Caller = unrestrictedCaller
  /** The state of the caller's rate limit; undefined without one. */
  quota: QuotaHeaders | undefined
  /** Counts the requests of the operation. */
  meter: OperationMeter
  /** Whether the access log has a line for it. */
  isLogged = true
  /** Whether it is for a built-in path such as `/docs`, which is not counted as usage. */
  isBuiltIn = false
  /** Whether all headers of the response are our own, and so ASCII. */
  isAsciiHead = false
  /** Undefined without traces and Server-Timing. */
  trace: RequestTrace | undefined

  constructor(request: RequestHead, transport: Transport, client: Client, meter: OperationMeter) {
    this.request = request
    this.transport = transport
    this.client = client
    this.meter = meter
    const id = request.headers['x-request-id']
    this.requestId = isRequestId(id) ? id : requestId()
  }
}
