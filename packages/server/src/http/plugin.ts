/** Mounts a service's operations into a Fastify application: the only place where requests and replies are Fastify's. */
import { randomUUID } from 'node:crypto'
import { nearest, type Operation, ProblemError, problem } from '@nomen/core'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { chosenEncoding, encode } from '../answer/encoding.ts'
import { faultAnswer } from '../answer/fault-answer.ts'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { Service } from '../definition.ts'
import { encodedTag } from '../entity-tag.ts'
import { quoted } from '../quoted.ts'
import type { RawRequest } from '../read/ask.ts'
import { type RequestLine, requestLine } from '../request-line.ts'
import type { Store } from '../store/plan.ts'
import type { Traffic } from './traffic.ts'

export interface ServiceParts {
  readonly service: Service
  readonly store: Store
  readonly traffic: Traffic
  /** Told of every fault that is answered as 500. */
  readonly onFault: (error: unknown) => void
  readonly bodyLimit: number
}

/** Mounts everything into an application, or into a plugin's own part of one. */
export function mountService(
  app: FastifyInstance,
  { service, store, traffic, onFault, bodyLimit }: ServiceParts,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  app.addHook('onRequest', (request, reply, done) => {
    noteRequest(traffic, request, reply)
    done()
  })
  app.addHook('onRequest', markRequest)
  app.addHook('onRequest', refuseUnknownMethod)
  app.setErrorHandler((error: FastifyError, request, reply) => send(request, reply, answerTo(error, request, onFault)))
  for (const operation of service.operations) {
    const walk = requestLine(operation, service.rules ?? [], store)
    app.route({ ...routeTo(operation, walk), bodyLimit })
  }
  mountMethods(app, service.operations)
}

function routeTo(operation: Operation, walk: RequestLine): RouteOptions {
  const numberOfParameters = operation.path.split('{').length - 1
  return {
    method: operation.method,
    url: routeOf(operation.path),
    exposeHeadRoute: operation.method === 'GET',
    handler: (request, reply) => {
      const raw = rawRequest(request, numberOfParameters)
      if (raw.parameters.includes('')) return reply.callNotFound()
      const answer = walk(raw, null)
      return answer instanceof Promise
        ? answer.then((done) => send(request, reply, done))
        : send(request, reply, answer)
    },
  }
}

/** `/user/{userId}/preference/{id}` as Fastify has it; parameters by position, as two levels may share a name. */
function routeOf(path: string): string {
  let position = 0
  return path.replace(/\{[^}]*\}/g, () => `:${position++}`)
}

function rawRequest(request: FastifyRequest, numberOfParameters: number): RawRequest {
  const target = originForm(request.raw.url ?? '/')
  const mark = target.indexOf('?')
  const given = request.params as { readonly [position: string]: string }
  return {
    path: mark === -1 ? target : target.slice(0, mark),
    // By position: an application may have parameters of its own in the prefix.
    parameters: Array.from({ length: numberOfParameters }, (_, position) => given[position] ?? ''),
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: request.headers,
    body: request.body as Buffer | undefined,
  }
}

/** A request may name the whole address; a fragment has no place in one. */
function originForm(target: string): string {
  if (target.includes('#')) {
    throw new ProblemError('malformed-url', {
      detail: `The address ${quoted(target)} holds a fragment.`,
      hint: 'Leave out what follows the #, or encode it as %23.',
    })
  }
  return target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '')
}

const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Node knows more methods than a resource has any use for. */
function refuseUnknownMethod(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (knownMethods.includes(request.method)) done()
  else
    send(
      request,
      reply,
      problemAnswer(problem('unknown-method', { detail: `${request.method} is no method of this service.` })),
    )
}

/** Every path answers OPTIONS with what it allows, and 405 to the methods that it does not offer. */
function mountMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const offered = new Map<string, Set<string>>()
  for (const { path, method } of operations) {
    const route = routeOf(path)
    const methods = offered.get(route) ?? new Set(['OPTIONS'])
    methods.add(method)
    if (method === 'GET') methods.add('HEAD')
    offered.set(route, methods)
  }
  for (const [url, methods] of offered) {
    const allow = [...methods].sort().join(', ')
    app.route({ method: 'OPTIONS', url, handler: (_, reply) => reply.code(204).header('allow', allow).send() })
    const refused = knownMethods.filter((method) => !methods.has(method))
    app.route({
      method: refused,
      url,
      exposeHeadRoute: false,
      handler: (request, reply) =>
        pathOf(request).endsWith('/') ? reply.callNotFound() : send(request, reply, methodNotAllowed(request, allow)),
    })
  }
}

