/**
 * The life of a request: route, shed load, authenticate and limit, read the body, run the pipeline, respond. Adapters only translate:
 * they call it with an exchange.
 */
import { problem } from '@nomen/core'
import { andThen, attempt } from '../foundation/maybe-promise.ts'
import { problemAnswer } from '../message/answer.ts'
import type { FaultListener } from '../observe/fault-report.ts'
import type { RequestWatcher } from '../pipeline/request-trace.ts'
import type { Cors } from './admit/cors.ts'
import type { Admit } from './admit/gate.ts'
import type { LoadShedder } from './admit/load-shedder.ts'
import { hasBody, hasLargeBody, takesNoBody } from './body.ts'
import { thrownAnswer } from './error-answer.ts'
import type { Exchange } from './exchange.ts'
import type { HttpResponse, Respond } from './response.ts'
import type { FindRoute, Routed } from './routes.ts'

export interface HandlerParts {
  readonly findRoute: FindRoute
  readonly cors: Cors | undefined
  readonly loadShedder: LoadShedder
  readonly admit: Admit
  readonly bodyLimit: number
  readonly respond: Respond
  readonly watcher: RequestWatcher | undefined
  readonly onFault: FaultListener
}

export type HandleRequest = (exchange: Exchange) => void

export function requestHandler(parts: HandlerParts): HandleRequest {
  const { findRoute, cors, loadShedder, admit, bodyLimit, respond, watcher, onFault } = parts

  const run = (exchange: Exchange, { route, raw }: Routed) => {
    const failed = (error: unknown) => thrownAnswer(error, exchange, onFault)
    const { trace, caller } = exchange
    const serve = trace
      ? () => trace.run(() => route.serve({ ...raw, watch: trace }, caller))
      : () => route.serve(raw, caller)
    const response = attempt<HttpResponse>(serve, failed)
    if (response instanceof Promise) exchange.transport.begin(exchange)
    andThen(response, (done) => respond(exchange, done))
  }

  const runInTurn = (exchange: Exchange, routed: Routed) => {
    const { transport } = exchange
    // A client may leave before its turn.
    const isRun = loadShedder.schedule(() => transport.isClosed || run(exchange, routed))
    if (!isRun) transport.begin(exchange)
  }

  const readBodyAndRun = (exchange: Exchange, routed: Routed) => {
    const { request, transport } = exchange
    if (!hasBody(request) || takesNoBody(request.method)) return runInTurn(exchange, routed)
    transport.begin(exchange)
    const take = (body: Uint8Array | undefined) => {
      if (body) return runInTurn(exchange, { ...routed, raw: { ...routed.raw, body } })
      // The client may continue to send a body that is not read.
      transport.closeAfterResponse()
      respond(exchange, bodyTooLarge(bodyLimit))
    }
    try {
      transport.readBody(bodyLimit, take)
    } catch (error) {
      respond(exchange, thrownAnswer(error, exchange, onFault))
    }
  }

  return (exchange) => {
    const { request, transport } = exchange
    const routed = findRoute(exchange)
    const { route } = routed
    if (route.meter) exchange.meter = route.meter
    exchange.isLogged = !route.isProbe
    exchange.isPage = route.isPage === true
    if (route.isProbe) return run(exchange, routed)
    if (!route.isPage) exchange.trace = watcher?.(request, route.meter?.labels.route, exchange.startedAt)
    const refusal =
      cors?.preflight(request.method, request.headers) ??
      (route.isUrgent ? undefined : loadShedder.refusal(request.method))
    if (refusal) {
      if (hasLargeBody(request)) transport.closeAfterResponse()
      return respond(exchange, refusal)
    }
    const admission = admit(exchange, route.scope)
    if (admission instanceof Promise) transport.begin(exchange)
    andThen(admission, (refused) => (refused ? respond(exchange, refused) : readBodyAndRun(exchange, routed)))
  }
}

function bodyTooLarge(limit: number): HttpResponse {
  const parts = { detail: `The body is larger than ${limit} bytes.`, hint: 'Send less at a time.' }
  return problemAnswer(problem('body-too-large', parts))
}
