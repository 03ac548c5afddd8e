/** Mounts a service's operations into a Fastify application: the only place where requests and replies are Fastify's. */
import { Readable } from 'node:stream'
import { nearest, type Operation, problem, scopeOf } from '@nomen/core'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { FaultListener } from '../fault-report.ts'
import type { HttpMeter } from '../metrics/http-meter.ts'
import { cut, quoted } from '../quoted.ts'
import type { RawRequest } from '../read/ask.ts'
import type { RequestLine } from '../request-line.ts'
import type { RequestWatch, RequestWatcher } from '../request-watch.ts'
import { hasBody, isLarge } from './body.ts'
import type { Cors } from './cors.ts'
import { errorAnswer } from './error-answer.ts'
import { type Admission, type Gate, isRefused } from './gate.ts'
import type { HeadStart } from './head.ts'
import { quotaOf } from './limited-gate.ts'
import { markReply, send } from './reply.ts'
import { demandPolicies, policy, policyAt } from './route-policy.ts'
import { originForm, pathOf } from './target.ts'
import type { Traffic } from './traffic.ts'
import type { Turnstile } from './turnstile.ts'
import { callerOf } from './visitor.ts'

export interface ServiceParts {
  readonly lines: ReadonlyMap<Operation, RequestLine>
  readonly gate: Gate
  readonly traffic: Traffic
  readonly meter: HttpMeter
  readonly start: HeadStart
  readonly cors: Cors | undefined
  readonly turnstile: Turnstile
  readonly watcher: RequestWatcher | undefined
  /** Told of every fault that is answered as 500. */
  readonly onFault: FaultListener
  readonly bodyLimit: number
}

/** Mounts everything into an application, or into a plugin's own part of one. */
export function mountService(app: FastifyInstance, parts: ServiceParts): void {
  const { lines, gate, onFault, bodyLimit, cors, start, turnstile } = parts
  demandPolicies(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) =>
    done(null, hasBody(request.raw) ? body : undefined),
  )
  app.addHook('preParsing', (request, _, payload, done) => {
    // The operation says what is wrong with a type, when it is its turn. The framework would refuse one that it cannot read first.
    if (!request.mediaType) request.headers = { 'content-type': undefined }
    // A type without a body: the connection says nothing of its end, and the framework would wait for it for ever.
    done(null, hasBody(request.raw) ? payload : Readable.from([]))
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { scope, isProbe, isUrgent } = policyAt(request)
    if (isProbe) {
      markReply(request, reply, start)
      return done()
    }
    receive(parts, request, reply)
    const permission = cors?.preflight(request.method, request.headers)
    if (permission) return send(request, reply, permission)
    const shed = isUrgent ? undefined : turnstile.refusal(request.method)
    if (shed) {
      if (isLarge(request.raw)) reply.raw.shouldKeepAlive = false
      return send(request, reply, shed)
    }
    const enter = (admission: Admission) => {
      for (const [name, value] of Object.entries(quotaOf(request.raw) ?? {})) reply.header(name, value)
      if (isRefused(admission)) send(request, reply, admission)
      else done()
    }
    if (!knownMethods.includes(request.method)) return send(request, reply, unknownMethod(request.method))
    const admission = gate(request.raw, scope)
    if (admission instanceof Promise) admission.then(enter, done)
    else enter(admission)
  })
  app.setErrorHandler((error: FastifyError, request, reply) =>
    send(request, reply, errorAnswer(error, request, onFault)),
  )
  for (const [operation, line] of lines) app.route({ ...routeTo(operation, line, parts), bodyLimit })
  mountMethods(app, [...lines.keys()])
}

/** Begins the entry of the access log, and the answer. What stands in its head in the end counts, whoever wrote it. */
export function receive(
  { traffic, meter, start, watcher }: Pick<ServiceParts, 'traffic' | 'meter' | 'start' | 'watcher'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { meter: known, isPage = false } = policyAt(request)
  const own = isWhole(request) ? known : undefined
  const began = performance.now()
  const watch = isPage ? undefined : watcher?.(request.raw, own?.labels.route, began)
  const timing = { meter: own ?? meter.elsewhere, isPage, began, watch }
  traffic.begin(request.raw, reply.raw, timing, () => Number(reply.getHeader('content-length') ?? 0))
  markReply(request, reply, start)
}

