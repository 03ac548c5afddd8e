/**
 * Detects a server that no longer responds, one that was replaced, and one that accepts writes again. A machine that has
 * stopped, or that the network cannot reach, closes no connection: requests would wait forever.
 */
import type { PostgresHosts } from './hosts.ts'
import type { PostgresPool } from './pool.ts'

/** How often connections are checked, and after which silence the server is tested. */
const fastPollMs = 500
const maxSilenceMs = 1000

/** How often the other hosts are queried. */
const slowPollMs = 5000

export class ConnectionWatchdog {
  readonly #hosts: PostgresHosts
  readonly #pool: PostgresPool
  readonly #timers: NodeJS.Timeout[]
  #isTesting = false

  constructor(hosts: PostgresHosts, pool: PostgresPool) {
    this.#hosts = hosts
    this.#pool = pool
    this.#timers = [setInterval(() => this.#check(), fastPollMs).unref()]
    if (hosts.hasSeveral) this.#timers.push(setInterval(() => this.#checkPrimary(), slowPollMs).unref())
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  async #check(): Promise<void> {
    this.#pool.retire()
    if (this.#isTesting) return
    this.#isTesting = true
    await this.#checkSilence()
    if (this.#pool.isReadOnly && (await this.#hosts.acceptWrites())) this.#pool.renew()
    this.#isTesting = false
  }

  /** A statement may legitimately take longer. The server is down only if a new connection gets no response either. */
  async #checkSilence(): Promise<void> {
    const silent = this.#pool.silentConnections(maxSilenceMs)
    if (silent.length === 0) return
    const lost = await this.#hosts.lostSessions(silent.map(({ role }) => role))
    if (!lost) return this.#pool.abandon(new Error('The server does not respond.'))
    const brokenConnections = silent.filter(({ role, silenceMs }) => lost.includes(role) && silenceMs >= maxSilenceMs)
    if (brokenConnections.length === 0) return
    // Idle connections may be broken for the same reason.
    this.#pool.renew()
    for (const connection of brokenConnections) connection.break(new Error('The connection does not respond.'))
  }

  /** Pending statements may finish on the replaced server; new ones go to the new primary. */
  async #checkPrimary(): Promise<void> {
    if (await this.#hosts.isReplaced()) this.#pool.renew()
  }
}
