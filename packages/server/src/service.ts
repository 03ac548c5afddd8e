/** Opens a service: its store, its sample data and access log, and its doors, over HTTP and in process. */
import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Operation, writeLine } from '@nomen/core'
import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import type { Answer } from './answer/write-answer.ts'
import type { Guard } from './auth/guard.ts'
import type { JwtSettings } from './auth/jwt-settings.ts'
import type { Service } from './definition.ts'
import { faultReport } from './fault-report.ts'
import { AccessLogFile } from './http/access-log-file.ts'
import { clientAddress, type TrustProxy } from './http/client-address.ts'
import { mountConsole } from './http/console-page.ts'
import { mountDocuments } from './http/document-page.ts'
import { errorAnswer } from './http/error-answer.ts'
import { frontDesk } from './http/front-desk.ts'
import { type Check, type Gate, guardedGate, hostCheck, openGate } from './http/gate.ts'
import type { RotationOptions } from './http/log-rotation.ts'
import { mountService, notFound, receive } from './http/plugin.ts'
import { send } from './http/reply.ts'
import { Traffic } from './http/traffic.ts'
import { mountUsage } from './http/usage-route.ts'
import { type RequestLine, requestLines } from './request-line.ts'
import type { ShipBeside } from './ship/ship-beside.ts'
import type { ShipSettings } from './ship/ship-service.ts'
import type { ShipFigures } from './ship/shipper.ts'
import { modelOf } from './store/model.ts'
import { openStore } from './store/open-store.ts'
import { Rollup, type RollupOptions } from './usage/rollup.ts'
import { usageAnswerer } from './usage/usage-answer.ts'

export interface Settings {
  /** `sqlite:path/to/file.db`, `sqlite::memory:`, or `postgres://…`. */
  readonly database: string
  /** Where reads go to, for a service on PostgreSQL: an address whose hosts are replicas of the database. */
  readonly databaseRead?: string
  /** Where the access log goes: a path, or `-` for standard output. Absent: nowhere. */
  readonly accessLog?: string
  /** When the access log is put aside, and how many old ones are kept; it grows without end unless given. */
  readonly accessLogRotation?: RotationOptions
  /** Where the lines of the access log are sent as well, by a thread of its own; nowhere unless given. */
  readonly ship?: ShipSettings
  /** The largest body taken, in bytes; 1 MiB where left out. */
  readonly bodyLimit?: number
  /** Which tokens are accepted. Absent: anyone may do everything. */
  readonly auth?: JwtSettings
  /** Whose word on where a request comes from counts; nobody's where left out. */
  readonly trustProxy?: TrustProxy
  /** Where others reach the service, for its documents: `https://api.example.com`. */
  readonly publicUrl?: string
  /** Refuse requests whose Host is no name of this machine itself, as is right where anyone may call. */
  readonly isLocalOnly?: boolean
  /** Whether the service counts who calls which operation, and serves it at `/usage`; true where left out. */
  readonly usage?: boolean
  /** For how many days that is kept; 400 where left out. */
  readonly usageKeep?: number
  /** The folder of the built console, which is then served at `/console`. */
  readonly console?: string
  /**
   * Told of faults that no client can see: a bug, an access log or usage that cannot be written, a replica that is away.
   * Standard error else.
   */
  readonly onFault?: (message: string, error: unknown) => void
}

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
  const gate = parts.gate([hostCheck(settings.isLocalOnly === true)])
  const app = fastify({
    routerOptions: { maxParamLength: 16_384 },
    // A request that came before the close is still answered; the connection is then not used again.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { requireHostHeader: false, optimizeEmptyRequests: true },
    // No route has a schema: without these, a validator and a serializer would be loaded for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    clientErrorHandler: (error, socket) => parts.traffic.fail(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      receive(parts.traffic, request, reply)
      send(request, reply, errorAnswer(error, request, parts.onFault))
    },
  })
  const takeAtDesk = frontDesk({ ...parts, gate })
  const serve: RequestListener = (request, response) => {
    if (!takeAtDesk(request, response)) app.routing(request, response)
  }
  parts.traffic.watch(app.server)
  app.server.off('request', app.routing).on('request', serve)
  // An expectation that nobody knows is no reason to refuse the request.
  app.server.on('checkExpectation', serve)
  try {
    app.addHook('onClose', parts.close)
    mountService(app, { ...parts, gate })
    mountDocuments(app, service, settings)
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
    shipFigures: () => parts.ship?.figures(),
    close: async () => {
      parts.traffic.stop()
      const patience = setTimeout(() => app.server.closeAllConnections(), closePatience)
      await app.close()
      clearTimeout(patience)
    },
  }
}

