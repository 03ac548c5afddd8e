/** The routes of a service: its operations and pages, and the responses for every other path and method. */
import type { IncomingHttpHeaders } from 'node:http'
import { nearest, type Operation, ProblemError, problem, scopeOf } from '@nomen/core'
import type { Caller } from '../define/caller/caller.ts'
import type { MaybePromise } from '../foundation/maybe-promise.ts'
import { quoted } from '../foundation/quoted.ts'
import { type Match, Router } from '../message/router.ts'
import { problemResponse, type TextResponse } from '../message/text-response.ts'
import type { HttpMeter, OperationMeter } from '../observe/metrics/http.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { mediaTypeCheck } from '../pipeline/read/media-type.ts'
import type { RawRequest } from '../pipeline/read/parsed-request.ts'
import type { Exchange } from './exchange.ts'
import type { HttpResponse } from './response.ts'

export interface Route {
  /** The scopes that a caller needs, all of them, separated by spaces: `user:write user:read`; undefined lets anyone in. */
  readonly requiredScopes: string | undefined
  /** Counts the requests of an operation; absent for pages. */
  readonly meter?: OperationMeter
  /** A health probe: open to anyone, not logged, not rate-limited and not shed under overload. */
  readonly isProbe?: boolean
  /** A built-in path such as `/docs`, not an operation: neither traced nor counted as usage. Unless it is a probe, it is rate-limited and logged. */
  readonly isBuiltIn?: boolean
  /** Whether clients can follow its changes: the response may be a stream that outlives the token of its caller. */
  readonly canBeFollowed?: boolean
  /** For a client that waits for 100 Continue: the response if the headers already show that the body will be rejected. */
  readonly bodyRejection?: ((headers: IncomingHttpHeaders) => TextResponse | undefined) | undefined
  /** Whether it is also served under overload. */
  readonly isServedUnderOverload?: boolean
  serve(request: RawRequest, caller: Caller): MaybePromise<HttpResponse>
}

/** A built-in page, such as `/docs`. */
export interface Page extends Route {
  /** `/docs`, or `/docs/*` for everything below. */
  readonly path: string
}

export interface RoutedRequest {
  readonly route: Route
  /** The request; its body is set once it has been read. */
  readonly raw: Omit<RawRequest, 'body' | 'renewCaller' | 'isClosed'> & {
    body: Uint8Array | undefined
    renewCaller?: RawRequest['renewCaller']
    isClosed?: RawRequest['isClosed']
  }
}

/** Finds the route of a request. Every request has one: for an unknown path it responds 404. */
export type FindRoute = (exchange: Exchange) => RoutedRequest

export interface RoutesOptions {
  readonly pipelines: ReadonlyMap<Operation, Pipeline>
  readonly pages: readonly Page[]
  readonly meter: HttpMeter
  /** The path that the service is mounted below. */
  readonly prefix: string
  /**
   * Whether the application has already matched the prefix. The prefix can then have parameters, such as `/:tenant/api`, so
   * it is not compared.
   */
  readonly isMatched: boolean
}

export function routesOf(options: RoutesOptions): FindRoute {
  const routeAt = routeFinder(options)
  return ({ request, client, requestId }) => {
    const { method, url, headers } = request
    try {
      const target = originForm(url)
      const queryStart = target.indexOf('?')
      const path = queryStart === -1 ? target : target.slice(0, queryStart)
      const query = queryStart === -1 ? '' : target.slice(queryStart + 1)
      const { route, parameters } = routeAt(method, path)
      return { route, raw: { address: client.address, requestId, path, parameters, query, headers, body: undefined } }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { route, parameters } = routeTo(problemResponse(error.problem))
      return {
        route,
        raw: { address: client.address, requestId, path: url, parameters, query: '', headers, body: undefined },
      }
    }
  }
}

interface RouteMatch {
  readonly route: Route
  readonly parameters: readonly string[]
}

/** Finds the route of a method and a path; for an unknown one, a route that responds with a problem. */
function routeFinder(options: RoutesOptions): (method: string, path: string) => RouteMatch {
  const { pipelines, prefix, isMatched } = options
  const router = routerOf(options)
  const operations = [...pipelines.keys()]
  const allowOfAll = allowOf(operations.map(({ method }) => method))
  const hint = pathHint(operations, prefix)
  const depth = prefix.split('/').length - 1
  const prefixWithSlash = isMatched || prefix === '' ? undefined : `${prefix}/`
  return (method, path) => {
    if (method !== 'GET' && !knownMethods.has(method)) return routeTo(unknownMethod(method))
    if (path === '*')
      return method === 'OPTIONS' ? routeTo(optionsResponse(allowOfAll)) : routeTo(notFound(path, undefined))
    const isBelow = prefixWithSlash === undefined || path === prefix || path.startsWith(prefixWithSlash)
    const match = isBelow ? router.find(pathBelowPrefix(path, depth)) : undefined
    if (!match) return routeTo(notFound(path, hint(path)))
    const route = match.routes.get(method === 'HEAD' ? 'GET' : method)
    return route ? { route, parameters: match.parameters } : routeTo(methodResponse(method, path, match))
  }
}

