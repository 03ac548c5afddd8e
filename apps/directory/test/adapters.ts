/** The directory behind every adapter: `node:http`, Fastify and fetch, on one database. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessEntry, parseLine } from '@nomen/core'
import { type OpenService, open, type Settings } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { inject } from '@nomen/testing/inject'
import { testDatabase } from '@nomen/testing/test-database'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { directoryService } from '../src/index.ts'

/** The path that Fastify has the directory below. */
export const prefix = '/mounted'

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The body, a character for each byte. */
  readonly text: string
}

export type Send = (
  method: string,
  url: string,
  body: string | undefined,
  headers: Record<string, string>,
) => Promise<Received>

export interface Adapters {
  /** The address of the database. */
  readonly database: string
  /** Serves `node:http` and fetch. */
  readonly directory: OpenService
  readonly app: FastifyInstance
  /** Sends a whole request, by the name of the adapter. */
  readonly sends: ReadonlyMap<string, Send>
  /** The entries of both access logs for a User-Agent. */
  entriesOf(agent: string): readonly AccessEntry[]
  close(): Promise<void>
}

/** `settings.database` is appended to the address of the test's own database. */
export async function openAdapters(
  settings: Partial<Settings> = {},
  host: FastifyServerOptions = {},
): Promise<Adapters> {
  const service = directoryService({ users: 20 })
  const database = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'nomen-adapters-'))
  const logs = ['open.log', 'plugin.log'].map((name) => join(folder, name))
  // No request is refused because the machine is busy with other tests.
  const all = {
    waitLimit: 0,
    onFault: () => undefined,
    ...settings,
    database: database.address + (settings.database ?? ''),
  }
  const directory = await open(service, { ...all, accessLog: `${logs[0]}` })
  const app = fastify(host)
  await app.register(plugin(service, { ...all, accessLog: `${logs[1]}` }), { prefix })
  return {
    database: database.address,
    directory,
    app,
    sends: new Map([
      ['node', byNode(directory)],
      ['fetch', byFetch(directory)],
      ['Fastify', byFastify(app)],
    ]),
    entriesOf: (agent) => {
      const lines = logs.flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1))
      return lines.flatMap((line) => parseLine(line) ?? []).filter(({ userAgent }) => userAgent === agent)
    },
    close: async () => {
      await directory.close()
      await app.close()
      await database.remove()
      rmSync(folder, { recursive: true })
    },
  }
}

function byNode(directory: OpenService): Send {
  return async (method, url, payload, headers) => {
    const answer = await inject(directory, { method: method as 'GET', url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, headers: answer.headers, text: answer.rawPayload.toString('latin1') }
  }
}

function byFastify(app: FastifyInstance): Send {
  return async (method, url, payload, headers) => {
    const request = { method: method as 'GET', url: prefix + url, headers, ...(payload && { payload }) }
    const answer = await app.inject(request)
    return { status: answer.statusCode, headers: answer.headers, text: answer.rawPayload.toString('latin1') }
  }
}

function byFetch(directory: OpenService): Send {
  return async (method, url, body, headers) => {
    const answer = await directory.fetch(`http://localhost${url}`, {
      method,
      headers: { ...headers, ...(body && { 'content-length': `${Buffer.byteLength(body)}` }) },
      redirect: 'manual',
      // Of text, a Request would set the Content-Type.
      ...(body && { body: Buffer.from(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: bytes.toString('latin1') }
  }
}

/** The parts of a response that an adapter must not change. The prefix of a mounted service is in paths that it names. */
export function comparable({ status, headers, text }: Received): Received {
  const { date: _date, connection: _connection, 'content-length': length, ...rest } = headers
  return {
    status,
    headers: { ...rest, hasLength: length !== undefined, location: headers.location && unmounted(headers.location) },
    text: unmounted(text),
  }
}

function unmounted(text: unknown): string {
  return `${text}`.replaceAll(prefix, '')
}
