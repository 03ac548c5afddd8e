/** `GET /`: a page with links for browsers, and a problem that names the same paths for all other clients. */
import { createHash } from 'node:crypto'
import { type Operation, problem } from '@nomen/core'
import { problemResponse, type TextResponse } from '../../message/text-response.ts'
import type { Page } from '../routes.ts'

interface Link {
  readonly title: string
  readonly path: string
}

export interface StartPageOptions {
  readonly name: string
  readonly hasConsole: boolean
  /** The path of the service as clients see it. */
  readonly root: string
  /** The operations that a browser can call, without a token. */
  readonly operations: readonly Operation[]
}

export function startPage({ name, hasConsole, root, operations }: StartPageOptions): Page {
  const links = [
    ...(hasConsole ? [{ title: 'Console', path: `${root}/console/` }] : []),
    { title: 'API documentation', path: `${root}/docs/` },
    { title: 'OpenAPI document', path: `${root}/openapi.json` },
  ]
  const html = htmlResponse(name, links, requestsTo(root, operations))
  const notFound = problemResponse(
    problem('path-not-found', {
      detail: `The path "${root}/" does not exist.`,
      hint: `${links.map(({ title, path }) => `${title}: ${path}`).join('. ')}.`,
    }),
    { vary: 'accept' },
  )
  return {
    path: '/',
    requiredScopes: undefined,
    serve: ({ headers }) => (`${headers.accept}`.includes('text/html') ? html : notFound),
  }
}

/** Requests to try, to the first list: two that work, and one with a mistake. */
function requestsTo(root: string, operations: readonly Operation[]): readonly Link[] {
  const first = operations.find(({ kind, path, list }) => kind === 'list' && list?.isPaginated && !path.includes('{'))
  if (!first) return []
  const sort = first.list?.parameters.find((parameter) => parameter.kind === 'sort')
  const [field] = sort?.fields.keys() ?? []
  const list = `${root}${first.path}`
  return [
    { title: 'The first two records', path: `${list}?pageSize=2` },
    { title: `In descending order of ${field}`, path: `${list}?sort=-${field}&amp;pageSize=2` },
    { title: 'A misspelled parameter, and an error that says how to fix it', path: `${list}?pageSise=2` },
  ]
}

const style = `:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { max-width: 32rem; margin: 15vh auto; padding: 0 1rem }
li { margin: .5rem 0 }
code { display: block; overflow-wrap: anywhere }`

function htmlResponse(name: string, links: readonly Link[], requests: readonly Link[]): TextResponse {
  const items = links.map(({ title, path }) => `<li><a href="${path}">${title}</a></li>`).join('\n')
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<h1>${name}</h1>
<ul>
${items}
</ul>
${requests.length > 0 ? `<h2>Requests to try</h2>\n<ul>\n${requests.map(requestItem).join('\n')}\n</ul>\n` : ''}</body>
</html>
`
  const styles = `'sha256-${createHash('sha256').update(style).digest('base64')}'`
  const policy = `default-src 'none'; style-src ${styles}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', vary: 'accept' }
  return { status: 200, mediaType: 'text/html; charset=utf-8', body, headers }
}

function requestItem({ title, path }: Link): string {
  return `<li>${title}\n<a href="${path}"><code>GET ${path}</code></a></li>`
}
