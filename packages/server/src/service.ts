/** Opens a service, with its doors over HTTP and in process. */
import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import type { Service } from './definition.ts'
import { hasUnreadBody } from './http/body.ts'
import { trustedPeer } from './http/client-address.ts'
import { mountConsole } from './http/console-page.ts'
import { crossSiteCheck } from './http/cross-site-check.ts'
import { mountDocuments } from './http/document-page.ts'
import { errorAnswer } from './http/error-answer.ts'
import { frontDesk } from './http/front-desk.ts'
import { type Check, headerCheck, hostCheck } from './http/gate.ts'
import { ignoreUpgrades, isUpgrade } from './http/ignored-upgrade.ts'
import { messageRefusal } from './http/message-check.ts'
import { pipelining } from './http/pipelining.ts'
import { mountService, notFound, receive } from './http/plugin.ts'
import { send } from './http/reply.ts'
import { sender } from './http/sender.ts'
import { unreadCheck } from './http/unread-responses.ts'
import { mountUsage } from './http/usage-route.ts'
import { mountWatch } from './http/watch-page.ts'
import type { MetricFamily } from './metrics/registry.ts'
import { openParts, type Parts } from './parts.ts'
import type { Settings, Timeouts } from './settings.ts'
import type { ShipFigures } from './ship/shipper.ts'

/** How long requests under way may take once the service is told to close, in milliseconds. */
const closePatience = 10_000

/** A service that is open. */
export interface OpenService {
  /** Answers a request without a port: `await open.inject({ url: '/user/7' })`. */
  inject(request: InjectOptions | string): Promise<LightMyRequestResponse>
  /** Listens, and gives the address. Port 0 takes a free one. */
  listen(at: { readonly port: number; readonly host?: string }): Promise<string>
  /** How far the access log is shipped; undefined where it is not. */
  shipFigures(): ShipFigures | undefined
  /** What is measured in this process. */
  metrics(): Promise<readonly MetricFamily[]>
  /** Stops taking requests, finishes those under way, and closes log and store. */
  close(): Promise<void>
}

/**
 * Opens a service.
 *
 * ```ts
 * const directory = await open(service, { database: 'sqlite:data/directory.db' })
 * console.log(await directory.listen({ port: 3000 }))
 * ```
 */
export async function open(service: Service, settings: Settings): Promise<OpenService> {
  const parts = await openParts(service, settings, '')
  const gate = parts.limit(
    parts.gate([headerCheck, hostCheck(settings.isLocalOnly === true), ...pageChecks(settings, parts)]),
  )
  const app = fastify({
    routerOptions: { maxParamLength: 16_384 },
    // A request that came before the close is still answered; the connection is then not used again.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ...timeLimits(settings.timeouts),
    // No route has a schema: without these, a validator and a serializer would be loaded for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    clientErrorHandler: (error, socket) => pipeline.fail(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      receive(parts, request, reply)
      send(request, reply, errorAnswer(error, request, parts.onFault))
    },
  })
  const takeAtDesk = frontDesk({ ...parts, gate })
  const serve: RequestListener = (request, response) => {
    if (!takeAtDesk(request, response)) app.routing(request, response)
  }
  const sendStraight = sender(parts.traffic, parts.start, parts.onFault)
  const refusalOf = unreadCheck(trustedPeer(settings.trustProxy))
  const pipeline = pipelining((request, response) => {
    parts.turnstile.arrive()
    const refused = messageRefusal(request) ?? refusalOf(request, response)
    if (refused || isUpgrade(request) || hasUnreadBody(request)) response.shouldKeepAlive = false
    if (!refused) return serve(request, response)
    sendStraight(
      request,
      response,
      { meter: parts.meter.elsewhere, began: performance.now(), watch: undefined },
      refused,
    )
  }, parts.traffic)
  ignoreUpgrades(app.server)
  parts.traffic.watch(app.server, settings.timeouts?.idle)
  // Node would leave some out without a word; how many there may be is checked at the gate.
  app.server.maxHeadersCount = 0
  app.server.off('request', app.routing).on('request', pipeline.take)
  // An expectation that nobody knows is no reason to refuse the request.
  app.server.on('checkExpectation', pipeline.take)
  try {
    app.addHook('onClose', parts.close)
    mountService(app, { ...parts, gate })
    mountDocuments(app, service, settings)
    mountWatch(app, parts)
    if (parts.answerUsage) mountUsage(app, parts.answerUsage)
    if (settings.console !== undefined) mountConsole(app, service, { ...settings, console: settings.console })
    app.setNotFoundHandler(notFound(service.operations, ''))
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return {
    inject: async (request) => {
      const { inject } = await import('light-my-request')
      return inject(serve, request)
    },
    listen: (at) => listen(app, at.port, at.host ?? '127.0.0.1'),
    metrics: () => parts.registry.families(),
    shipFigures: () => parts.ship?.figures(),
    close: async () => {
      parts.health.stop()
      if (app.server.listening) await pause(settings.stopDelay ?? 0)
      parts.traffic.stop()
      const patience = setTimeout(() => app.server.closeAllConnections(), closePatience)
      await app.close()
      clearTimeout(patience)
    },
  }
}

/** A page of another site has no token to send; where none is needed, its requests are refused. */
function pageChecks({ auth, publicUrl }: Settings, { cors }: Parts): readonly Check[] {
  return auth ? [] : [crossSiteCheck((origin) => cors?.isAllowed(origin) === true, publicUrl)]
}

/** How the server is made: how long clients may take, and how often that is looked at. */
function timeLimits({ head = 20_000, request = 60_000 }: Timeouts = {}) {
  return {
    http: {
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      headersTimeout: head,
      connectionsCheckingInterval: Math.min(1000, head / 4),
    },
    requestTimeout: Math.max(head, request),
  }
}

function noSchema(): never {
  throw new Error('No route of a service has a schema.')
}

/**
 * The service as a plugin, to be mounted into an application of one's own. Its hooks and problems concern its own paths
 * only.
 *
 * ```ts
 * await app.register(plugin(directory, { database: 'sqlite:data/directory.db' }), { prefix: '/directory' })
 * ```
 */
export function plugin(service: Service, settings: Settings): FastifyPluginAsync {
  return async (app) => {
    const parts = await openParts(service, settings, app.prefix)
    const gate = parts.limit(
      parts.gate([...(settings.isLocalOnly ? [hostCheck(true)] : []), ...pageChecks(settings, parts)]),
    )
    app.addHook('preClose', async () => parts.health.stop())
    app.addHook('onClose', parts.close)
    mountService(app, { ...parts, gate })
    mountDocuments(app, service, settings)
    if (parts.answerUsage) mountUsage(app, parts.answerUsage)
    if (settings.console !== undefined) mountConsole(app, service, { ...settings, console: settings.console })
    // Without a prefix the paths that are nobody's belong to the application, and so do its health and metrics.
    if (app.prefix === '') return
    mountWatch(app, parts)
    app.setNotFoundHandler(notFound(service.operations, app.prefix))
  }
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<string> {
  await app.listen({ port, host })
  const { address, port: taken, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}
