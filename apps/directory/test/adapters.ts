/** The directory behind every adapter: `node:http`, Fastify and fetch, on one database. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccessEntry, parseLine } from '@nomen/core'
import { type OpenService, open, type Settings } from '@nomen/server'
import { plugin } from '@nomen/server/fastify'
import { inject } from '@nomen/testing/inject'
import { throughPooler } from '@nomen/testing/pooler'
import { isOnPostgres, testDatabase } from '@nomen/testing/test-database'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { directoryService } from '../src/index.ts'

/** The path below which Fastify serves the directory. */
export const prefix = '/mounted'

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** The body as Latin-1: one character per byte. */
  readonly text: string
}

export type Send = (
  method: string,
  url: string,
  body: string | undefined,
  headers: Record<string, string>,
) => Promise<ReceivedResponse>

export interface Adapters {
  /** The URL of the database. */
  readonly database: string
  /** Serves `node:http` and fetch. */
  readonly directory: OpenService
  readonly app: FastifyInstance
  /** Functions that send a request, by the name of the adapter. */
  readonly senders: ReadonlyMap<string, Send>
  /** The entries of both access logs for a User-Agent. */
  entriesOf(agent: string): readonly AccessEntry[]
  close(): Promise<void>
}

/** Opens the adapters on a new database. `parameters` are those of its URL, with PostgreSQL. */
export async function openAdapters(
  settings: Partial<Settings> = {},
  host: FastifyServerOptions = {},
  parameters: Readonly<Record<string, string>> = {},
): Promise<Adapters> {
  const service = directoryService({ users: 20 })
  const folder = mkdtempSync(join(tmpdir(), 'nomen-adapters-'))
  // A file, because each service would have its own database in memory, with other times in its history.
  const file = { address: `sqlite:${join(folder, 'directory.db')}`, remove: async () => {} }
  const database = isOnPostgres ? await testDatabase() : file
  const logs = ['open.log', 'plugin.log'].map((name) => join(folder, name))
  // Load shedding is off, because the machine may be busy with other tests.
  const allSettings = throughPooler({
    waitLimitMs: 0,
    onFault: () => undefined,
    ...settings,
    database: withParameters(database.address, parameters),
  })
  const directory = await open(service, { ...allSettings, accessLog: `${logs[0]}` })
  const app = fastify(host)
  await app.register(plugin(service, { ...allSettings, accessLog: `${logs[1]}` }), { prefix })
  return {
    database: database.address,
    directory,
    app,
    senders: new Map([
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

function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const query = `${new URLSearchParams(parameters)}`
  if (!isOnPostgres || query === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

function byNode(directory: OpenService): Send {
  return async (method, url, payload, headers) => {
    const response = await inject(directory, { method: method as 'GET', url, headers, ...(payload && { payload }) })
    return { status: response.statusCode, headers: response.headers, text: response.rawPayload.toString('latin1') }
  }
}

function byFastify(app: FastifyInstance): Send {
  return async (method, url, payload, headers) => {
    const request = { method: method as 'GET', url: prefix + url, headers, ...(payload && { payload }) }
    const response = await app.inject(request)
    return { status: response.statusCode, headers: response.headers, text: response.rawPayload.toString('latin1') }
  }
}

function byFetch(directory: OpenService): Send {
  return async (method, url, body, headers) => {
    const response = await directory.fetch(`http://localhost${url}`, {
      method,
      headers: { ...headers, ...(body && { 'content-length': `${Buffer.byteLength(body)}` }) },
      redirect: 'manual',
      // For a string, Request would set the Content-Type.
      ...(body && { body: Buffer.from(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, headers: Object.fromEntries(response.headers), text: bytes.toString('latin1') }
  }
}

/** The parts of a response that must be the same with every adapter, with paths without the prefix. */
export function comparable({ status, headers, text }: ReceivedResponse): ReceivedResponse {
  const { date: _date, connection: _connection, 'content-length': length, ...rest } = headers
  return {
    status,
    headers: {
      ...rest,
      hasLength: length !== undefined,
      location: headers.location && withoutPrefix(headers.location),
    },
    text: withoutPrefix(text),
  }
}

function withoutPrefix(text: unknown): string {
  return `${text}`.replaceAll(prefix, '')
}
