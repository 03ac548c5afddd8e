/** The Fastify adapter: hooks of the application see every request of the service, and may change every response. */
import { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { RequestHead } from '../message/request-head.ts'
import type { FaultListener } from '../observe/fault-report.ts'
import type { OperationMeter } from '../observe/metrics/http.ts'
import type { ClientAddress } from './admit/client-address.ts'
import { readStream } from './body.ts'
import { type CountedBody, countedBody } from './counted-body.ts'
import { errorResponse } from './error-response.ts'
import { Exchange, type ResponseBody, type Transport } from './exchange.ts'
import type { HandleRequest } from './handle-request.ts'
import type { InFlight, InFlightRequests } from './node/in-flight.ts'
import { peerOf } from './node/node-transport.ts'
import type { Respond } from './response.ts'

export interface FastifyDependencies {
  readonly handle: HandleRequest
  readonly respond: Respond
  readonly inFlight: InFlightRequests
  readonly clientOf: ClientAddress
  readonly meter: OperationMeter
  readonly onFault: FaultListener
  /** The paths of operations and pages. */
  readonly paths: readonly string[]
}

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
const property = 'nomenTransport'

/** Mounts the service within the encapsulated context of a plugin. */
export function mountService(app: FastifyInstance, dependencies: FastifyDependencies): void {
  const { handle, respond, inFlight, clientOf, meter, onFault, paths } = dependencies
  app.decorateRequest(property, null)
  // The service reads bodies itself, within its own limit.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload))
  app.addHook('onRequest', (request, reply, done) => {
    const transport = new FastifyTransport(request, reply, inFlight, clientOf, meter)
    request.setDecorator(property, transport)
    transport.registerPending()
    // A hook of the application may give the response.
    reply.header('x-request-id', transport.exchange.requestId)
    done()
  })
  const serve = (request: FastifyRequest, reply: FastifyReply) => {
    handle(request.getDecorator<FastifyTransport>(property).exchange)
    return reply
  }
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // The operation says what is wrong with a Content-Type that Fastify cannot read.
    if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return serve(request, reply)
    const { exchange } = request.getDecorator<FastifyTransport>(property)
    respond(exchange, errorResponse(error, exchange, onFault))
    return reply
  })
  const urls = new Set(paths.map(urlOf))
  for (const url of urls) app.route({ method: methods, url, exposeHeadRoute: false, handler: serve })
  // Without a prefix, unknown paths belong to the application.
  if (app.prefix !== '') app.setNotFoundHandler(serve)
}

/** `/user/{userId}/preference/{id}` as Fastify writes it; numbered, because two levels may share a name. */
function urlOf(path: string): string {
  let position = 0
  return path.replace(/\{[^}]*\}/g, () => `:${position++}`).replace(/(?<=.)\/$/, '/*')
}

class FastifyTransport implements Transport, InFlight {
  readonly exchange: Exchange
  readonly request: FastifyRequest['raw']
  readonly response: FastifyReply['raw']
  readonly #body: () => unknown
  readonly #reply: FastifyReply
  readonly #inFlight: InFlightRequests
  position = -1
  #streamedBody: CountedBody | undefined

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    inFlight: InFlightRequests,
    clientOf: ClientAddress,
    meter: OperationMeter,
  ) {
    this.request = request.raw
    this.response = reply.raw
    this.#body = () => request.body
    this.#reply = reply
    this.#inFlight = inFlight
    const client = clientOf(request.headers, peerOf(request.raw))
    this.exchange = new Exchange(request.raw as typeof request.raw & RequestHead, this, client, meter)
  }

  readonly size = (): number => this.#streamedBody?.size ?? Number(this.#reply.getHeader('content-length') ?? 0)

  get isClosed(): boolean {
    return this.response.destroyed
  }

  registerPending(): void {
    this.#inFlight.add(this)
  }

  readBody(maxBytes: number, done: (body: Uint8Array | undefined) => void): void {
    const body = this.#body()
    readStream(body instanceof Readable ? body : this.request, this.request, maxBytes, done)
  }

  send(_: Exchange, status: number, rawHeaders: string[], body: ResponseBody | undefined): void {
    const reply = this.#reply.code(status)
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
      reply.header(name, name === 'vary' ? varyHeader(reply, value) : value)
    }
    if (body === undefined) reply.send()
    else if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      this.#streamedBody = countedBody(body)
      reply.send(Readable.from(this.#streamedBody))
    } else if (this.request.method === 'HEAD' || body.length === 0)
      reply.header('content-length', Buffer.byteLength(body)).send()
    else reply.send(typeof body === 'string' ? body : Buffer.from(body))
  }

  closeAfterResponse(): void {
    this.response.shouldKeepAlive = false
  }

  abort(): void {
    this.response.destroy()
  }
}

/** Adds to the Vary header that the application has set. */
function varyHeader(reply: FastifyReply, value: string): string {
  const existing = `${reply.getHeader('vary') ?? ''}`
  if (existing === '') return value
  const names = existing.toLowerCase().split(/\s*,\s*/)
  return [existing, ...value.split(', ').filter((name) => !names.includes(name))].join(', ')
}
