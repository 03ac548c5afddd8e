/** Serves the documents of a service, each made when it is first asked for, and a page that shows them. */
import type { FastifyInstance } from 'fastify'
import { encode } from '../answer/encoding.ts'
import type { Service } from '../definition.ts'
import { documentsOf } from '../document.ts'
import type { RateLimit } from '../rate/rate-limit.ts'
import { mountReference } from './reference-page.ts'
import { policy } from './route-policy.ts'
import { once, staticContent } from './static-content.ts'

const openPage = policy({ scope: undefined, isPage: true })

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
  for (const { path, build } of withDefault(documents)) {
    const plain = once(async () => Buffer.from(JSON.stringify(build(root || '/'))))
    const content = staticContent(plain, {
      br: async () => encode(await plain(), 'br'),
      gzip: async () => encode(await plain(), 'gzip'),
    })
    app.route({
      ...openPage,
      method: 'GET',
      url: path,
      handler: (request, reply) => {
        reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-cache')
        return content(request, reply)
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
