/** Sends answers straight to the connection: head and body leave in one write. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encode } from '../answer/encoding.ts'
import type { Answer } from '../answer/write-answer.ts'
import { addHead, encodingFor, idOf, isBodiless } from './head.ts'
import type { Traffic } from './traffic.ts'

type Body = string | Buffer | undefined

/** Sends an answer, compressed where it is worth it and the client takes it. */
export type Sender = (request: IncomingMessage, response: ServerResponse, answer: Answer) => void

export function sender(traffic: Traffic, onFault: (error: unknown) => void): Sender {
  const finish = (request: IncomingMessage, response: ServerResponse, status: number, head: string[], body: Body) => {
    traffic.answered(request, response, write(response, status, head, body))
  }
  return (request, response, answer) => {
    const { headers } = request
    const encoding = encodingFor(headers, answer)
    const head = ['x-request-id', idOf(headers), 'vary', 'accept-encoding']
    const transaction = headers['x-transaction-id']
    if (transaction !== undefined) head.push('x-transaction-id', `${transaction}`)
    addHead(head, answer, encoding)
    const { status, body } = answer
    if (isBodiless(answer)) finish(request, response, status, head, undefined)
    else if (encoding === undefined) {
      // Node writes the head in the encoding of a body that is text; what a client sent must go back byte by byte.
      const isOurs = transaction === undefined && answer.headers === undefined
      finish(request, response, status, head, isOurs ? body : Buffer.from(body))
    } else {
      traffic.begin(request, response)
      encode(body, encoding)
        .then((encoded) => finish(request, response, status, head, encoded))
        .catch((error) => {
          onFault(error)
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
