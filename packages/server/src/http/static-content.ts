/** Content that is sent from memory: each form of it is made once, at the first request for it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chosenEncoding, type Encoding } from '../answer/encoding.ts'

type Load = () => Promise<Buffer>

/** Sends the content in the form that suits the client. */
export type StaticContent = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** `plain` loads the content as it is, `encoded` gives the compressed forms that there are. */
export function staticContent(plain: Load, encoded: { readonly [encoding in Encoding]?: Load }): StaticContent {
  const forms = new Map(Object.entries(encoded).map(([encoding, load]) => [encoding, once(load)]))
  const offered = [...forms.keys()] as Encoding[]
  const loadPlain = once(plain)
  return async ({ headers }, reply) => {
    const accepted = headers['accept-encoding']
    const encoding = chosenEncoding(`${accepted ?? ''}`, Number.POSITIVE_INFINITY, offered)
    const load = encoding && forms.get(encoding)
    const body = await (load ?? loadPlain)()
    if (load) reply.header('content-encoding', encoding)
    return reply.send(body)
  }
}

/** Loads at the first call; all calls share the result. A failure is not kept. */
export function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
