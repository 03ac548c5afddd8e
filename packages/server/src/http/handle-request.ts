/**
 * Handles a request: find the route, respond to a CORS preflight, shed load, authenticate, apply the rate limit, read the body,
 * run the pipeline, respond. An adapter (Node, fetch or Fastify) wraps a request and its response in an `Exchange` and passes it
 * to the handler.
 */
import { problem } from '@nomen/core'
import { andThen } from '../foundation/maybe-promise.ts'
import { problemResponse } from '../message/text-response.ts'
import type { FaultListener } from '../observe/fault-report.ts'
import type { StartTrace } from '../pipeline/request-trace.ts'
import type { Cors } from './admit/cors.ts'
import type { Admit } from './admit/gate.ts'
import type { LoadShedder } from './admit/load-shedder.ts'
import { hasBody, hasLargeBody, takesNoBody } from './body.ts'
import { errorResponse } from './error-response.ts'
import type { Exchange } from './exchange.ts'
import type { HttpResponse, Respond } from './response.ts'
import type { FindRoute, Route, RoutedRequest } from './routes.ts'

export interface HandlerDependencies {
  readonly findRoute: FindRoute
  readonly cors: Cors | undefined
  readonly loadShedder: LoadShedder
  readonly admit: Admit
  /** Checks the caller of a stream again, without the rate limit. */
  readonly readmit: Admit
  readonly bodyLimit: number
  readonly respond: Respond
  readonly startTrace: StartTrace | undefined
  readonly onFault: FaultListener
}

export type HandleRequest = (exchange: Exchange) => void

export function requestHandler(dependencies: HandlerDependencies): HandleRequest {
  const { findRoute, cors, loadShedder, admit, respond, startTrace } = dependencies
  const run = routeRunner(dependencies)
  const readBodyAndRun = runnerAfterBody(dependencies, run)
  const renewCaller = callerRenewal(dependencies)
  return (exchange) => {
    const { request, transport } = exchange
    const routed = findRoute(exchange)
    const { route } = routed
    if (route.meter) exchange.meter = route.meter
    exchange.isLogged = !route.isProbe
    exchange.isBuiltIn = route.isBuiltIn === true
    if (route.isProbe) return run(exchange, routed)
    if (route.canBeFollowed) routed.raw.isClosed = () => transport.isClosed
    if (route.canBeFollowed && request.method === 'GET') routed.raw.renewCaller = () => renewCaller(exchange, route)
    if (!route.isBuiltIn) exchange.trace = startTrace?.(request, route.meter?.labels.route, exchange.startedAt)
    const earlyResponse =
      cors?.preflight(request.method, request.headers) ??
      (route.isServedUnderOverload ? undefined : loadShedder.rejection(request.method))
    if (earlyResponse) {
      if (hasLargeBody(request)) transport.closeAfterResponse()
      return respond(exchange, earlyResponse)
    }
    const admission = admit(exchange, route.requiredScopes)
    if (admission instanceof Promise) transport.registerPending(exchange)
    andThen(admission, (rejection) => (rejection ? respond(exchange, rejection) : readBodyAndRun(exchange, routed)))
  }
}

type RunRoute = (exchange: Exchange, routed: RoutedRequest) => void

/** Returns a function that runs the route and responds. It avoids closures for synchronous responses, which are the most common. */
function routeRunner({ respond, onFault }: HandlerDependencies): RunRoute {
  const serve = ({ trace, caller }: Exchange, { route, raw }: RoutedRequest) =>
    trace ? trace.run(() => route.serve({ ...raw, trace }, caller)) : route.serve(raw, caller)
  return (exchange, routed) => {
    try {
      const response = serve(exchange, routed)
      if (!(response instanceof Promise)) return respond(exchange, response)
      exchange.transport.registerPending(exchange)
      response.then(
        (laterResponse) => respond(exchange, laterResponse),
        (error) => respond(exchange, errorResponse(error, exchange, onFault)),
      )
    } catch (error) {
      respond(exchange, errorResponse(error, exchange, onFault))
    }
  }
}

/** Returns a function that reads the body, if there is one, and then runs the route as soon as the load shedder schedules it. */
function runnerAfterBody({ loadShedder, bodyLimit, respond, onFault }: HandlerDependencies, run: RunRoute): RunRoute {
  const runInTurn: RunRoute = (exchange, routed) => {
    const { transport } = exchange
    // The client may disconnect while the request is queued.
    const ranAtOnce = loadShedder.schedule(() => transport.isClosed || run(exchange, routed))
    if (!ranAtOnce) transport.registerPending(exchange)
  }
  return (exchange, routed) => {
    const { request, transport } = exchange
    // The route rejects the body of a GET without reading it.
    if (!hasBody(request) || takesNoBody(request.method)) return runInTurn(exchange, routed)
    transport.registerPending(exchange)
    // A client that waits for 100 Continue need not send a body that would be rejected.
    const rejection = request.headers.expect === undefined ? undefined : routed.route.bodyRejection?.(request.headers)
    if (rejection) return respond(exchange, rejection)
    const onBody = (body: Uint8Array | undefined) => {
      if (body) {
        routed.raw.body = body
        return runInTurn(exchange, routed)
      }
      // The client may continue to send a body that is not read.
      transport.closeAfterResponse()
      respond(exchange, bodyTooLarge(bodyLimit))
    }
    try {
      transport.readBody(bodyLimit, onBody)
    } catch (error) {
      respond(exchange, errorResponse(error, exchange, onFault))
    }
  }
}

/** Authenticates the caller of a stream again. After a rejection, the access log still names the caller who opened the stream. */
function callerRenewal({ readmit }: HandlerDependencies) {
  return (exchange: Exchange, { requiredScopes }: Route) => {
    const { caller } = exchange
    return andThen(readmit(exchange, requiredScopes), (rejection) => {
      const renewedCaller = exchange.caller
      if (rejection) exchange.caller = caller
      return rejection ? undefined : renewedCaller
    })
  }
}

function bodyTooLarge(limit: number): HttpResponse {
  const texts = { detail: `The body exceeds the limit of ${limit} bytes.`, hint: 'Send a smaller body.' }
  return problemResponse(problem('body-too-large', texts))
}
