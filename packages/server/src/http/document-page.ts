/** Serves the documents of a service, each made when it is first asked for, and a page that shows them. */
import type { FastifyInstance } from 'fastify'
import type { Service } from '../definition.ts'
import { documentsOf } from '../document.ts'
import type { RateLimit } from '../rate/rate-limit.ts'
import { mountReference } from './reference-page.ts'
import { send } from './reply.ts'
import { policy } from './route-policy.ts'

const still = policy({ scope: undefined, isStill: true })

export interface DocumentSettings {
  readonly publicUrl?: string
  readonly auth?: { readonly issuer: string }
  readonly databaseRead?: string
  readonly rateLimit?: RateLimit
}

/** Mounts `/openapi.json` for each version, and `/docs`. */
export function mountDocuments(app: FastifyInstance, service: Service, settings: DocumentSettings): void {
  const { publicUrl, auth, databaseRead, rateLimit } = settings
  const documents = documentsOf(service, {
    issuer: auth?.issuer,
    hasReplicas: databaseRead !== undefined,
    isLimited: rateLimit !== undefined,
  })
  const root = (publicUrl?.replace(/\/+$/, '') ?? '') + app.prefix
  const texts = new Map<string, string>()
  for (const { path, build } of withDefault(documents)) {
    app.route({
      ...still,
      method: 'GET',
      url: path,
      handler: (request, reply) => {
        const text = texts.get(path) ?? JSON.stringify(build(root || '/'))
        texts.set(path, text)
        return send(request, reply, { status: 200, mediaType: 'application/json; charset=utf-8', body: text })
      },
    })
  }
  const sources = documents.map(({ path, title }) => ({
    title,
    url: `${root.replace(/^[a-z]+:\/\/[^/]*/, '')}${path}`,
  }))
  mountReference(app, service.name, sources)
}

/** Whoever looks for the document without a version finds the newest one. */
function withDefault(documents: ReturnType<typeof documentsOf>): ReturnType<typeof documentsOf> {
  const newest = documents.at(-1)
  const isThere = documents.some(({ path }) => path === '/openapi.json')
  return isThere || !newest ? documents : [...documents, { ...newest, path: '/openapi.json' }]
}
