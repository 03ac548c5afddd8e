/** The door of a service that is mounted in another application, whose hooks may look at every answer and change it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode } from '../answer/encoding.ts'
import { addHead, type Door, encodingFor, idOf, isBodiless } from './door.ts'
import type { Traffic } from './traffic.ts'

export function hostedDoor(traffic: Traffic): Door {
  return {
    receive: (request, reply) => {
      // What stands in the head at the end counts, whoever wrote it.
      traffic.begin(request.raw, reply.raw, () => Number(reply.getHeader('content-length') ?? 0))
      // Now, because a hook of the application may give the answer.
      reply.header('x-request-id', idOf(request.headers))
      const transaction = request.headers['x-transaction-id']
      if (transaction !== undefined) reply.header('x-transaction-id', transaction)
    },
    body: (request, _, use) => use(request.body as Buffer | undefined),
    wait: () => undefined,
    send: (request, reply, answer) => {
      const { status, body } = answer
      const encoding = encodingFor(request.headers, answer)
      const vary = reply.getHeader('vary')
      reply.code(status).header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
      const head: string[] = []
      addHead(head, answer, encoding)
      for (let index = 0; index < head.length; index += 2) reply.header(`${head[index]}`, head[index + 1])
      if (isBodiless(answer)) return reply.send()
      if (isBareHead(request)) return reply.header('content-length', Buffer.byteLength(body)).send()
      if (encoding !== undefined) return encode(body, encoding).then((encoded) => reply.send(encoded))
      return reply.send(isAscii(reply) ? body : Buffer.from(body))
    },
  }
}

/** A HEAD that no GET stands behind; for the others Fastify takes the body away itself. */
function isBareHead({ method, is404 }: FastifyRequest): boolean {
  return method === 'HEAD' && is404
}

/** Node writes the head in the encoding of a body that is text; beyond ASCII only bytes leave it as it is. */
function isAscii(reply: FastifyReply): boolean {
  return /^[ -~]*$/.test(Object.values(reply.getHeaders()).join())
}
