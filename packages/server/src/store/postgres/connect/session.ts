/** Opens sessions on a host, with the settings that statements rely on. */
import pg from 'pg'
import type { Host, PostgresUrl } from '../../connection/postgres-url.ts'
import { DatabaseError } from '../../fault/database-error.ts'
import { serverError } from '../../fault/fault.ts'
import { quotedName, stringLiteral } from '../../sql/sql.ts'
import { dropClient } from './end.ts'
import type { SharedSessions } from './pooler.ts'

/** The default limit for connecting to a host while requests wait, or while another host may respond. */
const connectTimeoutMs = 2000

/** The default limits for running a statement, and for waiting for a lock. */
const statementTimeoutMs = 10_000
const lockTimeoutMs = 3000

/** After this time without data, TCP tests the connection. Firewalls forget idle connections after some minutes. */
const keepAliveMs = 30_000

/**
 * The settings of every session:
 * - Lists rely on indexes, which the planner avoids if it assumes slow disks.
 * - Short statements do not benefit from JIT compilation and parallel workers. Without workers, rows reach an aggregate
 *   in their order.
 * - Numbers have all their digits, and times without a zone are UTC.
 * - Writes are designed for `read committed`.
 */
const settings: Settings = [
  ['random_page_cost', '1.1'],
  ['jit', 'off'],
  ['max_parallel_workers_per_gather', '0'],
  ['extra_float_digits', '1'],
  ['TimeZone', 'UTC'],
  ['default_transaction_isolation', 'read committed'],
]

/** The name of the prepared statement for the settings of a transaction. */
const settingsName = 'nomen_settings'

export class SessionOptions {
  readonly #url: PostgresUrl
  /** For connections with many short statements, which are pipelined. */
  readonly shortStatementConfig: pg.ClientConfig
  /** Whether a pooler is in between that rejects settings with a new connection. */
  #rejectsSettings = false

  constructor(url: PostgresUrl) {
    this.#url = url
    const configuredTimeoutMs = timeoutMsIn(url, 'statement_timeout', statementTimeoutMs)
    this.shortStatementConfig = {
      statement_timeout: configuredTimeoutMs,
      lock_timeout: timeoutMsIn(url, 'lock_timeout', lockTimeoutMs),
      // The client-side timeout applies if the connection to the server is broken.
      query_timeout: configuredTimeoutMs + 5000,
      pipeline: true,
    }
  }

  /** The limit in the URL, or a default. */
  connectTimeoutMs(defaultMs = connectTimeoutMs): number {
    const seconds = Number(this.#url.parameters.get('connect_timeout'))
    return seconds > 0 ? seconds * 1000 : defaultMs
  }

  async connect(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    if (this.#rejectsSettings) return this.#connectPlain(host, config)
    const { parameters } = this.#url
    const ownOptions = settings.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    const options = [...ownOptions, parameters.get('options') ?? []].flat().join(' ')
    try {
      return await this.#connect(host, config, { options })
    } catch (error) {
      if (!isPoolerRejection(error)) throw error
      this.#rejectsSettings = true
      return this.#connectPlain(host, config)
    }
  }

  /** Sets everything in a session that a pooler has opened, and which this connection keeps. */
  async apply(client: pg.Client, config: pg.ClientConfig): Promise<void> {
    await client.query(setConfigs(this.#settingsOf(config), false))
  }

  /** The same for sessions that a pooler shares between connections: only for a transaction. */
  sharedSessions(config: pg.ClientConfig, arePrepared: boolean): SharedSessions {
    // The isolation level is one of the transaction, not a setting in it.
    const localSettings = this.#settingsOf(config).filter(([name]) => name !== 'default_transaction_isolation')
    const script = localSettings.map(([name, value]) => `set local ${name} = ${literalOf(name, value)}`)
    const name = arePrepared ? settingsName : undefined
    return { statement: { name, text: setConfigs(localSettings, true) }, script: script.join('; ') }
  }

  #settingsOf({ statement_timeout, lock_timeout }: pg.ClientConfig): Settings {
    const timeouts = Object.entries({ statement_timeout, lock_timeout }).flatMap(([name, value]) =>
      typeof value === 'number' ? [[name, `${value}`] as const] : [],
    )
    return [...settings, ...optionsIn(this.#url.parameters.get('options')), ...timeouts]
  }

  /** PgBouncer accepts only some settings with a new connection. The others follow. */
  #connectPlain(host: Host, { statement_timeout, lock_timeout, ...config }: pg.ClientConfig): Promise<pg.Client> {
    return this.#connect(host, config, { options: undefined, statement_timeout: undefined, lock_timeout: undefined })
  }

  async #connect(
    host: Host,
    config: pg.ClientConfig,
    parameters: Readonly<Record<string, string | undefined>>,
  ): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url.connectionString(host, parameters),
      fallback_application_name: 'nomen',
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: this.connectTimeoutMs(),
      ...config,
    })
    // Until the pool adds its own listener, awaited calls report a failure.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      dropClient(client)
      throw error
    }
  }
}

type Settings = readonly (readonly [name: string, value: string])[]

function setConfigs(all: Settings, isLocal: boolean): string {
  const calls = all.map(([name, value]) => `set_config(${stringLiteral(name)}, ${stringLiteral(value)}, ${isLocal})`)
  return `select ${calls.join(', ')}`
}

/** A list of schemas is a list of names; every other value is a string. */
function literalOf(name: string, value: string): string {
  if (name !== 'search_path') return stringLiteral(value)
  const schemas = value.match(/"(?:[^"]|"")*"|[^\s,"]+/g) ?? []
  return schemas.map((schema) => (schema.startsWith('"') ? schema : quotedName(schema.toLowerCase()))).join(', ')
}

function isPoolerRejection(error: unknown): boolean {
  return serverError(error)?.code === '08P01' && /startup parameter/.test(`${serverError(error)?.message}`)
}

/** The settings in `-c name=value -c other=value`, where a backslash escapes the next character. */
function optionsIn(text = ''): Settings {
  return [...text.matchAll(/(?:-c\s*|--)([\w.]+)=((?:\\.|[^\s\\])*)/g)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\\(.)/g, '$1'),
  ])
}

function timeoutMsIn(url: PostgresUrl, name: string, defaultMs: number): number {
  const text = url.parameters.get(name)
  if (text === undefined) return defaultMs
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const fix = `Use a number of milliseconds, such as ${name}=${defaultMs}.`
  throw new DatabaseError(url.redactedUrl, `: ${name} is "${text}"`, fix)
}
