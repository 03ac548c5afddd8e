/** The page that shows OpenAPI documents: one file of Scalar, which lies in this package, and a few lines around it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { policy } from './route-policy.ts'
import { once, staticContent } from './static-content.ts'
import { pathOf } from './target.ts'

const openPage = policy({ scope: undefined, isPage: true })

const unzip = promisify<Buffer, Buffer>(gunzip)

/** A document, and what it is called. */
export interface Source {
  readonly title: string
  readonly url: string
}

/** Nothing that another host would be asked for. */
const quiet = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** Mounts `/docs`. */
export function mountReference(app: FastifyInstance, name: string, sources: readonly Source[]): void {
  const page = pageOf(name, sources)
  const limits = limitsFor(page)
  const readScript = once(() => readFile(new URL('../../static/reference/scalar.js.gz', import.meta.url)))
  const tagOf = once(
    async () =>
      `W/"${createHash('sha256')
        .update(await readScript())
        .digest('base64url')}"`,
  )
  const script = staticContent(async () => unzip(await readScript()), { gzip: readScript })
  // By the path as it was sent: an application may take /docs and /docs/ for one, and the page names what stands below it.
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    if (path.endsWith('/docs')) return reply.redirect('docs/', 301)
    if (path.endsWith('/docs/'))
      return reply.headers(limits).header('content-type', 'text/html; charset=utf-8').send(page)
    if (!path.endsWith('/docs/js/scalar.js')) return reply.callNotFound()
    const tag = await tagOf()
    reply.header('cache-control', 'no-cache').header('etag', tag)
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return script(request, reply.header('content-type', 'text/javascript; charset=utf-8'))
  }
  for (const url of ['/docs', '/docs/*']) app.route({ ...openPage, method: 'GET', url, handler: show })
}

function pageOf(name: string, sources: readonly Source[]): string {
  // A script ends at its end tag, wherever that stands.
  const settings = JSON.stringify({ ...quiet, sources }).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
</head>
<body>
<div id="app"></div>
<script src="js/scalar.js"></script>
<script>Scalar.createApiReference('#app', ${settings})</script>
</body>
</html>
`
}

/** Scripts of this host and those that stand in the page itself, and requests to nobody else. */
function limitsFor(page: string): Readonly<Record<string, string>> {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
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
