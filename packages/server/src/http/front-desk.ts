/**
 * The front desk of a server of our own: it serves the plain requests of operations straight from the connection. What is
 * unusual in any way is left to the framework, which answers every request just the same, only not as fast.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Operation, scopeOf } from '@nomen/core'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { Caller } from '../caller.ts'
import type { FaultListener } from '../fault-report.ts'
import type { HttpMeter, OperationMeter } from '../metrics/http-meter.ts'
import type { RawRequest } from '../read/ask.ts'
import type { RequestLine } from '../request-line.ts'
import type { RequestWatcher } from '../request-watch.ts'
import { hasBody, isBodiless, isLarge, readBody } from './body.ts'
import { thrownAnswer } from './error-answer.ts'
import { type Admission, type Gate, isRefused } from './gate.ts'
import type { HeadStart } from './head.ts'
import { RouteTree } from './route-tree.ts'
import { sender } from './sender.ts'
import type { Timing } from './timing.ts'
import type { Traffic } from './traffic.ts'
import type { Turnstile } from './turnstile.ts'

export interface FrontDeskParts {
  readonly lines: ReadonlyMap<Operation, RequestLine>
  readonly gate: Gate
  readonly traffic: Traffic
  readonly meter: HttpMeter
  readonly start: HeadStart
  readonly turnstile: Turnstile
  readonly watcher: RequestWatcher | undefined
  readonly bodyLimit: number
  /** Told of every fault that is answered as 500. */
  readonly onFault: FaultListener
}

/** Serves a request, or gives false and has not touched it. */
export type FrontDesk = (request: IncomingMessage, response: ServerResponse) => boolean

/** What stands at a path. */
interface Route {
  readonly line: RequestLine
  readonly scope: string
  readonly meter: OperationMeter
}

export function frontDesk({
  lines,
  gate,
  traffic,
  meter,
  start,
  turnstile,
  watcher,
  bodyLimit,
  onFault,
}: FrontDeskParts): FrontDesk {
  const routes = new RouteTree<Route>()
  for (const [operation, line] of lines) {
    routes.add(operation.method, operation.path, { line, scope: scopeOf(operation), meter: meter.of(operation) })
  }
  const send = sender(traffic, start, onFault)

  const serve = (visit: Visit, raw: RawRequest, caller: Caller) => {
    const { line, request, response } = visit
    const answer = attempt(() => line(raw, caller), request, onFault)
    if (!(answer instanceof Promise)) return send(request, response, visit, answer)
    traffic.begin(request, response, visit)
    answer.then(
      (done) => send(request, response, visit, done),
      (error) => send(request, response, visit, thrownAnswer(error, request, onFault)),
    )
  }

  const serveInTurn = (visit: Visit, raw: RawRequest, caller: Caller) => {
    const { request, response } = visit
    const isServed = turnstile.enter(() => {
      // Some have left before it was their turn.
      if (!response.destroyed) serve(visit, raw, caller)
    })
    if (!isServed) traffic.begin(request, response, visit)
  }

  const enter = (visit: Visit, admission: Admission) => {
    const { raw, request, response } = visit
    if (isRefused(admission)) return send(request, response, visit, admission)
    // The body of a GET is refused without being read.
    if (!hasBody(request) || isBodiless(request.method)) return serveInTurn(visit, raw, admission)
    traffic.begin(request, response, visit)
    readBody(request, bodyLimit, (body) => {
      if (Buffer.isBuffer(body)) return serveInTurn(visit, { ...raw, body }, admission)
      // The client may go on sending what nobody reads.
      response.shouldKeepAlive = false
      send(request, response, visit, problemAnswer(body.problem))
    })
  }

  return (request, response) => {
    const { url = '', method = '', headers } = request
    const mark = url.indexOf('?')
    const path = mark === -1 ? url : url.slice(0, mark)
    // What is encoded must be decoded first; a fragment, or another form of the target, is a case of its own.
    if (path.includes('%') || url.includes('#') || !path.startsWith('/')) return false
    const found = routes.find(method === 'HEAD' ? 'GET' : method, path)
    if (!found) return false
    const { route, parameters } = found
    if (traffic.isStopping) response.shouldKeepAlive = false
    const query = mark === -1 ? '' : url.slice(mark + 1)
    const { line, scope, meter: own } = route
    const began = performance.now()
    const watch = watcher?.(request, own.labels.route, began)
    const { address } = traffic.clientOf(request)
    const raw = { address, path, parameters, query, headers, body: undefined, watch }
    const visit = { line, raw, request, response, meter: own, began, watch }
    const shed = turnstile.refusal(method)
    if (shed) {
      if (isLarge(request)) response.shouldKeepAlive = false
      send(request, response, visit, shed)
      return true
    }
    const admission = gate(request, scope)
    if (!(admission instanceof Promise)) enter(visit, admission)
    else {
      traffic.begin(request, response, visit)
      admission.then((done) => enter(visit, done))
    }
    return true
  }
}

/** A request at the desk, and the line that it will walk. */
interface Visit extends Timing {
  readonly line: RequestLine
  readonly raw: RawRequest
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function attempt(
  walk: () => Answer | Promise<Answer>,
  request: IncomingMessage,
  onFault: FaultListener,
): Answer | Promise<Answer> {
  try {
    return walk()
  } catch (error) {
    return thrownAnswer(error, request, onFault)
  }
}
