/** Serves the console beside the service: built files from a folder, and what it must know of this service. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { problem } from '@nomen/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemAnswer } from '../answer/write-answer.ts'
import type { Service } from '../definition.ts'
import { documentsOf } from '../document.ts'
import { quoted } from '../quoted.ts'
import type { ConsoleSignIn } from '../settings.ts'
import { send } from './reply.ts'
import { policy } from './route-policy.ts'
import { signInOrigins } from './sign-in-origin.ts'
import { type StaticContent, staticContent } from './static-content.ts'

const openPage = policy({ scope: undefined, isPage: true })

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
}

export interface ConsoleSettings {
  /** The folder of the built files. */
  readonly console: string
  /** Who makes the tokens that the service takes, and for whom. */
  readonly auth?: { readonly issuer: string; readonly audience: string | readonly string[] }
  readonly consoleSignIn?: ConsoleSignIn
}

/** The page runs its own scripts and asks its own service, and whoever makes the tokens, nobody else. */
const contentPolicy = (friends: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...friends].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Mounts `/console/` with the files of the folder, each compressed beforehand where that made it smaller. */
export function mountConsole(app: FastifyInstance, service: Service, given: ConsoleSettings): void {
  const { console: folder, auth, consoleSignIn } = given
  const { issuer, audience } = auth ?? {}
  const friends = signInOrigins(issuer)
  const files = filesOf(folder)
  const documents = documentsOf(service).map(({ path }) => `..${path}`)
  // What the page is drawn from comes while its scripts are read.
  const ahead = documents.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin=anonymous`).join(', ')
  const settings = JSON.stringify({
    title: service.name,
    documents,
    docs: '../docs',
    issuer,
    audience: [audience].flat()[0],
    ...consoleSignIn,
  })

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const name = decodedName(request) || 'index.html'
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'same-origin')
    if (name === 'settings.json') {
      const mediaType = 'application/json; charset=utf-8'
      return send(request, reply, { status: 200, mediaType, body: settings, headers: { 'cache-control': 'no-cache' } })
    }
    const content = files.get(name)
    if (!content) return missing(request, reply, name)
    if (name === 'index.html')
      reply.header('content-security-policy', contentPolicy(await friends())).header('link', ahead)
    // A file in assets/ bears a mark of its content in its name; the page itself must always be the present one.
    const isMarked = name.startsWith('assets/')
    reply
      .header('content-type', types[extname(name)] ?? 'application/octet-stream')
      .header('cache-control', isMarked ? 'public, max-age=31536000, immutable' : 'no-cache')
    return content(request, reply)
  }

  app.route({
    ...openPage,
    method: 'GET',
    url: '/console',
    // What the page names stands below it.
    handler: (_, reply) => reply.redirect(`${app.prefix}/console/`, 308),
  })
  app.route({ ...openPage, method: 'GET', url: '/console/*', handler: show })
}

function decodedName({ params }: FastifyRequest): string {
  return (params as { readonly '*': string })['*']
}

/** The files of the folder by their names, each with its compressed forms where there are some. */
function filesOf(folder: string): ReadonlyMap<string, StaticContent> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const names = new Set(paths.map((path) => path.slice(folder.length).replaceAll('\\', '/').replace(/^\//, '')))
  const load = (name: string) => () => readFile(join(folder, name))
  return new Map(
    [...names].map((name) => [
      name,
      staticContent(load(name), {
        ...(names.has(`${name}.br`) && { br: load(`${name}.br`) }),
        ...(names.has(`${name}.gz`) && { gzip: load(`${name}.gz`) }),
      }),
    ]),
  )
}

function missing(request: FastifyRequest, reply: FastifyReply, name: string): unknown {
  const detail = `The console has no file ${quoted(name)}.`
  return send(request, reply, problemAnswer(problem('path-not-found', { detail, hint: 'It is opened at /console.' })))
}
