/** The default server, on `node:http`. */
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ignoreUpgrades } from './ignored-upgrade.ts'
import type { InFlightRequests } from './in-flight.ts'
import { pipelineQueues } from './pipelining.ts'

// With an import statement, Node would load its HTTP client as well, which takes longer than loading the server.
const { createServer } = process.getBuiltinModule('node:http')

/** Timeouts of client connections, in milliseconds. */
export interface Timeouts {
  /**
   * Time allowed to receive the headers of a request, in milliseconds.
   *
   * @default 20000
   */
  readonly headMs?: number
  /**
   * Time allowed to receive a whole request, in milliseconds.
   *
   * @default 60000
   */
  readonly requestMs?: number
  /**
   * Time after which an idle connection, or one whose client does not read the response, is closed, in milliseconds.
   *
   * @default 72000
   */
  readonly idleMs?: number
}

/** How long requests in flight may take when the service closes. */
export const closeTimeoutMs = 10_000

export interface ServerOptions {
  readonly timeouts?: Timeouts | undefined
  readonly listener: RequestListener
  /** Serves requests of clients that wait for 100 Continue. */
  readonly continueListener: RequestListener
  readonly inFlight: InFlightRequests
}

export function nodeServer({ timeouts = {}, listener, continueListener, inFlight }: ServerOptions): Server {
  const { headMs = 20_000, requestMs = 60_000, idleMs } = timeouts
  const { inOrder, fail } = pipelineQueues(inFlight)
  const orderedListener = inOrder(listener)
  const server = createServer(
    {
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      headersTimeout: headMs,
      requestTimeout: Math.max(headMs, requestMs),
      connectionsCheckingInterval: Math.min(1000, headMs / 4),
    },
    orderedListener,
  )
  // Node would leave out headers beyond its limit silently; the number of headers is checked for each request.
  server.maxHeadersCount = 0
  // An unknown expectation does not make a request invalid.
  server.on('checkExpectation', orderedListener)
  server.on('checkContinue', inOrder(continueListener))
  server.on('clientError', (error, socket) => fail(error, socket as Socket))
  ignoreUpgrades(server)
  inFlight.watch(server, idleMs)
  return server
}

/** Listens and returns the base URL. Port 0 chooses a free port. Takes over the port of the server `previous`, if there is one. */
export async function listen(server: Server, port: number, host: string, previous?: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const onListening = () => {
      server.off('error', reject)
      resolve()
    }
    if (previous) server.listen(previous, onListening)
    else server.listen({ port, host }, onListening)
  })
  const { address, port: actualPort, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}`
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
