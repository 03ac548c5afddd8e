/** Opens connections to the one host of an address that takes writes, and finds it again when it changes. */
import pg from 'pg'
import { DatabaseError } from '../database-error.ts'
import { type Host, type PostgresAddress, shownHost } from './postgres-address.ts'
import { serverError } from './postgres-error.ts'

/** How long a host may take to answer, and a statement to run, in milliseconds. */
const connectPatience = 2000
const statementPatience = 10_000

/**
 * What every session is set to. Lists rely on indexes, which the planner shuns while it believes in slow discs and plans
 * for values that it does not know; short statements have no use for compiled code and parallel workers, and rows reach
 * an aggregate in their order only without the latter. Numbers are told to the last digit. Writes are made for
 * `read committed`.
 */
const settings = [
  'random_page_cost=1.1',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'extra_float_digits=1',
  'default_transaction_isolation=read\\ committed',
]

export class PostgresHosts {
  readonly #address: PostgresAddress
  readonly #timeout: number
  /** The host that took writes last. */
  #known: Host | undefined
  #search: Promise<Host> | undefined

  constructor(address: PostgresAddress) {
    this.#address = address
    const given = address.parameters.get('statement_timeout')
    if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given)) {
      const mend = 'Give it in milliseconds, such as statement_timeout=10000.'
      throw new DatabaseError(address.shown, `: its statement_timeout is "${given}"`, mend)
    }
    this.#timeout = given === undefined ? statementPatience : Number(given)
    if (address.hosts.length === 1) this.#known = address.hosts[0]
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
    const isOneOfMany = this.#address.hosts.length > 1
    if (isOneOfMany) this.#known = undefined
    return isOneOfMany
  }

  async #open(config: pg.ClientConfig): Promise<pg.Client> {
    const host = this.#known ?? (await this.#find())
    try {
      return await this.#connect(host, config)
    } catch (error) {
      if (this.#address.hosts.length === 1) throw error
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
    const asked = this.#address.hosts.map(async (host) => {
      const client = await this.#connect(host, {})
      await client.end()
      return host
    })
    try {
      this.#known = await Promise.any(asked)
      return this.#known
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  }

  async #connect(host: Host, config: pg.ClientConfig): Promise<pg.Client> {
    const { parameters } = this.#address
    const options = [...settings.map((setting) => `-c ${setting}`), parameters.get('options') ?? ''].join(' ')
    const seconds = Number(parameters.get('connect_timeout'))
    const client = new pg.Client({
      connectionString: this.#address.of(host, { options }),
      fallback_application_name: 'nomen',
      keepAlive: true,
      connectionTimeoutMillis: seconds > 0 ? seconds * 1000 : connectPatience,
      ...config,
    })
    // Whoever gets the connection listens too; until then a failure is told by what is awaited.
    client.on('error', () => {})
    try {
      await client.connect()
      if (this.#address.hosts.length > 1 && (await isStandby(client))) throw new Standby(shownHost(host))
      return client
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
  }

  /** The sentence for whoever starts the service, from what went wrong. It holds no password. */
  startError(error: unknown): DatabaseError {
    const [reason, mend] = reasonOf(error)
    return new DatabaseError(this.#address.shown, `: ${reason}`, mend)
  }
}

class Standby extends Error {
  constructor(host: string) {
    super(`${host} is a standby, and takes no writes`)
  }
}

async function isStandby(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_is_in_recovery() as standby')
  return rows[0].standby === true
}

function reasonOf(error: unknown): readonly [string, string] {
  const message = error instanceof Error ? error.message : `${error}`
  const code = serverError(error)?.code
  if (error instanceof Standby) return [message, 'Name the host that does, or all of them.']
  if (code === '3D000') return ['there is no such database', 'Create it, or name one that is there.']
  if (code?.startsWith('28')) return [message, 'Check the user name and the password in the address.']
  if (code !== undefined) return [message, 'Try again when the server is ready.']
  const system = error instanceof Error && 'code' in error ? `${error.code}` : message
  if (silence.test(system)) return [`no server answers there (${system})`, 'Start it, or name the right host and port.']
  return [message, 'Check the address and its parameters.']
}

/** What the system says of a host that is not there, or does not listen. */
const silence = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|timeout|Connection terminated)/