function routerOf({ pipelines, pages, meter }: RoutesOptions): Router<Route> {
  const router = new Router<Route>()
  for (const [operation, serve] of pipelines)
    router.add(operation.method, operation.path, {
      requiredScopes: scopeOf(operation),
      meter: meter.of(operation),
      canBeFollowed: operation.list?.canBeFollowed === true,
      serve,
      bodyRejection: operation.body ? bodyRejectionOf(operation) : undefined,
    })
  for (const page of pages) router.add('GET', page.path, { ...page, isBuiltIn: true })
  return router
}

/** The methods that the service knows; Node knows more. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])

/** A route that sends this response to any caller: paths and methods are public, as the OpenAPI documents are. */
function routeTo(response: TextResponse): RouteMatch {
  return { route: { requiredScopes: undefined, serve: () => response, bodyRejection: () => response }, parameters: [] }
}

function bodyRejectionOf(operation: Operation): NonNullable<Route['bodyRejection']> {
  const check = mediaTypeCheck(operation)
  return (headers) => {
    const rejection = check(headers)
    return rejection && problemResponse(rejection.problem, rejection.headers)
  }
}

function methodResponse(method: string, path: string, { routes }: Match<Route>): TextResponse {
  const allow = allowOf(routes.keys())
  if (method === 'OPTIONS') return optionsResponse(allow)
  const detail = `${quoted(path)} does not support ${method}.`
  return problemResponse(problem('method-not-allowed', { detail, hint: `Use ${allow}.` }), { allow })
}

/** The value of an Allow header. */
function allowOf(methods: Iterable<string>): string {
  const all = new Set(['OPTIONS', ...methods])
  if (all.has('GET')) all.add('HEAD')
  return [...all].sort().join(', ')
}

function optionsResponse(allow: string): TextResponse {
  return { status: 204, body: '', headers: { allow } }
}

function unknownMethod(method: string): TextResponse {
  return problemResponse(problem('unknown-method', { detail: `Method ${quoted(method)} is not supported.` }))
}

function notFound(path: string, hint: string | undefined): TextResponse {
  const detail = `The path ${quoted(path)} does not exist.`
  return problemResponse(problem('path-not-found', { detail, ...(hint && { hint }) }))
}

/** Suggests the nearest path that exists; if several versions are equally near, the latest. */
function pathHint(operations: readonly Operation[], prefix: string): (path: string) => string | undefined {
  const suggested = operations.filter(({ changesOf }) => !changesOf)
  const latestFirst = suggested.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0))
  const paths = new Set(latestFirst.map(({ path }) => prefix + path.replace(/\/[^/]*\{.*$/, '')))
  return (path) => {
    if (path !== '/' && path.endsWith('/')) return 'With a trailing slash, it is another path: remove the slash.'
    const suggestion = nearest(path, paths) ?? versionedPath(path, paths)
    return suggestion && `Did you mean ${suggestion}?`
  }
}

/** For a path whose version is missing, such as `/user/7`: its list in the latest version that has it, `/v2/user`. `paths` has the latest version first. */
function versionedPath(path: string, paths: ReadonlySet<string>): string | undefined {
  const isAtOrBelow = (listPath: string) => path === listPath || path.startsWith(`${listPath}/`)
  // The path, or one above it, exists without a version: no version is missing.
  if ([...paths].some(isAtOrBelow)) return undefined
  return [...paths].find((candidate) => /\/v\d+\//.test(candidate) && isAtOrBelow(candidate.replace(/\/v\d+\//, '/')))
}

/** The path within the service. */
function pathBelowPrefix(path: string, depth: number): string {
  let prefixEnd = 0
  for (let level = 0; level < depth && prefixEnd !== -1; level++) prefixEnd = path.indexOf('/', prefixEnd + 1)
  return prefixEnd === -1 ? '/' : path.slice(prefixEnd)
}

/** A request may name the whole URL; a fragment must not be in it. */
function originForm(target: string): string {
  if (target.includes('#')) {
    throw new ProblemError(
      problem('malformed-url', {
        detail: `The URL ${quoted(target)} contains a fragment.`,
        hint: 'Remove the # and everything after it, or encode the # as %23.',
      }),
    )
  }
  return target.startsWith('/') || target === '*' ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '')
}
