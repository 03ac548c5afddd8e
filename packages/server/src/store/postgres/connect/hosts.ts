/** Opens connections to the host of a URL that accepts writes, and finds the new primary after a failover. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import { serverError } from '../../fault.ts'
import { type Host, hostText, type PostgresUrl } from '../../postgres-url.ts'
import { dropClient } from './end.ts'
import { type Role, roleOf } from './role.ts'

/** The default limit for connecting to a host while requests wait, or while another host may respond. */
const connectTimeoutMs = 2000

/** The default limit for other connections, such as that of a migration at start. */
const longConnectTimeoutMs = 10_000

/** The default limit for running a statement. */
const statementTimeoutMs = 10_000

/** How long to wait for other hosts after the first one has accepted writes. */
const graceMs = 300

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

export class PostgresHosts {
  readonly #url: PostgresUrl
  readonly #statementTimeoutMs: number
  /** The last known primary, and whether that is still assumed. */
  #latest: Host | undefined
  #isConfirmed = false
  /** The timeline of the last known primary. A server on an older timeline was replaced, even if it accepts writes. */
  #timeline = 0
  #search: Promise<Host> | undefined

  constructor(url: PostgresUrl) {
    this.#url = url
    const timeout = url.parameters.get('statement_timeout')
    if (timeout !== undefined && !/^[1-9]\d{0,8}$/.test(timeout)) {
      const fix = 'Use a number of milliseconds, such as statement_timeout=10000.'
      throw new DatabaseError(url.redactedUrl, `: statement_timeout is "${timeout}"`, fix)
    }
    this.#statementTimeoutMs = timeout === undefined ? statementTimeoutMs : Number(timeout)
    if (!this.hasSeveral) {
      this.#latest = url.hosts[0]
      this.#isConfirmed = true
    }
  }

  /** Whether the URL has several hosts. */
  get hasSeveral(): boolean {
    return this.#url.hosts.length > 1
  }

  /** A connection for many short statements, which are pipelined. */
  open(): Promise<pg.Client> {
    // The client-side timeout applies if the connection to the server is broken.
    return this.#open({
      statement_timeout: this.#statementTimeoutMs,
      query_timeout: this.#statementTimeoutMs + 5000,
      pipeline: true,
    })
  }

  /** A connection without a statement timeout, for migrations and bulk loads. */
  async openWithoutTimeout(): Promise<pg.Client> {
    const connectionTimeoutMillis = this.#connectTimeoutMs(this.hasSeveral ? connectTimeoutMs : longConnectTimeoutMs)
    const client = await this.#open({ connectionTimeoutMillis })
    await client.query('set statement_timeout = 0')
    return client
  }

  /** Forgets the primary: the next connection searches for it. False if there is no other host. */
  forget(): boolean {
    if (this.hasSeveral) this.#isConfirmed = false
    return this.hasSeveral
  }

  /** Whether the last known primary responds and accepts writes. Otherwise it is forgotten. */
  async isReachable(): Promise<boolean> {
    if (!this.#latest) return true
    try {
      dropClient(await this.#connect(this.#latest, {}))
      return true
    } catch (error) {
      // A server that refuses the connection is reachable.
      if (serverError(error)) return true
      this.forget()
      return false
    }
  }

  /** Whether another host is on a newer timeline, so that the last known primary was replaced. It is forgotten then. */
  async isReplaced(): Promise<boolean> {
    const others = this.#url.hosts.filter((host) => host !== this.#latest)
    const roles = await Promise.all(others.map((host) => this.#readRole(host).catch(() => undefined)))
    const isReplaced = this.#timeline > 0 && roles.some((role) => role && role.timeline > this.#timeline)
    if (isReplaced) this.forget()
    return isReplaced
  }

  async #open(config: pg.ClientConfig): Promise<pg.Client> {
    if (!this.#latest || !this.#isConfirmed) return this.#connect(await this.#find(), config)
    try {
      return await this.#connect(this.#latest, config)
    } catch (error) {
      if (!this.hasSeveral) throw error
      this.forget()
      return this.#connect(await this.#find(), config)
    }
  }

  /** Queries all hosts at once. Concurrent callers share the search. */
  #find(): Promise<Host> {
    this.#search ??= this.#findPrimary().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #findPrimary(): Promise<Host> {
    const primaries: (Role & { readonly host: Host })[] = []
    const queries = this.#url.hosts.map(async (host) => primaries.push({ host, ...(await this.#readRole(host)) }))
    try {
      await Promise.any(queries)
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
    // A replaced server that does not know it may accept writes too: the newest timeline wins.
    await Promise.race([Promise.allSettled(queries), pause(graceMs, undefined, { ref: false })])
    const newest = primaries.reduce((best, candidate) => (candidate.timeline > best.timeline ? candidate : best))
    this.#latest = newest.host
    this.#isConfirmed = true
    return newest.host
  }

  /** The role of a host, which must accept writes. */
  async #readRole(host: Host): Promise<Role> {
    const client = await this.#client(host, {})
    try {
      return await this.#checkRole(client, host)
    } finally {
      dropClient(client)
    }
  }

  async #connect(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    const client = await this.#client(host, config)
    if (!this.hasSeveral) return client
    try {
      this.#timeline = (await this.#checkRole(client, host)).timeline
      return client
    } catch (error) {
      dropClient(client)
      throw error
    }
  }

  /** Refuses a standby, and a primary that was replaced. */
  async #checkRole(client: pg.Client, host: Host): Promise<Role> {
    const role = await roleOf(client, this.#connectTimeoutMs())
    if (role.isStandby) throw new NotWritable(`${hostText(host)} is a standby and does not accept writes`)
    if (role.timeline < this.#timeline) throw new NotWritable(`${hostText(host)} was replaced by another server`)
    return role
  }

  /** The limit in the URL, or a default. */
  #connectTimeoutMs(defaultMs = connectTimeoutMs): number {
    const seconds = Number(this.#url.parameters.get('connect_timeout'))
    return seconds > 0 ? seconds * 1000 : defaultMs
  }

  async #client(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    const { parameters } = this.#url
    const options = [...settings.map((setting) => `-c ${setting}`), parameters.get('options') ?? ''].join(' ')
    const client = new pg.Client({
      connectionString: this.#url.connectionString(host, { options }),
      fallback_application_name: 'nomen',
      keepAlive: true,
      connectionTimeoutMillis: this.#connectTimeoutMs(),
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

  /** The error for the operator who starts the service, without the password. */
  startError(error: unknown): DatabaseError {
    const [reason, fix] = reasonOf(error)
    return new DatabaseError(this.#url.redactedUrl, `: ${reason}`, fix)
  }
}

class NotWritable extends Error {}

function reasonOf(error: unknown): readonly [string, string] {
  const message = error instanceof Error ? error.message : `${error}`
  const code = serverError(error)?.code
  if (error instanceof NotWritable) return [message, 'Use the host of the primary, or list all hosts.']
  if (code === '3D000') return ['the database does not exist', 'Create it, or use an existing one.']
  if (code?.startsWith('28')) return [message, 'Check the user name and the password in the URL.']
  if (code !== undefined) return [message, 'Try again when the server is ready.']
  const system = error instanceof Error && 'code' in error ? `${error.code}` : message
  if (unreachablePattern.test(system))
    return [`no server responds (${system})`, 'Start the server, or correct the host and port.']
  return [message, 'Check the URL and its parameters.']
}

/** Errors of a host that cannot be reached. */
const unreachablePattern = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|timeout|Connection terminated)/
