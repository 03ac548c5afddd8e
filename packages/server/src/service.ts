/** Opens a service: connects to the database and handles requests. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { assumedCaller } from './auth/assumed-caller.ts'
import type { Caller } from './define/caller/caller.ts'
import type { Service } from './define/definition.ts'
import { quoted } from './foundation/quoted.ts'
import { headerCheck, hostCheck } from './http/admit/gate.ts'
import { hasUnreadBody } from './http/body.ts'
import { type Fetch, fetchAdapter } from './http/fetch-adapter.ts'
import type { HandleRequest } from './http/handle-request.ts'
import { monitoringServer } from './http/node/auxiliary-server.ts'
import { isUpgrade } from './http/node/ignored-upgrade.ts'
import { messageRejection } from './http/node/message-check.ts'
import { closeServer, closeTimeoutMs, listen, nodeServer } from './http/node/node-server.ts'
import { NodeTransport } from './http/node/node-transport.ts'
import type { MetricFamily } from './observe/metrics/registry.ts'
import { openHandler } from './open-handler.ts'
import type { ServiceRuntime } from './runtime.ts'
import type { Settings } from './settings.ts'
import type { ShipFigures } from './ship/shipper.ts'

/** A running service: send it requests with `fetch`, or let it listen on a port. */
export interface OpenService {
  /**
   * Handles a request in process, without a port.
   *
   * @example
   * const response = await directory.fetch('http://directory/user/7')
   */
  readonly fetch: Fetch
  /**
   * Returns a `fetch` that sends every request as the given caller, without a token, for tests. It works in process only. Without
   * `scopes`, the caller may read and write every noun.
   *
   * @example
   * const { fetch } = directory.as({ user: 'ada', scopes: ['user:read'] })
   */
  as(caller: Partial<Caller>): { readonly fetch: Fetch }
  /**
   * The request listener for your own server on `node:http`.
   *
   * @example
   * createServer(directory.listener).listen(3000)
   */
  readonly listener: RequestListener
  /**
   * Listens on a port and returns the base URL. Port 0 chooses a free port. The default host is `127.0.0.1`. With `previous`, it
   * takes over the port of a server that already listens.
   *
   * @example
   * const baseUrl = await directory.listen({ port: 3000, host: '0.0.0.0' })
   */
  listen(at: { readonly port: number; readonly host?: string; readonly previous?: Server }): Promise<string>
  /**
   * Serves `/metrics` and `/health` on another port, without authentication, and returns the base URL.
   *
   * @example
   * await directory.listenForMetrics({ port: 9464, host: '10.0.0.11' })
   */
  listenForMetrics(at: { readonly port: number; readonly host?: string }): Promise<string>
  /** The state of shipping the access log; undefined if it is not shipped. */
  shipFigures(): ShipFigures | undefined
  /** The metrics of this process. */
  metrics(): Promise<readonly MetricFamily[]>
  /** Stops accepting requests, finishes those in flight (for up to 10 seconds), and closes logs and database. */
  close(): Promise<void>
}

/**
 * Opens a service: connects to the database, applies safe schema changes and prepares the operations.
 *
 * @example
 * ```ts
 * import service from './service.ts'
 *
 * const directory = await open(service, { database: 'sqlite:data/directory.db' })
 * console.log(await directory.listen({ port: 3000 }))
 * ```
 *
 * @throws DatabaseError if the database cannot be opened.
 * @throws MigrationError if the schema needs a change that must be confirmed with `nomen migrate --apply`.
 */
export async function open(service: Service, settings: Settings): Promise<OpenService> {
  const checks = [headerCheck, hostCheck(settings.isLocalOnly === true)]
  const prefix = readPrefix(settings.prefix)
  const { handle, handleAssumed, runtime } = await openHandler(service, settings, { prefix, checks })
  const { inFlight, clientOf, meter } = runtime
  const serve = nodeListener(runtime, handle)
  const pending = new Set<Promise<Response>>()
  const fetchDependencies = { observe: runtime.observe, clientOf, meter: meter.otherRequests, pending, inFlight }
  let server: Server | undefined
  let metricsServer: Server | undefined
  return {
    fetch: fetchAdapter({ ...fetchDependencies, handle }),
    as: (caller) => ({
      fetch: fetchAdapter({ ...fetchDependencies, handle: handleAssumed }, assumedCaller(caller, runtime.findRecord)),
    }),
    // A server of the application sends 100 Continue itself.
    listener: (request, response) => serve(request, response, false),
    listen: ({ port, host = '127.0.0.1', previous }) => {
      server = openServer(settings, runtime, serve)
      return listen(server, port, host, previous)
    },
    listenForMetrics: ({ port, host = '127.0.0.1' }) => {
      metricsServer = monitoringServer(runtime)
      return listen(metricsServer, port, host)
    },
    metrics: () => runtime.registry.families(),
    shipFigures: () => runtime.ship?.figures(),
    close: async () => {
      runtime.health.stop()
      if (server?.listening) await pause(settings.stopDelayMs ?? 0)
      runtime.stopFollowing()
      inFlight.stop()
      if (server) await closeServer(server)
      if (metricsServer) await closeServer(metricsServer)
      await Promise.race([Promise.allSettled(pending), pause(closeTimeoutMs, undefined, { ref: false })])
      await runtime.close()
    },
  }
}

type NodeListener = (request: IncomingMessage, response: ServerResponse, isContinueExpected: boolean) => void

/** Handles requests of `node:http`, and rejects malformed ones. */
function nodeListener({ inFlight, clientOf, meter, respond }: ServiceRuntime, handle: HandleRequest): NodeListener {
  return (request, response, isContinueExpected) => {
    const transport = new NodeTransport(request, response, inFlight, clientOf, meter.otherRequests, isContinueExpected)
    const rejection = messageRejection(request) ?? inFlight.unread.rejection(request)
    if (rejection || isUpgrade(request) || hasUnreadBody(transport.exchange.request)) transport.closeAfterResponse()
    if (rejection) respond(transport.exchange, rejection)
    else handle(transport.exchange)
  }
}

/** The service's own server. With another server, requests may have waited before they arrive here. */
function openServer({ timeouts }: Settings, { loadShedder, inFlight }: ServiceRuntime, serve: NodeListener): Server {
  const listenerOf =
    (isContinueExpected: boolean): RequestListener =>
    (request, response) => {
      loadShedder.onRequest()
      serve(request, response, isContinueExpected)
    }
  return nodeServer({ timeouts, listener: listenerOf(false), continueListener: listenerOf(true), inFlight })
}

function readPrefix(prefix = ''): string {
  if (prefix === '' || /^(\/[\w.~-]+)+$/.test(prefix)) return prefix
  throw new Error(
    `The prefix ${quoted(prefix)} is not a valid path. Use the form "/api", with a leading slash and no trailing slash.`,
  )
}
