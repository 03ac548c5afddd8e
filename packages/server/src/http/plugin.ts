/** Mounts a service's operations into a Fastify application: the only place where requests and replies are Fastify's. */
import { nearest, type Operation, problem } from '@nomen/core'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { Service } from '../definition.ts'
import { quoted } from '../quoted.ts'
import type { RawRequest } from '../read/ask.ts'
import { type RequestLine, requestLine } from '../request-line.ts'
import type { Store } from '../store/plan.ts'
import type { Door } from './door.ts'
import { errorAnswer } from './error-answer.ts'
import { originForm, pathOf } from './target.ts'

export interface ServiceParts {
  readonly service: Service
  readonly store: Store
  /** Told of every fault that is answered as 500. */
  readonly onFault: (error: unknown) => void
  readonly bodyLimit: number
  readonly door: Door
}

/** Mounts everything into an application, or into a plugin's own part of one. */
export function mountService(app: FastifyInstance, { service, store, onFault, bodyLimit, door }: ServiceParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
  app.addHook('onRequest', (request, reply, done) => {
    door.receive(request, reply)
    if (knownMethods.includes(request.method)) done()
    else door.send(request, reply, unknownMethod(request.method))
  })
  app.setErrorHandler((error: FastifyError, request, reply) =>
    door.send(request, reply, errorAnswer(error, request, onFault)),
  )
  for (const operation of service.operations) {
    const walk = requestLine(operation, service.rules ?? [], store)
    app.route({ ...routeTo(operation, walk, door), bodyLimit })
  }
  mountMethods(app, service.operations, door)
}

function routeTo(operation: Operation, walk: RequestLine, door: Door): RouteOptions {
  const numberOfParameters = operation.path.split('{').length - 1
  return {
    method: operation.method,
    url: routeOf(operation.path),
    exposeHeadRoute: operation.method === 'GET',
    handler: (request, reply) =>
      door.body(request, reply, (body) => {
        const raw = rawRequest(request, numberOfParameters, body)
        if (raw.parameters.includes('')) return reply.callNotFound()
        const answer = walk(raw, null)
        if (!(answer instanceof Promise)) return door.send(request, reply, answer)
        door.wait(request, reply)
        return answer.then((done) => door.send(request, reply, done))
      }),
  }
}

/** `/user/{userId}/preference/{id}` as Fastify has it; parameters by position, as two levels may share a name. */
function routeOf(path: string): string {
  let position = 0
  return path.replace(/\{[^}]*\}/g, () => `:${position++}`)
}

function rawRequest(request: FastifyRequest, numberOfParameters: number, body: Buffer | undefined): RawRequest {
  const target = originForm(request.raw.url ?? '/')
  const mark = target.indexOf('?')
  const given = request.params as { readonly [position: string]: string }
  // By position: an application may have parameters of its own in the prefix.
  const parameters: string[] = []
  for (let position = 0; position < numberOfParameters; position++) parameters.push(given[position] ?? '')
  return {
    address: request.ip,
    path: mark === -1 ? target : target.slice(0, mark),
    parameters,
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: request.headers,
    body,
  }
}

/** Node knows more methods than a resource has any use for. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

function unknownMethod(method: string): Answer {
  return problemAnswer(problem('unknown-method', { detail: `${method} is no method of this service.` }))
}

/** Every path answers OPTIONS with what it allows, and 405 to the methods that it does not offer. */
function mountMethods(app: FastifyInstance, operations: readonly Operation[], door: Door): void {
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
    app.route({ method: 'OPTIONS', url, handler: (request, reply) => door.send(request, reply, allowed(allow)) })
    const refused = knownMethods.filter((method) => !methods.has(method))
    app.route({
      method: refused,
      url,
      exposeHeadRoute: false,
      handler: (request, reply) =>
        pathOf(request).endsWith('/')
          ? reply.callNotFound()
          : door.send(request, reply, methodNotAllowed(request, allow)),
    })
  }
}

function allowed(allow: string): Answer {
  return { status: 204, body: '', headers: { allow } }
}

function methodNotAllowed(request: FastifyRequest, allow: string): Answer {
  const detail = `${request.method} is not offered at ${pathOf(request)}.`
  return problemAnswer(problem('method-not-allowed', { detail, hint: `Use ${allow}.` }), { allow })
}

/** The answer to a path that nothing stands at, with the nearest one that there is. */
export function notFound(operations: readonly Operation[], prefix: string, door: Door) {
  const paths = new Set(operations.map(({ path }) => prefix + path.replace(/\/[^/]*\{.*$/, '')))
  return (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    const near = nearest(path, paths)
    const hint =
      path !== '/' && path.endsWith('/') ? 'Paths have no slash at their end.' : near && `Did you mean ${near}?`
    return door.send(
      request,
      reply,
      problemAnswer(
        problem('path-not-found', { detail: `There is nothing at ${quoted(path)}.`, ...(hint && { hint }) }),
      ),
    )
  }
}
