/** The open connections of our own server. Idle connections are closed after a timeout. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The default idle timeout, and the interval of the check. */
const defaultIdleMs = 72_000
const checkIntervalMs = 8000

/** The state of a connection at the last check. */
interface ConnectionState {
  /** The number of received bytes, and of response bytes that the client has not read. */
  bytes: number
  unreadBytes: number
  /** When the last byte was received. */
  lastActiveAt: number
}

export class Connections {
  readonly #open = new Map<Socket, ConnectionState>()
  readonly #busySockets: () => ReadonlySet<Socket>
  readonly #maxIdleMs: number

  /** `busySockets` returns the connections with requests in flight. */
  constructor(server: Server, busySockets: () => ReadonlySet<Socket>, maxIdleMs = defaultIdleMs) {
    this.#busySockets = busySockets
    this.#maxIdleMs = maxIdleMs
    // Node would set a timer after every response and clear it before every request.
    server.keepAliveTimeout = 0
    server.on('connection', (socket) => {
      this.#open.set(socket, { bytes: 0, unreadBytes: 0, lastActiveAt: performance.now() })
      socket.once('close', () => this.#open.delete(socket))
    })
    const timer = setInterval(() => this.#closeTimedOut(), Math.min(checkIntervalMs, maxIdleMs / 4)).unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Closes all connections without a request in flight. */
  closeIdle(): void {
    const busySockets = this.#busySockets()
    for (const socket of this.#open.keys()) if (!busySockets.has(socket)) socket.destroySoon()
  }

  #closeTimedOut(): void {
    const busySockets = this.#busySockets()
    const now = performance.now()
    for (const [socket, state] of this.#open) {
      // A client that reads nothing of its response counts as idle.
      const isWaiting =
        busySockets.has(socket) && (socket.writableLength === 0 || socket.writableLength !== state.unreadBytes)
      if (socket.bytesRead !== state.bytes || isWaiting) {
        state.bytes = socket.bytesRead
        state.unreadBytes = socket.writableLength
        state.lastActiveAt = now
      } else if (now - state.lastActiveAt >= this.#maxIdleMs) {
        if (state.unreadBytes > 0) socket.destroy()
        else socket.destroySoon()
      }
    }
  }
}
