/**
 * The front desk of a server of our own: it serves the plain requests of operations straight from the connection. What is
 * unusual in any way is left to the framework, which answers every request just the same, only not as fast.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Operation } from '@nomen/core'
import { type Answer, problemAnswer } from '../answer/write-answer.ts'
import { anyone } from '../caller.ts'
import type { RawRequest } from '../read/ask.ts'
import type { RequestLine } from '../request-line.ts'
import { hasBody, readBody } from './body.ts'
import { thrownAnswer } from './error-answer.ts'
import type { Gate } from './gate.ts'
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

export function frontDesk({ lines, gate, traffic, bodyLimit, onFault }: FrontDeskParts): FrontDesk {
  const routes = new RouteTree<RequestLine>()
  for (const [{ method, path }, line] of lines) routes.add(method, path, line)
  const send = sender(traffic, onFault)

  const serve = (line: RequestLine, raw: RawRequest, request: IncomingMessage, response: ServerResponse) => {
    const answer = attempt(() => line(raw, anyone), onFault)
    if (!(answer instanceof Promise)) return send(request, response, answer)
    traffic.begin(request, response)
    answer.then(
      (done) => send(request, response, done),
      (error) => send(request, response, thrownAnswer(error, onFault)),
    )
  }

  return (request, response) => {
    const { url = '', method = '', headers } = request
    const mark = url.indexOf('?')
    const path = mark === -1 ? url : url.slice(0, mark)
    // What is encoded must be decoded first; a fragment, or another form of the target, is a case of its own.
    if (path.includes('%') || url.includes('#') || !path.startsWith('/')) return false
    const found = routes.find(method === 'HEAD' ? 'GET' : method, path)
    if (!found) return false
    if (traffic.isStopping) response.shouldKeepAlive = false
    const refused = gate(request)
    if (refused) {
      send(request, response, problemAnswer(refused))
      return true
    }
    const { route, parameters } = found
    const query = mark === -1 ? '' : url.slice(mark + 1)
    const raw = { address: request.socket.remoteAddress ?? '', path, parameters, query, headers, body: undefined }
    if (!hasBody(request)) {
      serve(route, raw, request, response)
      return true
    }
    traffic.begin(request, response)
    readBody(request, bodyLimit, (body) => {
      if (Buffer.isBuffer(body)) return serve(route, { ...raw, body }, request, response)
      // The client may go on sending what nobody reads.
      response.shouldKeepAlive = false
      send(request, response, problemAnswer(body.problem))
    })
    return true
  }
}

function attempt(walk: () => Answer | Promise<Answer>, onFault: FrontDeskParts['onFault']): Answer | Promise<Answer> {
  try {
    return walk()
  } catch (error) {
    return thrownAnswer(error, onFault)
  }
}
