/** Opens connections to the one host of an address that takes writes, and finds it again when it changes. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseError } from '../../database-error.ts'
import { serverError } from '../../fault.ts'
import { type Host, type PostgresAddress, shownHost } from '../../postgres-address.ts'
import { dropClient } from './end.ts'
import { type Role, roleOf } from './role.ts'

/** How long a host may take to answer, and a statement to run, in milliseconds. */
const connectPatience = 2000
const statementPatience = 10_000

/** How long others are waited for once a host has said that it takes writes, in milliseconds. */
const grace = 300

/**
 * What every session is set to. Lists rely on indexes, which the planner shuns while it believes in slow discs and plans
 * for values that it does not know; short statements have no use for compiled code and parallel workers, and rows reach
 * an aggregate in their order only without the latter. Numbers are told to the last digit, and moments without a zone
 * are of UTC. Writes are made for `read committed`.
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
  readonly #address: PostgresAddress
  readonly #timeout: number
  /** The host that took writes last, and whether that is still believed. */
  #latest: Host | undefined
  #isSure = false
  /** The timeline that was written on last: a server on an older one was replaced, whatever it says itself. */
  #timeline = 0
  #search: Promise<Host> | undefined

  constructor(address: PostgresAddress) {
    this.#address = address
    const given = address.parameters.get('statement_timeout')
    if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given)) {
      const fix = 'Give it in milliseconds, such as statement_timeout=10000.'
      throw new DatabaseError(address.shown, `: its statement_timeout is "${given}"`, fix)
    }
    this.#timeout = given === undefined ? statementPatience : Number(given)
    if (!this.areMany) {
      this.#latest = address.hosts[0]
      this.#isSure = true
    }
  }

  /** Whether another host could take the place of this one. */
  get areMany(): boolean {
    return this.#address.hosts.length > 1
  }

  /** A connection for many short statements, which may be sent before the ones before are answered. */
  open(): Promise<pg.Client> {
    // Where the server does not keep its own time, since the way to it is broken, we do.
    return this.#open({ statement_timeout: this.#timeout, query_timeout: this.#timeout + 5000, pipeline: true })
  }

  /** A connection for work that may take its time. */
  async openPatient(): Promise<pg.Client> {
    const client = await this.#open({})
    await client.query('set statement_timeout = 0')
    return client
  }

  /** The known host takes no writes any more: the next connection looks for another. False where there is no other. */
  forget(): boolean {
    if (this.areMany) this.#isSure = false
    return this.areMany
  }

  /** Whether the host that was connected to last still answers, and takes writes. It is forgotten otherwise. */
  async isThere(): Promise<boolean> {
    if (!this.#latest) return true
    try {
      dropClient(await this.#connect(this.#latest, {}))
      return true
    } catch (error) {
      // Whoever refuses is there.
      if (serverError(error)) return true
      this.forget()
      return false
    }
  }

  /** Whether another host takes writes by now, while the one that was connected to last may not know. It is forgotten then. */
  async isReplaced(): Promise<boolean> {
    const others = this.#address.hosts.filter((host) => host !== this.#latest)
    const roles = await Promise.all(others.map((host) => this.#look(host).catch(() => undefined)))
    const isReplaced = this.#timeline > 0 && roles.some((role) => role && role.timeline > this.#timeline)
    if (isReplaced) this.forget()
    return isReplaced
  }

  async #open(config: pg.ClientConfig): Promise<pg.Client> {
    if (!this.#latest || !this.#isSure) return this.#connect(await this.#find(), config)
    try {
      return await this.#connect(this.#latest, config)
    } catch (error) {
      if (!this.areMany) throw error
      this.forget()
      return this.#connect(await this.#find(), config)
    }
  }

  /** Asks all hosts at once; whoever opens a connection meanwhile waits for the same answer. */
  #find(): Promise<Host> {
    this.#search ??= this.#ask().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #ask(): Promise<Host> {
    const found: (Role & { readonly host: Host })[] = []
    const asked = this.#address.hosts.map(async (host) => found.push({ host, ...(await this.#look(host)) }))
    try {
      await Promise.any(asked)
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
    // A server that was replaced and has not been told takes writes as well: the one that replaced it counts.
    await Promise.race([Promise.allSettled(asked), pause(grace, undefined, { ref: false })])
    const youngest = found.reduce((best, one) => (one.timeline > best.timeline ? one : best))
    this.#latest = youngest.host
    this.#isSure = true
    return youngest.host
  }

  /** What a host is that takes writes. */
  async #look(host: Host): Promise<Role> {
    const client = await this.#client(host, {})
    try {
      return await this.#judge(client, host)
    } finally {
      dropClient(client)
    }
  }

  async #connect(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    const client = await this.#client(host, config)
    if (!this.areMany) return client
    try {
      this.#timeline = (await this.#judge(client, host)).timeline
      return client
    } catch (error) {
      dropClient(client)
      throw error
    }
  }

  /** Refuses a host that takes no writes, or should not. */
  async #judge(client: pg.Client, host: Host): Promise<Role> {
    const role = await roleOf(client, this.#connectPatience)
    if (role.isStandby) throw new Unwritable(`${shownHost(host)} is a standby, and takes no writes`)
    if (role.timeline < this.#timeline) throw new Unwritable(`${shownHost(host)} was replaced by another server`)
    return role
  }

  get #connectPatience(): number {
    const seconds = Number(this.#address.parameters.get('connect_timeout'))
    return seconds > 0 ? seconds * 1000 : connectPatience
  }

  async #client(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    const { parameters } = this.#address
    const options = [...settings.map((setting) => `-c ${setting}`), parameters.get('options') ?? ''].join(' ')
    const client = new pg.Client({
      connectionString: this.#address.of(host, { options }),
      fallback_application_name: 'nomen',
      keepAlive: true,
      connectionTimeoutMillis: this.#connectPatience,
      ...config,
    })
    // Whoever gets the connection listens too; until then a failure is told by what is awaited.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      dropClient(client)
      throw error
    }
  }

  /** The sentence for whoever starts the service, from what went wrong. It holds no password. */
  startError(error: unknown): DatabaseError {
    const [reason, fix] = reasonOf(error)
    return new DatabaseError(this.#address.shown, `: ${reason}`, fix)
  }
}

class Unwritable extends Error {}

function reasonOf(error: unknown): readonly [string, string] {
  const message = error instanceof Error ? error.message : `${error}`
  const code = serverError(error)?.code
  if (error instanceof Unwritable) return [message, 'Name the host that does, or all of them.']
  if (code === '3D000') return ['there is no such database', 'Create it, or name one that is there.']
  if (code?.startsWith('28')) return [message, 'Check the user name and the password in the address.']
  if (code !== undefined) return [message, 'Try again when the server is ready.']
  const system = error instanceof Error && 'code' in error ? `${error.code}` : message
  if (silence.test(system)) return [`no server answers there (${system})`, 'Start it, or name the right host and port.']
  return [message, 'Check the address and its parameters.']
}

/** What the system says of a host that is not there, or does not listen. */
const silence = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|timeout|Connection terminated)/
