/** The door of a server of our own: nobody else's hooks wait for the answer, so head and body leave in one write. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { encode } from '../answer/encoding.ts'
import { hasBody, readBody } from './body.ts'
import { addHead, type Door, encodingFor, idOf, isBodiless } from './door.ts'
import type { Traffic } from './traffic.ts'

export function directDoor(traffic: Traffic, bodyLimit: number): Door {
  return {
    receive: ({ raw }, reply) => {
      // Without a body to read, most requests are answered before the event loop turns and anyone could look for them.
      if (hasBody(raw)) traffic.begin(raw, reply.raw)
    },
    body: ({ raw }, reply, use) => {
      if (!hasBody(raw)) return use(undefined)
      readBody(raw, bodyLimit, (body) => {
        if (Buffer.isBuffer(body)) attempt(reply, () => use(body))
        else {
          // The client may go on sending what nobody reads.
          reply.raw.shouldKeepAlive = false
          reply.send(body)
        }
      })
      return undefined
    },
    wait: ({ raw }, reply) => traffic.begin(raw, reply.raw),
    send: ({ raw, headers }, reply, answer) => {
      const encoding = encodingFor(headers, answer)
      const head = ['x-request-id', idOf(headers), 'vary', 'accept-encoding']
      const transaction = headers['x-transaction-id']
      if (transaction !== undefined) head.push('x-transaction-id', `${transaction}`)
      addHead(head, answer, encoding)
      const finish = (body: string | Buffer | undefined) => {
        const response = reply.hijack().raw
        traffic.answered(raw, response, write(response, answer.status, head, body))
      }
      if (isBodiless(answer)) return finish(undefined)
      // Node writes the head in the encoding of a body that is text; what a client sent must go back byte by byte.
      const isOurs = transaction === undefined && answer.headers === undefined
      if (encoding === undefined) return finish(isOurs ? answer.body : Buffer.from(answer.body))
      traffic.begin(raw, reply.raw)
      return encode(answer.body, encoding).then(finish)
    },
  }
}

/** Does what Fastify does not wait for, and tells it of what fails. */
function attempt(reply: FastifyReply, work: () => unknown): void {
  const fail = (error: unknown) => reply.send(error)
  try {
    const done = work()
    if (done instanceof Promise) done.catch(fail)
  } catch (error) {
    fail(error)
  }
}

/** Writes the whole answer, and gives the size of the body that was sent. */
function write(response: ServerResponse, status: number, head: string[], body: string | Buffer | undefined): number {
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
