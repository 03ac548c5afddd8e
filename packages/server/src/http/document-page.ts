/** Serves the documents of a service, and a page that shows them. Both are made when they are first asked for. */
import { createHash } from 'node:crypto'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Service } from '../definition.ts'
import { documentsOf } from '../document.ts'
import { send } from './reply.ts'
import { policy } from './route-policy.ts'

const still = policy({ scope: undefined, isStill: true })

export interface DocumentSettings {
  readonly publicUrl?: string
  readonly auth?: { readonly issuer: string }
}

/** Mounts `/openapi.json` for each version, and `/docs`. */
export function mountDocuments(app: FastifyInstance, service: Service, { publicUrl, auth }: DocumentSettings): void {
  const documents = documentsOf(service, auth?.issuer)
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
  mountPage(app, service.name, sources)
}

/** Whoever looks for the document without a version finds the newest one. */
function withDefault(documents: ReturnType<typeof documentsOf>): ReturnType<typeof documentsOf> {
  const newest = documents.at(-1)
  const isThere = documents.some(({ path }) => path === '/openapi.json')
  return isThere || !newest ? documents : [...documents, { ...newest, path: '/openapi.json' }]
}

interface Source {
  readonly title: string
  readonly url: string
}

function mountPage(app: FastifyInstance, name: string, sources: readonly Source[]): void {
  let page: Promise<Page> | undefined
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    page ??= pageAt(`${app.prefix}/docs`, name, sources)
    const { app: opened, limits } = await page
    reply.hijack()
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...limits }))
      reply.raw.setHeader(name, `${value}`)
    opened.routing(request.raw, reply.raw)
  }
  for (const url of ['/docs', '/docs/*']) app.route({ ...still, method: 'GET', url, handler: show })
}

/** Nothing that another host would be asked for. */
const quiet = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const

interface Page {
  readonly app: FastifyInstance
  /** What a browser may do with it. */
  readonly limits: Readonly<Record<string, string>>
}

/** Scripts of this host and those that stand in the page itself, and requests to nobody else. */
function limitsFor(page: string): Page['limits'] {
  const scripts = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${scripts.join(' ')}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  }
}

/** The page comes with all that it needs: nothing is asked of any other host. */
async function pageAt(path: string, name: string, sources: readonly Source[]): Promise<Page> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  await page.register(reference, {
    routePrefix: path as `/${string}`,
    configuration: { ...quiet, pageTitle: name, sources: [...sources] },
  })
  await page.ready()
  const { body } = await page.inject(`${path}/`)
  return { app: page, limits: limitsFor(body) }
}
