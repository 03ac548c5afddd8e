/** Opens connections to the host of a URL that accepts writes, and finds the new primary after a failover. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Host, hostText, type PostgresUrl } from '../../connection/postgres-url.ts'
import type { DatabaseError } from '../../fault/database-error.ts'
import { serverError } from '../../fault/fault.ts'
import { dropClient } from './end.ts'
import { type Pooling, poolingOf, type SharedSessions } from './pooler.ts'
import { lostSessions, type Role, roleOf } from './role.ts'
import { SessionOptions } from './session.ts'
import { NotWritable, SharedSession, startError } from './start-error.ts'

/** The default limit for connections that no request waits for, such as that of a migration at start. */
const longConnectTimeoutMs = 10_000

/** How long to wait for other hosts after the first one has accepted writes. */
const graceMs = 300

/** A session on a server, and the role that the server had when the session began. */
export interface Session {
  readonly client: pg.Client
  readonly role: Role
  /** Set if a pooler gives each transaction another session. */
  readonly shared?: SharedSessions | undefined
}

/** `replica`: the hosts are read only, whatever their role. */
export type HostsUse = 'primary' | 'replica'

export class PostgresHosts {
  readonly #url: PostgresUrl
  readonly #options: SessionOptions
  readonly #use: HostsUse
  /** The last known primary, and whether that is still assumed. */
  #primary: Host | undefined
  #isConfirmed = false
  /** The role of the last known primary. A server on an older timeline was replaced, even if it accepts writes. */
  #knownTimeline: Timeline = { system: '', timeline: 0 }
  #search: Promise<Host> | undefined
  #pooling: Promise<Pooling> | undefined
  #failovers = 0

  constructor(url: PostgresUrl, use: HostsUse = 'primary') {
    this.#url = url
    this.#use = use
    this.#options = new SessionOptions(url)
    if (!this.hasSeveral) {
      this.#primary = url.hosts[0]
      this.#isConfirmed = true
    }
  }

  /** Whether the URL has several hosts. */
  get hasSeveral(): boolean {
    return this.#url.hosts.length > 1
  }

  /** How often the primary was replaced by a server on a newer timeline. */
  get failovers(): number {
    return this.#failovers
  }

  /** A connection for many short statements, which are pipelined. */
  open(): Promise<Session> {
    return this.#openWithSettings(this.#options.shortStatementConfig)
  }

  /** A connection without a statement timeout, for migrations and bulk loads. */
  async openWithoutTimeout(): Promise<pg.Client> {
    const connectionTimeoutMillis = this.#options.connectTimeoutMs(this.hasSeveral ? undefined : longConnectTimeoutMs)
    const { client, shared } = await this.#openWithSettings({ connectionTimeoutMillis })
    try {
      if (shared) throw new SharedSession()
      await client.query('set statement_timeout = 0')
      return client
    } catch (error) {
      dropClient(client)
      throw error
    }
  }

  /** Forgets the primary: the next connection searches for it. */
  forget(): void {
    if (this.hasSeveral) this.#isConfirmed = false
  }

