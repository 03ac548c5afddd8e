/** Opens a service. */
import type { RequestListener, Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { assumedCaller } from './auth/assumed-caller.ts'
import type { Caller } from './define/caller.ts'
import type { Service } from './define/definition.ts'
import { quoted } from './foundation/quoted.ts'
import { headerCheck, hostCheck } from './http/admit/gate.ts'
import { hasUnreadBody } from './http/body.ts'
import { type Fetch, fetchAdapter } from './http/fetch-adapter.ts'
import { isUpgrade } from './http/node/ignored-upgrade.ts'
import { messageRefusal } from './http/node/message-check.ts'
import { closeServer, closeTimeoutMs, listen, nodeServer } from './http/node/node-server.ts'
import { NodeTransport } from './http/node/node-transport.ts'
import type { MetricFamily } from './observe/metrics/registry.ts'
import { openHandler } from './open-handler.ts'
import type { Settings } from './settings.ts'
import type { ShipFigures } from './ship/shipper.ts'

/** A service that is open. */
export interface OpenService {
  /** Handles a request in process, without a port: `await desk.fetch('http://desk/user/7')`. */
  readonly fetch: Fetch
  /**
   * Gives a `fetch` that makes every request on behalf of a caller, without a token, for tests. It exists in process only. Without
   * `scopes`, the caller has those of every noun.
   *
   * @example
   * const { fetch } = desk.as({ user: 'ada', scopes: ['loan:read'] })
   */
  as(caller: Partial<Caller>): { readonly fetch: Fetch }
  /** Handles requests of a server of your own on `node:http`: `createServer(desk.listener)`. */
  readonly listener: RequestListener
  /** Listens, and gives the base URL. Port 0 takes a free one. */
  listen(at: { readonly port: number; readonly host?: string }): Promise<string>
  /** The state of shipping the access log; undefined if it is not shipped. */
  shipFigures(): ShipFigures | undefined
  /** The metrics of this process. */
  metrics(): Promise<readonly MetricFamily[]>
  /** Stops taking requests, finishes those in flight, and closes log and store. */
  close(): Promise<void>
}

/**
 * Opens a service.
 *
 * @example
 * ```ts
 * const directory = await open(service, { database: 'sqlite:data/directory.db' })
 * console.log(await directory.listen({ port: 3000 }))
 * ```
 */
export async function open(service: Service, settings: Settings): Promise<OpenService> {
  const checks = [headerCheck, hostCheck(settings.isLocalOnly === true)]
  const prefix = readPrefix(settings.prefix)
  const { handle, handleAssumed, parts } = await openHandler(service, settings, { prefix, checks })
  const { inFlight, clientOf, loadShedder, meter, respond } = parts
  const listener: RequestListener = (request, response) => {
    const transport = new NodeTransport(request, response, inFlight, clientOf, meter.elsewhere)
    const refused = messageRefusal(request) ?? inFlight.unread.refusal(request)
    if (refused || isUpgrade(request) || hasUnreadBody(transport.exchange.request)) transport.closeAfterResponse()
    if (refused) respond(transport.exchange, refused)
    else handle(transport.exchange)
  }
  const pending = new Set<Promise<Response>>()
  const inProcess = { observe: parts.observe, clientOf, meter: meter.elsewhere, pending }
  let server: Server | undefined
  return {
    fetch: fetchAdapter({ ...inProcess, handle }),
    as: (caller) => ({
      fetch: fetchAdapter({ ...inProcess, handle: handleAssumed }, assumedCaller(caller, parts.findRecord)),
    }),
    listener,
    listen: ({ port, host = '127.0.0.1' }) => {
      // Only requests of our own server come straight from their connections.
      const serve: RequestListener = (request, response) => {
        loadShedder.onRequest()
        listener(request, response)
      }
      server = nodeServer({ timeouts: settings.timeouts, listener: serve, inFlight })
      return listen(server, port, host)
    },
    metrics: () => parts.registry.families(),
    shipFigures: () => parts.ship?.figures(),
    close: async () => {
      parts.health.stop()
      if (server?.listening) await pause(settings.stopDelay ?? 0)
      inFlight.stop()
      if (server) await closeServer(server)
      await Promise.race([Promise.allSettled(pending), pause(closeTimeoutMs, undefined, { ref: false })])
      await parts.close()
    },
  }
}

function readPrefix(prefix = ''): string {
  if (prefix === '' || /^(\/[\w.~-]+)+$/.test(prefix)) return prefix
  throw new Error(
    `The prefix ${quoted(prefix)} is not a path. Write it as "/api": with a slash before, and none behind.`,
  )
}
