/** Opens a service: its store, its sample data and access log, and its doors, over HTTP and in process. */
import type { AddressInfo, Socket } from 'node:net'
import { problem, writeLine } from '@nomen/core'
import fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type InjectOptions,
  type LightMyRequestResponse,
} from 'fastify'
import { AccessLogFile } from './access-log-file.ts'
import { answerClientError } from './client-error.ts'
import type { Service } from './definition.ts'
import { type Answered, accessEntry, answerTo, markRequest, mountService, notFound, send } from './plugin.ts'
import { modelOf } from './store/model.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/plan.ts'
import { problemAnswer } from './write-answer.ts'

export interface Settings {
  /** `sqlite:path/to/file.db`, or `sqlite::memory:`. */
  readonly database: string
  /** Where the access log goes: a path, or `-` for standard output. Absent: nowhere. */
  readonly accessLog?: string
  /** The largest body taken, in bytes; 1 MiB where left out. */
  readonly bodyLimit?: number
  /** Refuse requests whose Host is no name of this machine itself, as is right where anyone may call. */
  readonly isLocalOnly?: boolean
  /** Told of faults that no client can see: a bug, an access log that cannot be written. Standard error else. */
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
  const parts = await openParts(service, settings)
  const app = fastify({
    bodyLimit: settings.bodyLimit ?? 1024 * 1024,
    routerOptions: { maxParamLength: 16_384 },
    // A request that came before the close is still answered; the connection is then not used again.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => {
      const entry = answerClientError(error, socket as Socket)
      if (entry) parts.observe({ kind: 'answered', entry })
    },
    frameworkErrors: (error, request, reply) => {
      reply.raw.once('finish', () => parts.observe({ kind: 'answered', entry: accessEntry(request, reply) }))
      markRequest(request, reply, () => send(request, reply, answerTo(error, request, parts.onFault)))
    },
  })
  try {
    if (settings.isLocalOnly) app.addHook('onRequest', refuseForeignHost)
    app.addHook('onClose', parts.close)
    mountService(app, { service, ...parts })
    app.setNotFoundHandler(notFound(service.operations))
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return {
    inject: (request) => app.inject(request),
    listen: (at) => listen(app, at.port, at.host ?? '127.0.0.1'),
    close: async () => {
      const patience = setTimeout(() => app.server.closeAllConnections(), closePatience)
      await app.close()
      clearTimeout(patience)
    },
  }
}

/**
 * The service as a plugin, to be mounted into an application of one's own: `app.register(plugin(service, settings),
 * { prefix: '/directory' })`. Its hooks and problems concern its own paths only.
 */
export function plugin(service: Service, settings: Settings): FastifyPluginAsync {
  return async (app) => {
    const parts = await openParts(service, settings)
    app.addHook('onClose', parts.close)
    mountService(app, { service, ...parts })
    // Without a prefix the paths that are nobody's belong to the application.
    if (app.prefix !== '') app.setNotFoundHandler(notFound(service.operations))
  }
}

interface Parts {
  readonly store: Store
  readonly observe: (event: Answered) => void
  readonly onFault: (error: unknown) => void
  readonly close: () => Promise<void>
}

async function openParts(service: Service, settings: Settings): Promise<Parts> {
  const report = settings.onFault ?? ((message, error) => console.error(message, error))
  const store = openStore(settings.database, modelOf(service.operations))
  try {
    if (service.sample && (await store.isEmpty())) await store.load(service.sample())
    const log = settings.accessLog === undefined ? undefined : openLog(settings.accessLog, report)
    return {
      store,
      observe: ({ entry }) => log?.write(writeLine(entry)),
      onFault: (error) => report('A request failed.', error),
      close: async () => {
        await log?.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

function openLog(path: string, report: NonNullable<Settings['onFault']>): AccessLogFile {
  return new AccessLogFile(path, {
    onFault: (error) => report(`The access log ${path} cannot be written. The service goes on.`, error),
  })
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<string> {
  await app.listen({ port, host })
  const { address, port: taken, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
}

/** A page on another site may point a name of its own at this machine; such a request names that host. */
function refuseForeignHost(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (isLoopback(request.hostname)) {
    done()
    return
  }
  const detail = `The request is for "${request.host}", and only this machine itself is served.`
  send(
    request,
    reply,
    problemAnswer(problem('foreign-host', { detail, hint: 'Use localhost or 127.0.0.1 as the host.' })),
  )
}

/** Whether a host name or address is that of the machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}
