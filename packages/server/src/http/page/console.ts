/** Serves the console: its built files, and the settings for this service. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { problem } from '@nomen/core'
import type { Service } from '../../define/definition.ts'
import { quoted } from '../../foundation/quoted.ts'
import { problemResponse } from '../../message/text-response.ts'
import type { RawRequest } from '../../pipeline/read/parsed-request.ts'
import type { HttpResponse } from '../response.ts'
import type { Page } from '../routes.ts'
import { type ConsoleBranding, readBranding } from './console-branding.ts'
import { documentsOf } from './openapi.ts'
import { signInOrigins } from './sign-in-origin.ts'
import { type ServeFile, staticFile } from './static-file.ts'

/** How the console signs in at the token issuer. */
export interface ConsoleSignIn {
  /**
   * The client ID of the console at the issuer.
   *
   * @default 'nomen-console'
   */
  readonly clientId?: string
  /**
   * The requested scopes, separated by spaces.
   *
   * @example
   * scope: 'openid profile user:read'
   *
   * @default the scopes of all operations
   */
  readonly scope?: string
}

const mediaTypes: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

export interface ConsoleSettings {
  /** The folder of the built files. */
  readonly console: string
  /** The issuer and audience of tokens. */
  readonly auth?: { readonly issuer: string; readonly audience: string | readonly string[]; readonly jwks?: object }
  readonly consoleSignIn?: ConsoleSignIn
  readonly consoleBranding?: ConsoleBranding
}

/** Allows the scripts of this host, and requests to this host and to the token issuer only. */
const contentPolicy = (issuers: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...issuers].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** `/console/` with the files of the folder, and the icon of the service. */
export function consolePages(service: Service, consoleSettings: ConsoleSettings, prefix: string): readonly Page[] {
  const { console: folder, auth, consoleSignIn, consoleBranding } = consoleSettings
  // With configured keys, there is no page to sign in at; users paste a token into the console.
  const { issuer, audience } = auth?.jwks ? {} : (auth ?? {})
  const issuers = signInOrigins(issuer)
  const branding = readBranding(consoleBranding)
  const files = new Map([...filesIn(folder), ...branding.files])
  const documents = documentsOf(service).map(({ path }) => `..${path}`)
  // The browser loads the documents while it reads the scripts.
  const preload = documents.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin=anonymous`).join(', ')
  const settings = JSON.stringify({
    title: service.name,
    documents,
    docs: '../docs',
    issuer,
    audience: [audience].flat()[0],
    ...consoleSignIn,
    ...branding.settings,
  })

  const serve = async (request: RawRequest): Promise<HttpResponse> => {
    const name = request.parameters.at(-1) || 'index.html'
    if (name === 'settings.json') return { ...settingsFile, body: settings }
    const file = files.get(name)
    if (!file) return fileNotFound(name)
    const response = await file(request)
    if (name !== 'index.html') return response
    const headers = { 'content-security-policy': contentPolicy(await issuers()), link: preload }
    return { ...response, headers: { ...response.headers, ...headers } }
  }

  // The page names its files relative to /console/.
  const redirect = { status: 308, body: '', headers: { location: `${prefix}/console/` } }
  const icon = files.get('icon.svg')
  return [
    // Browsers request it for pages without an icon of their own, such as JSON.
    ...(icon ? [{ path: '/favicon.ico', requiredScopes: undefined, serve: icon }] : []),
    { path: '/console', requiredScopes: undefined, serve: () => redirect },
    { path: '/console/*', requiredScopes: undefined, serve },
  ]
}

const commonHeaders = { 'referrer-policy': 'same-origin' }
const settingsFile = { status: 200, mediaType: 'application/json; charset=utf-8', headers: commonHeaders }

/** All files of the folder by path. Compressed forms are in the same folder. */
function filesIn(folder: string): ReadonlyMap<string, ServeFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const names = new Set(paths.map((path) => path.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '')))
  const read = (name: string) => (names.has(name) ? readFile(join(folder, name)) : undefined)
  const files = [...names].filter((name) => !/\.(br|gz)$/.test(name))
  return new Map(
    files.map((name) => [
      name,
      staticFile({
        mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream',
        headers: {
          ...commonHeaders,
          // A file in assets/ has a hash of its content in its name.
          'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        },
        load: async () => ({ plain: await read(name), gzip: await read(`${name}.gz`), br: await read(`${name}.br`) }),
      }),
    ]),
  )
}

function fileNotFound(name: string): HttpResponse {
  const detail = `The console has no file ${quoted(name)}.`
  return problemResponse(problem('path-not-found', { detail, hint: 'Open /console.' }))
}
