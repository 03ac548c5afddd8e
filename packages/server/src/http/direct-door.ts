/** The door of a server of our own: nobody else's hooks wait for the answer, so head and body leave in one write. */
import type { ServerResponse } from 'node:http'
import { encode } from '../answer/encoding.ts'
import type { Answer } from '../answer/write-answer.ts'
import { addHead, type Door, encodingFor, idOf, isAscii, isBodiless } from './door.ts'
import type { Traffic } from './traffic.ts'

export function directDoor(traffic: Traffic): Door {
  return {
    receive: ({ raw, headers }, reply) => {
      // Without a body to read, most requests are answered before the event loop turns and anyone could look for them.
      const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
      if (hasBody) traffic.begin(raw, reply.raw)
    },
    wait: ({ raw }, reply) => traffic.begin(raw, reply.raw),
    send: ({ raw, headers }, reply, answer) => {
      const encoding = encodingFor(headers, answer)
      const head = ['x-request-id', idOf(headers), 'vary', 'accept-encoding']
      const transaction = headers['x-transaction-id']
      if (transaction !== undefined) head.push('x-transaction-id', `${transaction}`)
      addHead(head, answer, encoding)
      const finish = (body: string | Buffer) => {
        const { raw: response } = reply.hijack()
        traffic.answered(raw, response, write(response, answer, head, body))
      }
      if (encoding === undefined || isBodiless(answer)) return finish(answer.body)
      traffic.begin(raw, reply.raw)
      return encode(answer.body, encoding).then(finish)
    },
  }
}

/** Writes the whole answer, and gives the size of its body. */
function write(response: ServerResponse, answer: Answer, head: string[], body: string | Buffer): number {
  if (isBodiless(answer)) {
    response.writeHead(answer.status, head).end()
    return 0
  }
  const size = Buffer.byteLength(body)
  head.push('content-length', `${size}`)
  response.writeHead(answer.status, head)
  if (response.req.method === 'HEAD') response.end()
  else if (typeof body !== 'string' || size === body.length) response.end(body, 'latin1')
  else response.end(isAscii(head.join()) ? body : Buffer.from(body))
  return size
}
