/** Serves what a service has counted of its own usage. */
import type { FastifyInstance } from 'fastify'
import type { Answer } from '../answer/write-answer.ts'
import { send } from './reply.ts'
import { policy } from './route-policy.ts'

/** Mounts `/usage`, which belongs to the service and to none of its apis. */
export function mountUsage(app: FastifyInstance, answer: (query: string) => Promise<Answer>): void {
  app.route({
    ...policy({ scope: 'usage:read', isPage: true }),
    method: 'GET',
    url: '/usage',
    handler: async (request, reply) => {
      const { url = '' } = request.raw
      const mark = url.indexOf('?')
      return send(request, reply, await answer(mark === -1 ? '' : url.slice(mark + 1)))
    },
  })
}
