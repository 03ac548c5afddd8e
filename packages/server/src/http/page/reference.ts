/** Serves the page that shows OpenAPI documents: one file of Scalar, which lies in this package, and a few lines around it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '../routes.ts'
import { staticFile } from './static-file.ts'

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

/** `/docs` and the files below it. */
export function referencePages(name: string, sources: readonly Source[]): readonly Page[] {
  const page = pageOf(name, sources)
  const html = { status: 200, mediaType: 'text/html; charset=utf-8', body: page, headers: headersFor(page) }
  const script = staticFile({
    mediaType: 'text/javascript; charset=utf-8',
    // In a clone, `npm run console` puts it there.
    load: async () => ({ gzip: await readFile(new URL('../../../static/reference/scalar.js.gz', import.meta.url)) }),
  })
  // The page names its files relative to /docs/.
  const redirect = { status: 301, body: '', headers: { location: 'docs/' } }
  return [
    { path: '/docs', scope: undefined, serve: () => redirect },
    { path: '/docs/', scope: undefined, serve: () => html },
    { path: '/docs/js/scalar.js', scope: undefined, serve: script },
  ]
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

/** Allows scripts of this host and the inline ones of the page, and requests to this host only. */
function headersFor(page: string): Readonly<Record<string, string>> {
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
