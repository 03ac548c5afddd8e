/**
 * The front desk of a server of our own: it serves the plain requests of operations straight from the connection. What is
 * unusual in any way is left to the framework, which answers every request just the same, only not as fast.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Operation, scopeOf } from '@nomen/core'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import type { Caller } from '../caller.ts'
import type { RawRequest } from '../read/ask.ts'
import type { RequestLine } from '../request-line.ts'
import { hasBody, readBody } from './body.ts'
import { thrownAnswer } from './error-answer.ts'
import { type Admission, type Gate, isRefused } from './gate.ts'
import { noteOperation } from './noted-operation.ts'
import { RouteTree } from './route-tree.ts'
import { sender } from './sender.ts'
import type { Traffic } from './traffic.ts'

export interface FrontDeskParts {
  readonly lines: ReadonlyMap<Operation, RequestLine>
  readonly gate: Gate
  readonly traffic: Traffic
  readonly bodyLimit: number
  /** Told of every fault that is answered as 500. */
  readonly onFault: (error: unknown) => void
}

/** Serves a request, or gives false and has not touched it. */
export type FrontDesk = (request: IncomingMessage, response: ServerResponse) => boolean

/** What stands at a path. */
interface Route {
  readonly operation: Operation
  readonly line: RequestLine
  readonly scope: string
}

export function frontDesk({ lines, gate, traffic, bodyLimit, onFault }: FrontDeskParts): FrontDesk {
  const routes = new RouteTree<Route>()
  for (const [operation, line] of lines) {
    routes.add(operation.method, operation.path, { operation, line, scope: scopeOf(operation) })
  }
  const send = sender(traffic, onFault)

  const serve = (visit: Visit, raw: RawRequest, caller: Caller) => {
    const { line, request, response } = visit
    const answer = attempt(() => line(raw, caller), onFault)
    if (!(answer instanceof Promise)) return send(request, response, answer)
    traffic.begin(request, response)
    answer.then(
      (done) => send(request, response, done),
      (error) => send(request, response, thrownAnswer(error, onFault)),
    )
  }

  const enter = (visit: Visit, admission: Admission) => {
    const { raw, request, response } = visit
    if (isRefused(admission)) return send(request, response, admission)
    if (!hasBody(request)) return serve(visit, raw, admission)
    traffic.begin(request, response)
    readBody(request, bodyLimit, (body) => {
      if (Buffer.isBuffer(body)) return serve(visit, { ...raw, body }, admission)
      // The client may go on sending what nobody reads.
      response.shouldKeepAlive = false
      send(request, response, problemAnswer(body.problem))
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
    noteOperation(request, route.operation)
    if (traffic.isStopping) response.shouldKeepAlive = false
    const query = mark === -1 ? '' : url.slice(mark + 1)
    const raw = { address: traffic.clientOf(request).address, path, parameters, query, headers, body: undefined }
    const visit = { line: route.line, raw, request, response }
    const admission = gate(request, route.scope)
    if (!(admission instanceof Promise)) enter(visit, admission)
    else {
      traffic.begin(request, response)
      admission.then((done) => enter(visit, done))
    }
    return true
  }
}

/** A request at the desk, and the line that it will walk. */
interface Visit {
  readonly line: RequestLine
  readonly raw: RawRequest
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function attempt(walk: () => Answer | Promise<Answer>, onFault: FrontDeskParts['onFault']): Answer | Promise<Answer> {
  try {
    return walk()
  } catch (error) {
    return thrownAnswer(error, onFault)
  }
}