function noSchema(): never {
  throw new Error('No route of a service has a schema.')
}

/**
 * The service as a plugin, to be mounted into an application of one's own: `app.register(plugin(service, settings),
 * { prefix: '/directory' })`. Its hooks and problems concern its own paths only.
 */
export function plugin(service: Service, settings: Settings): FastifyPluginAsync {
  return async (app) => {
    const parts = await openParts(service, settings, app.prefix)
    app.addHook('onClose', parts.close)
    mountService(app, { ...parts, gate: parts.gate(settings.isLocalOnly ? [hostCheck(true)] : []) })
    mountDocuments(app, service, settings)
    if (parts.answerUsage) mountUsage(app, parts.answerUsage)
    if (settings.console !== undefined) mountConsole(app, service, { ...settings, console: settings.console })
    // Without a prefix the paths that are nobody's belong to the application.
    if (app.prefix !== '') app.setNotFoundHandler(notFound(service.operations, app.prefix))
  }
}

interface Parts {
  /** Lets in whom the settings say, after these checks. */
  readonly gate: (checks: readonly Check[]) => Gate
  readonly lines: ReadonlyMap<Operation, RequestLine>
  readonly traffic: Traffic
  readonly onFault: (error: unknown) => void
  readonly bodyLimit: number
  /** Absent where usage is not counted. */
  readonly answerUsage: ((query: string) => Promise<Answer>) | undefined
  readonly ship: ShipBeside | undefined
  readonly close: () => Promise<void>
}

async function openParts(service: Service, settings: Settings, prefix: string): Promise<Parts> {
  const report = settings.onFault ?? ((message, error) => console.error(message, error))
  const model = modelOf(service.operations)
  const store = await openStore(settings.database, model, {
    databaseRead: settings.databaseRead,
    onReplica: settings.onFault ?? ((message) => console.error(message)),
  })
  try {
    if (service.sample) await store.loadIfEmpty(service.sample)
    const log =
      settings.accessLog === undefined ? undefined : openLog(settings.accessLog, settings.accessLogRotation, report)
    const rollup = openRollup(settings, {
      store: store.usage,
      operations: service.operations,
      prefix,
      report,
    })
    const traffic = new Traffic((entry, operation) => {
      log?.write(writeLine(entry))
      rollup?.observe(entry, operation)
    }, clientAddress(settings.trustProxy))
    const guarded = settings.auth && (await openGuard(service, settings.auth, store, report))
    const onFault = faultReport(report)
    const ship = await startShipping(service, settings, prefix)
    return {
      lines: requestLines(service, { model, store, forget: guarded?.forget }),
      gate: (checks) => (guarded ? guardedGate({ ...guarded, checks, onFault }) : openGate(checks)),
      traffic,
      onFault,
      bodyLimit: settings.bodyLimit ?? 1024 * 1024,
      answerUsage: rollup && usageAnswerer(service.operations, rollup, store.usage),
      ship,
      close: async () => {
        await traffic.ended()
        await log?.close()
        await ship?.stop()
        await rollup?.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

function openRollup(
  { usage = true, usageKeep: keep = 400 }: Settings,
  options: Omit<RollupOptions, 'keep'>,
): Rollup | undefined {
  return usage ? new Rollup({ ...options, keep }) : undefined
}

/** Loaded where it is needed only: a start is shorter without it. */
async function openGuard(...given: Parameters<typeof import('./auth/guard.ts').guard>): Promise<Guard> {
  const { guard } = await import('./auth/guard.ts')
  return guard(...given)
}

function openLog(
  path: string,
  rotation: RotationOptions | undefined,
  report: NonNullable<Settings['onFault']>,
): AccessLogFile {
  const onFault = (error: Error) => report(`The access log ${path} cannot be written. The service goes on.`, error)
  return new AccessLogFile(path, { onFault }, rotation)
}

async function startShipping(
  service: Service,
  { accessLog, ship, onFault }: Settings,
  prefix: string,
): Promise<ShipBeside | undefined> {
  if (!ship) return undefined
  // loaded where it is asked for only: every other start would wait for it in vain
  const { shipService } = await import('./ship/ship-service.ts')
  return shipService(
    { service, log: accessLog, prefix },
    ship,
    onFault ? (notice) => onFault(notice, undefined) : console.error,
  )
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<string> {
  await app.listen({ port, host })
  const { address, port: taken, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}
