/**
 * Detects a server that no longer responds, and one that was replaced. A machine that has stopped, or that the network
 * cannot reach, closes no connection: requests would wait forever.
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
    this.#timers = [setInterval(() => this.#checkSilence(), fastPollMs).unref()]
    if (hosts.hasSeveral) this.#timers.push(setInterval(() => this.#checkPrimary(), slowPollMs).unref())
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** A statement may legitimately take longer. The server is down only if a new connection gets no response either. */
  async #checkSilence(): Promise<void> {
    if (this.#isTesting || this.#pool.silenceMs < maxSilenceMs) return
    this.#isTesting = true
    if (!(await this.#hosts.isReachable())) this.#pool.abandon(new Error('The server does not respond.'))
    this.#isTesting = false
  }

  /** Pending statements may finish on the replaced server; new ones go to the new primary. */
  async #checkPrimary(): Promise<void> {
    if (await this.#hosts.isReplaced()) this.#pool.renew()
  }
}
