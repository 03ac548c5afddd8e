/** Opens sessions on a host, with the settings that statements rely on. */
import pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import type { Host, PostgresUrl } from '../../postgres-url.ts'
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
const settings = [
  'random_page_cost=1.1',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'extra_float_digits=1',
  'TimeZone=UTC',
  'default_transaction_isolation=read\\ committed',
]

export class SessionOptions {
  readonly #url: PostgresUrl
  /** For connections with many short statements, which are pipelined. */
  readonly short: pg.ClientConfig

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
    const { parameters } = this.#url
    const options = [...settings.map((setting) => `-c ${setting}`), parameters.get('options') ?? ''].join(' ')
    const client = new pg.Client({
      connectionString: this.#url.connectionString(host, { options }),
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

function timeout(url: PostgresUrl, name: string, defaultMs: number): number {
  const text = url.parameters.get(name)
  if (text === undefined) return defaultMs
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  const fix = `Use a number of milliseconds, such as ${name}=${defaultMs}.`
  throw new DatabaseError(url.redactedUrl, `: ${name} is "${text}"`, fix)
}
