/** The open connections of a server of our own; those on which nothing comes any more are closed in time. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection may say nothing, and how often that is looked at, in milliseconds. */
const longestIdle = 72_000
const lookEvery = 8000

interface Seen {
  /** How much had come when it was last looked at. */
  bytes: number
  /** Since when no more has come. */
  since: number
}

export class Connections {
  readonly #open = new Map<Socket, Seen>()
  readonly #busy: () => ReadonlySet<Socket>

  /** `busy` gives the connections on which requests are under way. */
  constructor(server: Server, busy: () => ReadonlySet<Socket>) {
    this.#busy = busy
    // Node would set a timer behind every answer and take it back before every request.
    server.keepAliveTimeout = 0
    server.on('connection', (socket) => {
      this.#open.set(socket, { bytes: 0, since: performance.now() })
      socket.once('close', () => this.#open.delete(socket))
    })
    const look = setInterval(() => this.#closeForgotten(), lookEvery).unref()
    server.once('close', () => clearInterval(look))
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
      if (socket.bytesRead !== seen.bytes || busy.has(socket)) {
        seen.bytes = socket.bytesRead
        seen.since = now
      } else if (now - seen.since >= longestIdle) socket.destroySoon()
    }
  }
}
