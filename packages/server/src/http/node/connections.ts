/** The open connections of a server of our own; those on which nothing comes any more are closed in time. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection may say nothing unless said otherwise, and how often that is looked at, in milliseconds. */
const usualIdle = 72_000
const lookEvery = 8000

interface Seen {
  /** How much had come when it was last looked at, and how much of an answer was not taken yet. */
  bytes: number
  untaken: number
  /** Since when no more has come. */
  since: number
}

export class Connections {
  readonly #open = new Map<Socket, Seen>()
  readonly #busy: () => ReadonlySet<Socket>
  readonly #longestIdle: number

  /** `busy` gives the connections on which requests are under way. */
  constructor(server: Server, busy: () => ReadonlySet<Socket>, longestIdle = usualIdle) {
    this.#busy = busy
    this.#longestIdle = longestIdle
    // Node would set a timer behind every answer and take it back before every request.
    server.keepAliveTimeout = 0
    server.on('connection', (socket) => {
      this.#open.set(socket, { bytes: 0, untaken: 0, since: performance.now() })
      socket.once('close', () => this.#open.delete(socket))
    })
    const look = setInterval(() => this.#closeForgotten(), Math.min(lookEvery, longestIdle / 4)).unref()
    server.once('close', () => clearInterval(look))
  }

  get number(): number {
    return this.#open.size
  }

  /** Closes all connections on which no request is under way. */
  closeIdle(): void {
    const busy = this.#busy()
    for (const socket of this.#open.keys()) if (!busy.has(socket)) socket.destroySoon()
  }

  #closeForgotten(): void {
    const busy = this.#busy()
    const now = performance.now()
    for (const [socket, seen] of this.#open) {
      // Whoever takes none of an answer that is there is not waiting for it.
      const isWaiting = busy.has(socket) && (socket.writableLength === 0 || socket.writableLength !== seen.untaken)
      if (socket.bytesRead !== seen.bytes || isWaiting) {
        seen.bytes = socket.bytesRead
        seen.untaken = socket.writableLength
        seen.since = now
      } else if (now - seen.since >= this.#longestIdle) {
        if (seen.untaken > 0) socket.destroy()
        else socket.destroySoon()
      }
    }
  }
}