function routeTo(operation: Operation, line: RequestLine, { meter, turnstile, traffic }: ServiceParts): RouteOptions {
  const numberOfParameters = operation.path.split('{').length - 1
  return {
    method: operation.method,
    url: routeOf(operation.path),
    exposeHeadRoute: operation.method === 'GET',
    ...policy({ scope: scopeOf(operation), meter: meter.of(operation) }),
    handler: (request, reply) => {
      const watch = traffic.timingOf(reply.raw)?.watch
      const raw = { ...rawRequest(request, numberOfParameters, traffic.clientOf(request.raw).address), watch }
      if (!isWhole(request)) return reply.callNotFound()
      const answer = inTurn(turnstile, () => line(raw, callerOf(request.raw)))
      return answer.finally(() => tellTime(reply, watch)).then((done) => send(request, reply, done))
    },
  }
}

/** Whether every value of the operation's path is there: the framework finds a route also where one is empty. */
function isWhole({ params }: FastifyRequest): boolean {
  const given = (params ?? {}) as { readonly [position: string]: string }
  for (let position = 0; given[position] !== undefined; position++) if (given[position] === '') return false
  return true
}

function tellTime(reply: FastifyReply, watch: RequestWatch | undefined): void {
  const timing = watch?.serverTiming
  if (timing !== undefined) reply.header('server-timing', timing)
}

function inTurn(turnstile: Turnstile, walk: () => Answer | Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    turnstile.enter(() => {
      try {
        resolve(walk())
      } catch (error) {
        reject(error)
      }
    })
  })
}

/** `/user/{userId}/preference/{id}` as Fastify has it; parameters by position, as two levels may share a name. */
function routeOf(path: string): string {
  let position = 0
  return path.replace(/\{[^}]*\}/g, () => `:${position++}`)
}

function rawRequest(request: FastifyRequest, numberOfParameters: number, address: string): RawRequest {
  const target = originForm(request.raw.url ?? '/')
  const mark = target.indexOf('?')
  const given = request.params as { readonly [position: string]: string }
  // By position: an application may have parameters of its own in the prefix.
  const parameters: string[] = []
  for (let position = 0; position < numberOfParameters; position++) parameters.push(given[position] ?? '')
  return {
    address,
    path: mark === -1 ? target : target.slice(0, mark),
    parameters,
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: request.raw.headers,
    body: request.body as Buffer | undefined,
  }
}

/** Node knows more methods than a resource has any use for. */
const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

function unknownMethod(method: string): Answer {
  return problemAnswer(problem('unknown-method', { detail: `${method} is no method of this service.` }))
}

/** Which methods a path has is public, as the documents are. */
const forAnyone = policy({ scope: undefined })

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
    app.route({
      ...forAnyone,
      method: 'OPTIONS',
      url,
      handler: (request, reply) => send(request, reply, allowed(allow)),
    })
    const refused = knownMethods.filter((method) => !methods.has(method))
    app.route({
      ...forAnyone,
      method: refused,
      url,
      exposeHeadRoute: false,
      handler: (request, reply) =>
        pathOf(request).endsWith('/') ? reply.callNotFound() : send(request, reply, methodNotAllowed(request, allow)),
    })
  }
}

function allowed(allow: string): Answer {
  return { status: 204, body: '', headers: { allow } }
}

function methodNotAllowed(request: FastifyRequest, allow: string): Answer {
  const detail = `${request.method} is not offered at ${cut(pathOf(request))}.`
  return problemAnswer(problem('method-not-allowed', { detail, hint: `Use ${allow}.` }), { allow })
}

/** What is asked for without its version, at the latest one that has it. */
function versionOf(path: string, paths: ReadonlySet<string>): string | undefined {
  const isAsked = (one: string) => path === one || path.startsWith(`${one}/`)
  return [...paths].findLast((one) => /\/v\d+\//.test(one) && isAsked(one.replace(/\/v\d+\//, '/')))
}

/** The answer to a path that nothing stands at, with the nearest one that there is. */
export function notFound(operations: readonly Operation[], prefix: string) {
  const paths = new Set(operations.map(({ path }) => prefix + path.replace(/\/[^/]*\{.*$/, '')))
  const all = new Set(['HEAD', 'OPTIONS', ...operations.map(({ method }) => method)])
  return (request: FastifyRequest, reply: FastifyReply) => {
    // What is asked with a star concerns the service as a whole.
    if (request.method === 'OPTIONS' && request.raw.url === '*')
      return send(request, reply, allowed([...all].sort().join(', ')))
    const path = pathOf(request)
    const near = nearest(path, paths) ?? versionOf(path, paths)
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
