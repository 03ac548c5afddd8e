/** Sends answers straight to the connection: head and body leave in one write. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encode } from '../answer/encoding.ts'
import type { Answer } from '../answer/write-answer.ts'
import type { FaultListener } from '../fault-report.ts'
import { addHead, addQuota, addTiming, encodingFor, type HeadStart, isBodiless } from './head.ts'
import type { Timing } from './timing.ts'
import type { Traffic } from './traffic.ts'

type Body = string | Buffer | undefined

/** Sends an answer, compressed where it is worth it and the client takes it. */
export type Sender = (request: IncomingMessage, response: ServerResponse, timing: Timing, answer: Answer) => void

export function sender(traffic: Traffic, start: HeadStart, onFault: FaultListener): Sender {
  return (request, response, timing, answer) => {
    const { headers } = request
    const encoding = encodingFor(headers, answer)
    const head = start(headers)
    addHead(head, answer, encoding)
    addQuota(head, request)
    if (timing.watch) addTiming(head, timing.watch)
    const { status, body } = answer
    if (isBodiless(answer)) traffic.answered(request, response, timing, write(response, status, head, undefined))
    else if (encoding === undefined) {
      // Node writes the head in the encoding of a body that is text; what a client sent must go back byte by byte.
      const isOurs = headers['x-transaction-id'] === undefined && answer.headers === undefined
      const sent = isOurs ? body : Buffer.from(body)
      traffic.answered(request, response, timing, write(response, status, head, sent))
    } else {
      traffic.begin(request, response, timing)
      encode(body, encoding)
        .then((encoded) => traffic.answered(request, response, timing, write(response, status, head, encoded)))
        .catch((error) => {
          onFault(error, request)
          response.destroy()
        })
    }
  }
}

/** Writes the whole answer, and gives the size of the body that was sent. */
function write(response: ServerResponse, status: number, head: string[], body: Body): number {
  const size = body === undefined ? 0 : Buffer.byteLength(body)
  if (body !== undefined) head.push('content-length', `${size}`)
  response.writeHead(status, head)
  if (body === undefined || response.req.method === 'HEAD') {
    response.end()
    return 0
  }
  response.end(body, size === body.length ? 'latin1' : 'utf8')
  return size
}