function methodNotAllowed(request: FastifyRequest, allow: string): Answer {
  const detail = `${request.method} is not offered at ${pathOf(request)}.`
  return problemAnswer(problem('method-not-allowed', { detail, hint: `Use ${allow}.` }), { allow })
}

/** The answer to a path that nothing stands at, with the nearest one that there is. */
export function notFound(operations: readonly Operation[], prefix: string) {
  const paths = new Set(operations.map(({ path }) => prefix + path.replace(/\/[^/]*\{.*$/, '')))
  return (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    const near = nearest(path, paths)
    const hint =
      path !== '/' && path.endsWith('/') ? 'Paths have no slash at their end.' : near && `Did you mean ${near}?`
    return send(
      request,
      reply,
      problemAnswer(
        problem('path-not-found', { detail: `There is nothing at ${quoted(path)}.`, ...(hint && { hint }) }),
      ),
    )
  }
}

function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '/').replace(/\?.*$/s, '')
}

/** Begins the entry of the access log. The size of the body is known once the answer is made. */
export function noteRequest(traffic: Traffic, request: FastifyRequest, reply: FastifyReply): void {
  traffic.begin(request.raw, reply.raw, () => Number(reply.getHeader('content-length') ?? 0))
}

/** Metadata travels in headers: the request's own identity, and that of the transaction it belongs to. */
export function markRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { 'x-request-id': id, 'x-transaction-id': transaction } = request.headers
  reply.header('x-request-id', typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id) ? id : randomUUID())
  if (transaction !== undefined) reply.header('x-transaction-id', transaction)
  done()
}

/** Sends an answer, compressed where it is worth it and the client takes it. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): FastifyReply | Promise<FastifyReply> {
  const { status, body, mediaType, tag, headers } = answer
  const accepted = request.headers['accept-encoding']
  const encoding = chosenEncoding(typeof accepted === 'string' ? accepted : undefined, body.length)
  const vary = reply.getHeader('vary')
  reply.code(status).header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
  if (tag !== undefined) reply.header('etag', encodedTag(tag, encoding))
  if (headers) reply.headers(headers)
  if (status === 304) return reply.send()
  reply.header('content-type', mediaType)
  // A HEAD that no GET stands behind; for the others Fastify takes the body away itself.
  if (request.method === 'HEAD' && request.is404) return reply.header('content-length', Buffer.byteLength(body)).send()
  if (encoding === undefined) return reply.send(isAscii(reply.getHeader('x-transaction-id')) ? body : Buffer.from(body))
  reply.header('content-encoding', encoding)
  return encode(body, encoding).then((encoded) => reply.send(encoded))
}

/** Node writes headers in the encoding of a body that is text; beyond ASCII only bytes leave them as they are. */
function isAscii(header: unknown): boolean {
  return typeof header !== 'string' || /^[ -~]*$/.test(header)
}

/** Turns whatever was thrown into an answer. Only a bug is a 500, and it tells the client nothing else. */
export function answerTo(error: FastifyError, request: FastifyRequest, onFault: (error: unknown) => void): Answer {
  if (error instanceof ProblemError) return problemAnswer(error.problem)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return problemAnswer(
        problem('body-too-large', {
          detail: `The body is over ${request.routeOptions.bodyLimit} bytes.`,
          hint: 'Send less at a time.',
        }),
      )
    case 'FST_ERR_BAD_URL':
      return problemAnswer(
        problem('malformed-url', {
          detail: `The path holds broken percent-encoding: ${quoted(pathOf(request))}.`,
          hint: 'Encode it as UTF-8, and a percent sign as %25.',
        }),
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return problemAnswer(
        problem('unsupported-media-type', {
          detail: `The Content-Type ${quoted(request.headers['content-type'])} cannot be read.`,
          hint: 'Send Content-Type: application/json.',
        }),
      )
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return problemAnswer(problem('bad-request', { detail: error.message }))
  }
  onFault(error)
  return (
    faultAnswer(error) ??
    problemAnswer(problem('internal', { detail: 'Something went wrong in the service. It has been noted.' }))
  )
}
