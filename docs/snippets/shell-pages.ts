/** The pages whose commands run in a test, with the files, URLs and programs that take the place of those of a reader. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeLine } from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { directory } from '@nomen/directory'
import { open } from '@nomen/server'
import type { FollowOptions } from '@nomen/testing/markdown/follow'
import { temporarySchema } from '@nomen/testing/shared-postgres'
import smallService from './small-service.ts'

type OnCleanup = (cleanup: () => void) => void
type Setup = (onCleanup: OnCleanup) => FollowOptions | Promise<FollowOptions>

/** Blocks of other programs. docs/blocks.test.ts has the test of each. */
const otherProgram =
  /^(?:systemctl enable|useradd|install|pg_dump|echo "set server|curl -i -X PATCH|goaccess|npm install @opentelemetry)/

export const isOtherProgram = (code: string): boolean => otherProgram.test(code)

const directoryFile = `import { directoryService } from '@nomen/directory'\nexport default directoryService({ users: 5 })\n`

/** A small service, whose check needs few requests. */
const smallFile = readFileSync(join(import.meta.dirname, 'small-service.ts'), 'utf8')

const manifest = { 'package.json': '{ "type": "module" }' }
const served = { ...manifest, 'service.ts': directoryFile }
const document = JSON.stringify(openapi(directory, { title: 'Directory' }))
const issuer = 'JWT_ISSUER=https://login.example.com JWT_AUDIENCE=directory'

/** systemd does not run in tests. */
const withoutSystemd = Object.fromEntries(
  ['stop', 'start', 'restart'].map((verb) => [`systemctl ${verb} directory`, 'true']),
)

export const shellPages: Readonly<Record<string, Setup>> = {
  authentication: () => ({ files: served, setup: `export ${issuer}` }),
  backup: () => ({
    files: served,
    setup: 'nomen migrate --apply',
    replace: {
      ...withoutSystemd,
      '/mnt/backup': 'backups',
      'nomen restore data/backup/directory-20261115T131500Z.db': 'nomen restore latest.db',
    },
  }),
  'bulk-load': async () => ({
    files: {
      ...manifest,
      'service.ts': smallFile,
      'users.csv': 'id,name\n1,Ann\n',
      'db.json': '{ "posts": [{ "id": 1, "title": "First" }] }',
    },
    replace: { 'postgres://user:password@host/directory': await schemaUrl() },
  }),
  capacity: () => ({ files: served, setup: 'nomen migrate --apply' }),
  check: async (onCleanup) => {
    const { url, json } = await runningService(onCleanup)
    return {
      files: { ...manifest, 'openapi.yaml': json },
      replace: { 'http://127.0.0.1:3000': url, 'https://api.example.com': url, '--fuzz 10000': '--fuzz 20' },
    }
  },
  console: () => ({ files: { ...served, 'brand/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' } }),
  deploy: () => ({ files: served, replace: withoutSystemd }),
  diff: async (onCleanup) => ({
    files: { ...served, 'released.json': document, 'openapi.json': document, 'released/service.ts': directoryFile },
    replace: {
      'https://people.example.com': await serve(onCleanup, sendDocument),
      '../released': 'released',
    },
  }),
  'distributed-postgresql': async () => ({
    files: served,
    replace: { 'postgres://directory@coordinator:5432/app?options=-csearch_path%3Ddirectory': await schemaUrl() },
  }),
  'existing-database': async () => ({ files: manifest, replace: { 'postgres://…': await legacyUrl() } }),
  lint: async (onCleanup) => ({
    files: {
      ...served,
      'apps/directory/service.ts': directoryFile,
      'apis/people/openapi.yaml': document,
      'openapi.yaml': document,
      'other.json': document,
    },
    replace: { 'https://example.com': await serve(onCleanup, sendDocument) },
  }),
  'managed-postgresql': async (onCleanup) => ({
    files: { ...manifest, 'service.ts': smallFile },
    setup: `export DATABASE_URL='${await schemaUrl()}'`,
    replace: { 'http://127.0.0.1:3000': (await runningService(onCleanup)).url },
  }),
  openapi: () => ({ files: served }),
  postgresql: async () => {
    const url = await schemaUrl()
    const hosts = [
      'db.internal:5432/directory',
      'pgbouncer.internal:6432/directory',
      'db1.internal:5432/directory',
      'db1.internal/directory',
      'db2.internal,db3.internal/directory',
      'db1.internal,db2.internal/directory',
      'directory-rw.internal/directory',
    ].map((host) => [`postgres://directory@${host}`, url])
    const users = ['owner', 'app'].map((user) => [`postgres://directory_${user}@db.internal/directory`, url])
    return {
      files: served,
      replace: {
        ...Object.fromEntries([...hosts, ...users]),
        '10.0.0.11 nomen': '127.0.0.1 nomen',
      },
      servers: [{ command: /^DATABASE_URL=\S+ \\\n.*nomen serve/s, ready: /is running at / }],
    }
  },
  'schema-changes': () => ({ files: served, setup: 'nomen migrate --apply' }),
  shipping: async (onCleanup) => ({
    files: { ...served, 'data/access.log': accessLog(), 'authority.pem': '' },
    replace: { '--to … ': `--to loki+${await serve(onCleanup, (_, response) => void response.writeHead(204).end())} ` },
    servers: [{ command: /nomen ship (?!.*--once)/, ready: /Shipping / }],
  }),
  usage: async (onCleanup) => ({
    files: { ...served, 'openapi.yaml': document, 'data/access.log': accessLog() },
    setup: 'mkdir old && gzip --stdout data/access.log > old/access.log.gz',
    replace: { '/var/log/directory': 'data', 'http://localhost:3000': (await runningService(onCleanup)).url },
  }),
}

/** The URL of an empty schema, without characters of the shell. */
async function schemaUrl(): Promise<string> {
  const url = new URL((await temporarySchema()).url)
  const options = encodeURIComponent(`${url.searchParams.get('options')}`)
  return `postgres://${url.username}@${url.host}${url.pathname}?options=${options}`
}

/** A database with a table of another program. */
async function legacyUrl(): Promise<string> {
  const { Client } = (await import('pg')).default
  const url = await schemaUrl()
  const database = new Client({ connectionString: url })
  await database.connect()
  await database.query(
    'create table customer (id bigint generated by default as identity primary key, name text not null)',
  )
  await database.end()
  return url
}

const sendDocument: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(document)
}

async function serve(onCleanup: OnCleanup, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The small service in this process, with its document. */
async function runningService(onCleanup: OnCleanup): Promise<{ readonly url: string; readonly json: string }> {
  const app = await open(smallService, { database: 'sqlite::memory:' })
  onCleanup(() => void app.close())
  const url = await app.listen({ port: 0 })
  return { url, json: await (await fetch(`${url}/openapi.json`)).text() }
}

/** One request a day, for the last 70 days. */
function accessLog(): string {
  const entry = { address: '127.0.0.1', port: 54_321, user: undefined, method: 'GET', target: '/user/7' } as const
  const rest = { protocol: 'HTTP/1.1', status: 200, size: 312, referrer: undefined, userAgent: 'billing/2.1' } as const
  const times = Array.from({ length: 70 }, (_, days) => Date.now() - (70 - days) * 86_400_000)
  return times.map((time) => `${writeLine({ ...entry, ...rest, time })}\n`).join('')
}
