/** Opens sessions on a host, with the settings that statements rely on. */
import pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import { serverError } from '../../fault.ts'
import type { Host, PostgresUrl } from '../../postgres-url.ts'
import { textLiteral } from '../../sql/sql.ts'
import { dropClient } from './end.ts'

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
const settings: readonly (readonly [string, string])[] = [
  ['random_page_cost', '1.1'],
  ['jit', 'off'],
  ['max_parallel_workers_per_gather', '0'],
  ['extra_float_digits', '1'],
  ['TimeZone', 'UTC'],
  ['default_transaction_isolation', 'read committed'],
]

export class SessionOptions {
  readonly #url: PostgresUrl
  /** For connections with many short statements, which are pipelined. */
  readonly short: pg.ClientConfig
  /** Whether a pooler is in between that refuses settings with a new connection. */
  #isPooled = false

  constructor(url: PostgresUrl) {
    this.#url = url
    const statementTimeout = timeout(url, 'statement_timeout', statementTimeoutMs)
    this.short = {
      statement_timeout: statementTimeout,
      lock_timeout: timeout(url, 'lock_timeout', lockTimeoutMs),
      // The client-side timeout applies if the connection to the server is broken.
      query_timeout: statementTimeout + 5000,
      pipeline: true,
    }
  }

  /** The limit in the URL, or a default. */
  connectTimeoutMs(defaultMs = connectTimeoutMs): number {
    const seconds = Number(this.#url.parameters.get('connect_timeout'))
    return seconds > 0 ? seconds * 1000 : defaultMs
  }

  async connect(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    if (this.#isPooled) return this.#connectPooled(host, config)
    const { parameters } = this.#url
    const own = settings.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    const options = [...own, parameters.get('options') ?? []].flat().join(' ')
    try {
      return await this.#connect(host, config, { options })
    } catch (error) {
      if (!isPoolerRefusal(error)) throw error
      this.#isPooled = true
      return this.#connectPooled(host, config)
    }
  }

  /** PgBouncer accepts only some settings with a new connection. The others are set in the session. */
  async #connectPooled(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    const { statement_timeout, lock_timeout, ...others } = config
    const own = { options: undefined, statement_timeout: undefined, lock_timeout: undefined }
    const client = await this.#connect(host, others, own)
    const timeouts = Object.entries({ statement_timeout, lock_timeout })
    const all = [...settings, ...optionsIn(this.#url.parameters.get('options')), ...timeouts]
    const values = all.flatMap(([name, value]) =>
      value === undefined ? [] : [`set_config(${textLiteral(name)}, ${textLiteral(`${value}`)}, false)`],
    )
    try {
      await client.query(`select ${values.join(', ')}`)
      return client
    } catch (error) {
      dropClient(client)
      throw error
    }
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

function isPoolerRefusal(error: unknown): boolean {
  return serverError(error)?.code === '08P01' && /startup parameter/.test(`${serverError(error)?.message}`)
}

/** The settings in `-c name=value -c other=value`, where a backslash escapes the next character. */
function optionsIn(text = ''): readonly (readonly [string, string])[] {
  return [...text.matchAll(/(?:-c\s*|--)([\w.]+)=((?:\\.|[^\s\\])*)/g)].map(([, name = '', value = '']) => [
    name,
    value.replace(/\\(.)/g, '$1'),
  ])
}

function timeout(url: PostgresUrl, name: string, defaultMs: number): number {
  const text = url.parameters.get(name)
  if (text === undefined) return defaultMs
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const fix = `Use a number of milliseconds, such as ${name}=${defaultMs}.`
  throw new DatabaseError(url.redactedUrl, `: ${name} is "${text}"`, fix)
}
