/** Requests in flight on Node connections: each has one entry in the access log, and a stop waits for them. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccessEntry } from '@nomen/core'
import { problemTypeReplacer } from '../../message/problem-type.ts'
import { accessEntry, clientClosedRequest, type Observer } from '../access-entry.ts'
import type { Exchange } from '../exchange.ts'
import { respondToClientError, respondToConnect } from './client-error.ts'
import { Connections } from './connections.ts'
import type { UnreadResponses } from './unread-responses.ts'

/** An error of the HTTP parser, of a time limit, or of the connection. */
export type ClientError = Error & { readonly code?: string }

export interface InFlight {
  /** Its position in the list of all; -1 if it is not in it. */
  position: number
  readonly exchange: Exchange
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The size of the body; a function if it is known at the end only. */
  size: number | (() => number)
  /** The response that was written to the socket, because the rest of the request could not be read. */
  rejection?: { readonly status: number; readonly size: number }
}

export class InFlightRequests {
  // Not a Map or Set: they replace their tables as entries come and go. A table that survives garbage collection keeps the next
  // one alive, and so all requests that were ever in it.
  readonly #entries: InFlight[] = []
  #isStopping = false
  readonly #observe: Observer
  readonly unread: UnreadResponses
  readonly #withTypes: (json: string) => string

  constructor(observe: Observer, unread: UnreadResponses, problemTypeUrl?: string) {
    this.#observe = observe
    this.#withTypes = problemTypeReplacer(problemTypeUrl)
    this.unread = unread
  }

  /** Requests over fetch that have no response yet. */
  pendingFetches = 0

  /** The number of requests to operations. Pages are left out: a scrape of the metrics would count itself. */
  get count(): number {
    return this.#entries.filter(({ exchange }) => !exchange.isBuiltIn).length + this.pendingFetches
  }

  /** Adds a request that has no response yet. Its entry is observed when it has one, or when the connection is closed. */
  add(entry: InFlight): void {
    if (entry.position !== -1 || !entry.exchange.isLogged) return
    entry.position = this.#entries.push(entry) - 1
    // Node listens for 'finish' itself. A second listener would make an array of the two, which V8 may allocate in the old
    // generation, where it would keep all of the request alive until the next full garbage collection.
    entry.response.on('close', () => {
      if (this.#remove(entry)) this.#observe(closedEntry(entry), entry.exchange)
    })
  }

  /** Observes a response that was just written: at once if the connection has taken all of it, otherwise when it has. */
  onSent(entry: InFlight, size: number): void {
    const { exchange, response } = entry
    if (!exchange.isLogged) return
    const { socket } = response
    if (socket && !socket.destroyed && socket.writableLength === 0) {
      this.#remove(entry)
      this.#observe(accessEntry(exchange, response.statusCode, size), exchange)
    } else if (!response.closed) {
      this.add(entry)
      entry.size = size
      this.unread.add(response)
    }
  }

  #remove(entry: InFlight): boolean {
    const { position } = entry
    if (position === -1) return false
    entry.position = -1
    const last = this.#entries.pop()
    if (last && last !== entry) {
      last.position = position
      this.#entries[position] = last
    }
    return true
  }

  /** Watches a server for events before or without a request. */
  watch(server: Server, maxIdleMs?: number): void {
    const connections = new Connections(
      server,
      () => new Set(this.#entries.map(({ request }) => request.socket)),
      maxIdleMs,
    )
    // Node caches the address when it is read; after the connection is closed, it cannot be read.
    server.on('connection', (socket) => void socket.remoteAddress)
    server.on('connect', (request, socket) =>
      this.#observe(respondToConnect(request, socket as Socket, this.#withTypes), undefined),
    )
    // Node's own implementation cuts off responses that are written and not yet sent.
    server.closeIdleConnections = () => connections.closeIdle()
  }

  /** Responds to input that the HTTP parser could not read, or that did not arrive in time. */
  fail(error: ClientError, socket: Socket): void {
    const socketEntries = this.#entries.filter(({ request }) => request.socket === socket)
    const incomplete = socketEntries.find(({ request }) => !request.complete)
    const last = socketEntries.at(-1)
    // Complete requests get their responses before the input after them is rejected, because their writes may be done already.
    if (last && !incomplete && error.code !== 'ECONNRESET') {
      last.response.once('close', () => this.fail(error, socket))
    } else if (incomplete?.response.headersSent) socket.destroy()
    else {
      const entry = respondToClientError(error, socket, this.#withTypes)
      if (!incomplete && entry) this.#observe(entry, undefined)
      else if (incomplete && entry && error.code !== 'ECONNRESET')
        incomplete.rejection = { status: entry.status, size: entry.size }
    }
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** From now on, connections are closed after the response in flight. */
  stop(): void {
    this.#isStopping = true
    for (const { response, request } of this.#entries) {
      if (response.headersSent) response.once('finish', () => request.socket.destroySoon())
      else response.shouldKeepAlive = false
    }
  }

  /** Waits until the last entry is observed; destroyed connections emit 'close' some turns later. */
  async whenIdle(): Promise<void> {
    for (let turn = 0; turn < 100 && this.#entries.length > 0; turn++) await nextTurn()
  }
}

function closedEntry({ exchange, request, response, size, rejection }: InFlight): AccessEntry {
  if (rejection) return accessEntry(exchange, rejection.status, rejection.size)
  // Without a connection, a response is complete as soon as it is written.
  const isWhole = response.writableFinished || (response.writableEnded && !request.socket.destroyed)
  if (!isWhole) return accessEntry(exchange, clientClosedRequest, 0)
  const isHead = request.method === 'HEAD'
  return accessEntry(exchange, response.statusCode, typeof size === 'number' ? size : isHead ? 0 : size())
}