  /**
   * Returns those of the sessions whose pending statement or response was lost. Returns undefined, and forgets the last known
   * primary, if that does not respond or was replaced.
   */
  async lostSessions(sessions: readonly Role[]): Promise<readonly Role[] | undefined> {
    if (!this.#primary) return []
    let client: pg.Client | undefined
    try {
      const session = await this.#connect(this.#primary, {})
      client = session.client
      // One host may lead to several servers.
      const sessionsOfServer = sessions.filter(({ server }) => server === session.role.server)
      return await lostSessions(client, sessionsOfServer, this.#options.connectTimeoutMs())
    } catch (error) {
      // A server that rejects the connection is reachable.
      if (serverError(error)) return []
      this.forget()
      return undefined
    } finally {
      if (client) dropClient(client)
    }
  }

  /** Whether a new connection could write. */
  async acceptWrites(): Promise<boolean> {
    if (this.#use === 'replica') return false
    try {
      const { client, role } = await this.#open({})
      dropClient(client)
      return !role.isReadOnly
    } catch {
      return false
    }
  }

  /** Whether another host is on a newer timeline, so that the last known primary was replaced. It is forgotten then. */
  async isReplaced(): Promise<boolean> {
    const others = this.#url.hosts.filter((host) => host !== this.#primary)
    const roles = await Promise.all(others.map((host) => this.#readRole(host).catch(() => undefined)))
    const isReplaced = roles.some((role) => role && isOlder(this.#knownTimeline, role))
    if (isReplaced) this.forget()
    return isReplaced
  }

  /** The error for the operator who starts the service, without the password. */
  startError(error: unknown): DatabaseError {
    return startError(this.#url, error)
  }

  /** A session with all settings; behind a pooler, which may reject or ignore them, they are set now or later. */
  async #openWithSettings(config: pg.ClientConfig): Promise<Session> {
    const session = await this.#open(config)
    const { client, role } = session
    if (role.processId !== undefined) return session
    try {
      const pooling = await this.#poolingOf(client)
      if (pooling !== 'session')
        return { ...session, shared: this.#options.sharedSessions(config, pooling !== 'transaction') }
      await this.#options.apply(client, config)
      return session
    } catch (error) {
      dropClient(client)
      throw error
    }
  }

  /** How a pooler assigns sessions to connections; checked once. */
  #poolingOf(client: pg.Client): Promise<Pooling> {
    this.#pooling ??= this.#checkPooling(client).catch((error) => {
      this.#pooling = undefined
      throw error
    })
    return this.#pooling
  }

  async #checkPooling(client: pg.Client): Promise<Pooling> {
    const { client: other } = await this.#open({})
    try {
      return await poolingOf(client, other, this.#options.connectTimeoutMs())
    } finally {
      dropClient(other)
    }
  }

  async #open(config: pg.ClientConfig): Promise<Session> {
    if (!this.#primary || !this.#isConfirmed) return this.#connect(await this.#find(), config)
    try {
      return await this.#connect(this.#primary, config)
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
    this.#primary = newest.host
    this.#isConfirmed = true
    return newest.host
  }

  /** The role of a host, which must be a primary. */
  async #readRole(host: Host): Promise<Role> {
    const { client, role } = await this.#openChecked(host, {})
    dropClient(client)
    return role
  }

  async #connect(host: Host, config: pg.ClientConfig): Promise<Session> {
    const session = await this.#openChecked(host, config)
    if (!session.role.isStandby && !isOlder(session.role, this.#knownTimeline)) {
      if (this.#knownTimeline.timeline > 0 && isOlder(this.#knownTimeline, session.role)) this.#failovers++
      this.#knownTimeline = session.role
    }
    return session
  }

  async #openChecked(host: Host, config: pg.ClientConfig): Promise<Session> {
    const client = await this.#options.connect(host, config)
    try {
      const role = await roleOf(client, this.#options.connectTimeoutMs())
      this.#check(role, host)
      return { client, role: this.#use === 'replica' ? { ...role, isReadOnly: true } : role }
    } catch (error) {
      dropClient(client)
      throw error
    }
  }

  /** Rejects a primary that was replaced; and a standby, if another host may be the primary. */
  #check(role: Role, host: Host): void {
    if (this.#use === 'replica') return
    if (role.isStandby && this.hasSeveral)
      throw new NotWritable(`${hostText(host)} is a standby and does not accept writes`)
    if (!role.isStandby && isOlder(role, this.#knownTimeline))
      throw new NotWritable(`${hostText(host)} was replaced by another server`)
  }
}

type Timeline = Pick<Role, 'system' | 'timeline'>

function isOlder(first: Timeline, second: Timeline): boolean {
  return first.system === second.system && first.timeline > 0 && first.timeline < second.timeline
}
