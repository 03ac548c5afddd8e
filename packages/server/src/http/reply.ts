/** Answers through the framework, whose hooks may look at every answer and change it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encode } from '../answer/encoding.ts'
import type { Answer } from '../answer/write-answer.ts'
import { addHead, encodingFor, type HeadStart, isBodiless } from './head.ts'

/** Puts the metadata on the answer before it is made: a hook of the application may be the one that makes it. */
export function markReply({ headers }: FastifyRequest, reply: FastifyReply, start: HeadStart): void {
  const head = start(headers)
  // Whoever tells of the request later names it by the same identity.
  headers['x-request-id'] = `${head[1]}`
  for (let index = 0; index < head.length; index += 2) {
    const [name = '', value = ''] = head.slice(index, index + 2)
    reply.header(name, name === 'vary' ? varied(reply, value) : value)
  }
}

/** What an answer varies by, whoever else has said something of it. */
function varied(reply: FastifyReply, value: string): string {
  const known = `${reply.getHeader('vary') ?? ''}`
  if (known === '') return value
  const names = known.toLowerCase().split(/\s*,\s*/)
  return [known, ...value.split(', ').filter((name) => !names.includes(name))].join(', ')
}

/** Sends an answer, compressed where it is worth it and the client takes it. */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): unknown {
  const { status, body } = answer
  const encoding = encodingFor(request.headers, answer)
  reply.code(status).header('vary', varied(reply, 'accept-encoding'))
  const head: string[] = []
  addHead(head, answer, encoding)
  for (let index = 0; index < head.length; index += 2) reply.header(`${head[index]}`, head[index + 1])
  if (isBodiless(answer)) return reply.send()
  if (isBareHead(request)) return reply.header('content-length', Buffer.byteLength(body)).send()
  if (encoding !== undefined) return encode(body, encoding).then((encoded) => reply.send(encoded))
  return reply.send(isAscii(reply) ? body : Buffer.from(body))
}

/** A HEAD that no GET stands behind; for the others Fastify takes the body away itself. */
function isBareHead({ method, is404 }: FastifyRequest): boolean {
  return method === 'HEAD' && is404
}

/** Node writes the head in the encoding of a body that is text; beyond ASCII only bytes leave it as it is. */
function isAscii(reply: FastifyReply): boolean {
  return /^[ -~]*$/.test(Object.values(reply.getHeaders()).join())
}
