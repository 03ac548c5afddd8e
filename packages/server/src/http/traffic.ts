/** Requests under way: each leaves one entry for the access log, and a stop waits for them. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AccessEntry } from '@nomen/core'
import type { Client, ClientAddress } from './client-address.ts'
import { answerClientError, answerConnect } from './client-error.ts'
import { Connections } from './connections.ts'
import { redacted } from './redact.ts'
import type { Timing } from './timing.ts'
import { callerOf } from './visitor.ts'

/** 499, as nginx has it: the client left, or was left, before it had its whole answer. */
const leftBeforeAnswer = 499

interface UnderWay {
  /** Where it stands among all others. */
  position: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly client: Client
  readonly timing: Timing
  /** The size of the answer's body; a function where it is not known before the end. */
  size: number | (() => number)
  /** What was written by hand because the rest of the request could not be read. */
  refusal?: { readonly status: number; readonly size: number }
}

/** A response that is under way leads to its note; looking that up elsewhere would take a table. */
const note = Symbol('note')
type Noted = ServerResponse & { [note]?: UnderWay | undefined }

/** An error of the HTTP parser, of a time limit, or of the connection. */
export type ClientError = Error & { readonly code?: string }

/** Told of every request once, when it is over; of what never became one, without a timing. */
export type Observer = (entry: AccessEntry, timing: Timing | undefined) => void

export class Traffic {
  // Neither a Map nor a Set: as entries come and go, these make new tables of theirs, and an old table that has outlived
  // some collections of garbage holds on to the next one, and so to every request that was ever in it.
  readonly #underWay: UnderWay[] = []
  #isStopping = false
  readonly #observe: Observer

  /** Where a request comes from. */
  readonly clientOf: ClientAddress

  constructor(observe: Observer, clientOf: ClientAddress) {
    this.#observe = observe
    this.clientOf = clientOf
  }

  get numberUnderWay(): number {
    return this.#underWay.length
  }

  /** Notes a request that is not answered at once; when it is, or the connection is gone, its entry is observed. */
  begin(request: IncomingMessage, response: Noted, timing: Timing, size: UnderWay['size'] = 0): void {
    if (response[note]) return
    const position = this.#underWay.length
    response[note] = { position, request, response, client: this.clientOf(request), timing, size }
    this.#underWay.push(response[note])
    // Node itself listens for 'finish'. A second listener makes the two a list, which V8 may put among the old objects at
    // once, and there it would hold on to all of the request until the next full collection of garbage.
    response.on('close', () => {
      const one = this.#take(response)
      if (one) this.#observe(closedEntry(one), one.timing)
    })
  }

  /** What is known of a request that is under way. */
  timingOf(response: Noted): Timing | undefined {
    return response[note]?.timing
  }

  /** Observes an answer that was just written; one that the connection cannot take at once, when it has taken it. */
  answered(request: IncomingMessage, response: Noted, timing: Timing, size: number): void {
    const { socket } = response
    if (socket && !socket.destroyed && socket.writableLength === 0) {
      const client = this.#take(response)?.client ?? this.clientOf(request)
      this.#observe(entryOf(request, client, response.statusCode, size), timing)
    } else if (!response.closed) {
      this.begin(request, response, timing, size)
      if (response[note]) response[note].size = size
    }
  }

  #take(response: Noted): UnderWay | undefined {
    const one = response[note]
    if (!one) return undefined
    response[note] = undefined
    const last = this.#underWay.pop()
    if (last && last !== one) {
      last.position = one.position
      this.#underWay[one.position] = last
    }
    return one
  }

  /** Watches a server of our own, for what happens there before or without a request. */
  watch(server: Server, longestIdle?: number): void {
    const connections = new Connections(
      server,
      () => new Set(this.#underWay.map(({ request }) => request.socket)),
      longestIdle,
    )
    // Asked for now, the address is still known when the connection is gone.
    server.on('connection', (socket) => void socket.remoteAddress)
    server.on('connect', (request, socket) => this.#observe(answerConnect(request, socket as Socket), undefined))
    // Node's own way cuts off answers that are written and not yet sent.
    server.closeIdleConnections = () => connections.closeIdle()
  }

  /** Answers what the HTTP parser could not read, or what did not arrive in time. */
  fail(error: ClientError, socket: Socket): void {
    const all = this.#underWay.filter(({ request }) => request.socket === socket)
    const one = all.find(({ request }) => !request.complete)
    const last = all.at(-1)
    // Requests that came whole are answered before what follows them is refused: their writes may be done already.
    if (last && !one && error.code !== 'ECONNRESET') last.response.once('close', () => this.fail(error, socket))
    else if (one?.response.headersSent) socket.destroy()
    else {
      const entry = answerClientError(error, socket)
      if (!one && entry) this.#observe(entry, undefined)
      else if (one && entry && error.code !== 'ECONNRESET') one.refusal = { status: entry.status, size: entry.size }
    }
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  /** From now on, connections are closed behind the answer that is under way on them. */
  stop(): void {
    this.#isStopping = true
    for (const { response, request } of this.#underWay) {
      if (response.headersSent) response.once('finish', () => request.socket.destroySoon())
      else response.shouldKeepAlive = false
    }
  }

  /** Waits until the last entry is observed; connections that were destroyed tell so only some turns later. */
  async ended(): Promise<void> {
    for (let turn = 0; turn < 100 && this.#underWay.length > 0; turn++) await nextTurn()
  }
}

function closedEntry({ request, response, client, size, refusal }: UnderWay): AccessEntry {
  if (refusal) return entryOf(request, client, refusal.status, refusal.size)
  // A request without a connection of its own has its whole answer as soon as that is made.
  const isWhole = response.writableFinished || (response.writableEnded && !request.socket.destroyed)
  if (!isWhole) return entryOf(request, client, leftBeforeAnswer, 0)
  const isBare = request.method === 'HEAD'
  return entryOf(request, client, response.statusCode, typeof size === 'number' ? size : isBare ? 0 : size())
}

function entryOf(request: IncomingMessage, { address, port }: Client, status: number, size: number): AccessEntry {
  const { headers, method = '', url = '', httpVersion } = request
  return {
    address,
    port,
    user: callerOf(request).user,
    time: Date.now(),
    method,
    target: loggedUrl(url) ?? '',
    protocol: httpVersion === '1.1' ? 'HTTP/1.1' : `HTTP/${httpVersion}`,
    status,
    size,
    referrer: loggedUrl(headers.referer),
    userAgent: bytesAsText(headers['user-agent']),
  }
}

function loggedUrl(given: string | undefined): string | undefined {
  const url = bytesAsText(given)
  return url === undefined ? undefined : redacted(url)
}

/** Node reads what arrives as Latin-1; what clients send beyond ASCII is UTF-8. */
function bytesAsText(given: string | undefined): string | undefined {
  return given !== undefined && /[\x80-\xff]/.test(given) ? Buffer.from(given, 'latin1').toString() : given
}
