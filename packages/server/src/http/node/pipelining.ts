/**
 * Serves one request per connection at a time: a pipelined request begins when the response before it is sent
 * (docs/decisions/pipelining.md).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientError, InFlightRequests } from './in-flight.ts'

/** How many requests of one connection may wait. A connection on which more come is closed behind the last of these. */
const maxWaiting = 64

/** How long a client may go on sending after the last response, in milliseconds. */
const lingerMs = 2000

/** A connection on which requests have waited. */
interface Line {
  readonly socket: Parsing
  waiting: number
  /** The response to the request that came last. */
  last: ServerResponse
  /** Whether the requests behind the last one are dropped. */
  isFull: boolean
  isEnding: boolean
  /** Why the bytes behind the last request cannot be read. */
  fault: ClientError | undefined
  readonly keepPaused: () => void
}

/** Node has the parser of a connection here, without documenting it. */
type Parsing = Socket & { readonly parser?: { onIncoming: unknown } | null }

export interface Pipelining {
  /** Begins a request, now or when it is its turn. */
  readonly take: RequestListener
  /** Answers what the HTTP parser could not read, behind the requests that came before it. */
  readonly fail: (error: ClientError, socket: Socket) => void
}

export function pipelining(begin: RequestListener, inFlight: InFlightRequests): Pipelining {
  const lines = new WeakMap<Socket, Line>()

  const start = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    const { socket, fault } = line
    line.waiting--
    if (inFlight.isStopping || !socket.writable) return socket.destroySoon()
    if (line.waiting === 0) {
      if (fault && !request.complete) return inFlight.fail(fault, socket)
      if (fault) response.once('close', () => inFlight.fail(fault, socket))
      else if (!line.isFull) socket.resume()
    }
    begin(request, response)
  }

  return {
    take: (request, response) => {
      // Node gives a response its connection when the one before it is sent.
      if (response.socket?.writable) return begin(request, response)
      const { socket } = request
      const line = lines.get(socket) ?? lineOf(socket, response)
      lines.set(socket, line)
      if (line.isFull) return
      if (line.waiting === maxWaiting) return closeBehind(line)
      line.waiting++
      line.last = response
      socket.pause()
      response.once('socket', () => start(line, request, response))
    },
    fail: (error, socket) => {
      const line = lines.get(socket)
      if (line && line.waiting > 0 && error.code !== 'ECONNRESET') line.fault = error
      else inFlight.fail(error, socket)
    },
  }
}

function lineOf(socket: Socket, last: ServerResponse): Line {
  const line: Line = {
    socket,
    waiting: 0,
    last,
    isFull: false,
    isEnding: false,
    fault: undefined,
    // Node reads on behind every message and with every body.
    keepPaused: () => {
      if (line.waiting === 0 && !line.isFull && !line.fault) return
      // Node stops reading by this event, which a socket that counts as paused does not emit again.
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    },
  }
  socket.on('resume', line.keepPaused)
  socket.destroySoon = () => linger(line)
  return line
}

function closeBehind(line: Line): void {
  line.isFull = true
  line.last.shouldKeepAlive = false
  dropRequests(line.socket)
}

/** The parser makes no more requests of what it reads: 64 KB can hold more than a thousand, and Node would keep them. */
function dropRequests({ parser }: Parsing): void {
  if (parser) parser.onIncoming = () => 0
}

/**
 * Ends the connection and discards the bytes that still come. If it were closed while bytes are unread, the system would
 * reset it, and the client could lose responses that it has not read yet.
 */
function linger(line: Line): void {
  const { socket } = line
  socket.end()
  if (line.isEnding) return
  line.isEnding = true
  dropRequests(socket)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.off('resume', line.keepPaused).once('close', () => clearTimeout(timer))
  socket.resume()
}
