/**
 * Serves one request per connection at a time: a pipelined request begins when the response before it is sent
 * (docs/decisions/pipelining.md).
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientError, InFlightRequests } from './in-flight.ts'

/** The maximum number of waiting requests per connection. If more arrive, the connection is closed after the last of these. */
const maxWaiting = 64

/** How long a client may continue to send after the last response. */
const lingerMs = 2000

/** The queue of a connection with waiting requests. */
interface Queue {
  readonly socket: ParsingSocket
  waiting: number
  /** The response to the last request. */
  lastResponse: ServerResponse
  /** Whether later requests are dropped. */
  isFull: boolean
  isEnding: boolean
  /** Why the bytes after the last request cannot be parsed. */
  fault: ClientError | undefined
  readonly keepPaused: () => void
}

/** Undocumented: Node stores the parser of a connection in this property. */
type ParsingSocket = Socket & { readonly parser?: { onIncoming: unknown } | null }

export interface PipelineQueues {
  /** Returns a listener that begins a request with `begin`, now or when it is its turn. */
  readonly inOrder: (begin: RequestListener) => RequestListener
  /** Responds to malformed input, after the responses to the requests before it. */
  readonly fail: (error: ClientError, socket: Socket) => void
}

export function pipelineQueues(inFlight: InFlightRequests): PipelineQueues {
  const queues = new WeakMap<Socket, Queue>()

  const start = (queue: Queue, begin: () => void, request: IncomingMessage, response: ServerResponse) => {
    const { socket, fault } = queue
    queue.waiting--
    if (inFlight.isStopping || !socket.writable) return socket.destroySoon()
    if (queue.waiting === 0) {
      if (fault && !request.complete) return inFlight.fail(fault, socket)
      if (fault) response.once('close', () => inFlight.fail(fault, socket))
      else if (!queue.isFull) socket.resume()
    }
    begin()
  }

  return {
    inOrder: (begin) => (request, response) => {
      // Node gives a response its connection when the one before it is sent.
      if (response.socket?.writable) return begin(request, response)
      const { socket } = request
      const queue = queues.get(socket) ?? queueOf(socket, response)
      queues.set(socket, queue)
      if (queue.isFull) return
      if (queue.waiting === maxWaiting) return closeAfterLast(queue)
      queue.waiting++
      queue.lastResponse = response
      socket.pause()
      response.once('socket', () => start(queue, () => begin(request, response), request, response))
    },
    fail: (error, socket) => {
      const queue = queues.get(socket)
      if (queue && queue.waiting > 0 && error.code !== 'ECONNRESET') queue.fault = error
      else inFlight.fail(error, socket)
    },
  }
}

function queueOf(socket: Socket, lastResponse: ServerResponse): Queue {
  const queue: Queue = {
    socket,
    waiting: 0,
    lastResponse,
    isFull: false,
    isEnding: false,
    fault: undefined,
    // Node resumes reading after every message, and for every body.
    keepPaused: () => {
      if (queue.waiting === 0 && !queue.isFull && !queue.fault) return
      // Node stops reading by this event, which a socket that counts as paused does not emit again.
      if (socket.isPaused()) socket.emit('pause')
      else socket.pause()
    },
  }
  socket.on('resume', queue.keepPaused)
  socket.destroySoon = () => linger(queue)
  return queue
}

function closeAfterLast(queue: Queue): void {
  queue.isFull = true
  queue.lastResponse.shouldKeepAlive = false
  dropRequests(queue.socket)
}

/** Stops the parser from creating requests: the 64 KB of one read can hold more than a thousand, and Node would keep them. */
function dropRequests({ parser }: ParsingSocket): void {
  if (parser) parser.onIncoming = () => 0
}

/**
 * Ends the connection and discards the bytes that still arrive. If it were closed while bytes are unread, the system would
 * reset it, and the client could lose responses that it has not read yet.
 */
function linger(queue: Queue): void {
  const { socket } = queue
  socket.end()
  if (queue.isEnding) return
  queue.isEnding = true
  dropRequests(socket)
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.off('resume', queue.keepPaused).once('close', () => clearTimeout(timer))
  socket.resume()
}
