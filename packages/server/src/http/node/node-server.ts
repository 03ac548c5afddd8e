/** The default server, on `node:http`. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ignoreUpgrades } from './ignored-upgrade.ts'
import type { InFlightRequests } from './in-flight.ts'
import { pipelining } from './pipelining.ts'

export interface Timeouts {
  /** Until the head of a request is there; 20 seconds where left out. */
  readonly head?: number
  /** Until all of a request is there; 60 seconds where left out. */
  readonly request?: number
  /** How long a connection may be idle, and an answer not be taken; 72 seconds where left out. */
  readonly idle?: number
}

/** How long requests in flight may take once the service has to close. */
export const closeTimeoutMs = 10_000

export interface ServerOptions {
  readonly timeouts?: Timeouts | undefined
  readonly listener: RequestListener
  readonly inFlight: InFlightRequests
}

export function nodeServer({ timeouts = {}, listener, inFlight }: ServerOptions): Server {
  const { head = 20_000, request = 60_000, idle } = timeouts
  const { take, fail } = pipelining(listener, inFlight)
  const server = createServer(
    {
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      headersTimeout: head,
      requestTimeout: Math.max(head, request),
      connectionsCheckingInterval: Math.min(1000, head / 4),
    },
    take,
  )
  // Node would leave out headers beyond its limit silently; the number of headers is checked for each request.
  server.maxHeadersCount = 0
  // An unknown expectation does not make a request invalid.
  server.on('checkExpectation', take)
  server.on('clientError', (error, socket) => fail(error, socket as Socket))
  ignoreUpgrades(server)
  inFlight.watch(server, idle)
  return server
}

/** Listens and gives the base URL. Port 0 takes a free port. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { address, port: taken, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

/** Stops accepting connections, and waits for those in use. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return
  const timeout = setTimeout(() => server.closeAllConnections(), closeTimeoutMs)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(timeout)
}
