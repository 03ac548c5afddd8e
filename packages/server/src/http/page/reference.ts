/** Serves the API reference: a small page around Scalar, which is bundled in this package. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { packageFile } from '../../foundation/package-file.ts'
import type { Page } from '../routes.ts'
import { showReference } from './reference-script.ts'
import { staticFile } from './static-file.ts'

/** An OpenAPI document and its title. */
export interface Source {
  readonly title: string
  readonly url: string
}

/** Options that disable all requests to other hosts. */
const offlineOptions = {
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** `/docs` and the files below it. */
export function referencePages(name: string, sources: readonly Source[], hasConsole: boolean): readonly Page[] {
  const page = pageOf(name, sources, hasConsole)
  const html = { status: 200, mediaType: 'text/html; charset=utf-8', body: page, headers: headersFor(page) }
  const script = staticFile({
    mediaType: 'text/javascript; charset=utf-8',
    // In a clone, `npm run console` puts it there.
    load: async () => ({
      gzip: await readFile(packageFile('static/reference/scalar.js.gz')),
      br: await readFile(packageFile('static/reference/scalar.js.br')),
    }),
  })
  // The page names its files relative to /docs/.
  const redirect = { status: 301, body: '', headers: { location: 'docs/' } }
  return [
    { path: '/docs', requiredScopes: undefined, serve: () => redirect },
    { path: '/docs/', requiredScopes: undefined, serve: () => html },
    { path: '/docs/js/scalar.js', requiredScopes: undefined, serve: script },
  ]
}

/** The height of the bar with the link to the console. Scalar leaves room for it. */
const bar = `
<style>
:root { --scalar-custom-header-height: 40px; }
.bar { position: sticky; top: 0; z-index: 10; height: 40px; box-sizing: border-box; padding: 10px 16px; font: 500 14px/20px system-ui, sans-serif;
  background: var(--scalar-background-1, #fff); border-bottom: 1px solid var(--scalar-border-color, #dee2e6); }
.bar a { color: var(--scalar-color-1, #1b1b1b); text-decoration: none; }
.bar a:hover { text-decoration: underline; }
</style>`

function pageOf(name: string, sources: readonly Source[], hasConsole: boolean): string {
  // "</script>" would end the script even inside a string.
  const settings = JSON.stringify({ ...offlineOptions, favicon: icon(hasConsole) }).replaceAll('<', '\\u003c')
  const list = JSON.stringify(sources).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="${icon(hasConsole)}">${hasConsole ? bar : ''}
</head>
<body>
${hasConsole ? '<header class="bar"><a href="../console/">← Console</a></header>' : ''}
<div id="app"></div>
<script src="js/scalar.js"></script>
<script>(${showReference})(${settings}, ${list}, ${hasConsole})</script>
</body>
</html>
`
}

/** Without a console there is no icon: an empty one prevents a request for /favicon.ico. */
function icon(hasConsole: boolean): string {
  return hasConsole ? '../console/icon.svg' : 'data:,'
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
