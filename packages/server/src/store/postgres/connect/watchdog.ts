/**
 * Notices a server that is gone without a word: a machine that has stopped or cannot be reached closes no connection, so
 * whoever waits for its answer would wait on. Notices as well that another server has taken its place.
 */
import type { PostgresHosts } from './hosts.ts'
import type { PostgresPool } from './pool.ts'

/** How often connections are looked at, and after which silence the server is asked whether it is there, in milliseconds. */
const fastPollMs = 500
const silent = 1000

/** How often the other hosts are asked, in milliseconds. */
const slowPollMs = 5000

export class ConnectionWatchdog {
  readonly #hosts: PostgresHosts
  readonly #pool: PostgresPool
  readonly #timers: NodeJS.Timeout[]
  #isAsking = false

  constructor(hosts: PostgresHosts, pool: PostgresPool) {
    this.#hosts = hosts
    this.#pool = pool
    this.#timers = [setInterval(() => this.#listen(), fastPollMs).unref()]
    if (hosts.areMany) this.#timers.push(setInterval(() => this.#look(), slowPollMs).unref())
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** A statement may take longer than that by right: only if a new connection gets no answer either, nobody is there. */
  async #listen(): Promise<void> {
    if (this.#isAsking || this.#pool.silence < silent) return
    this.#isAsking = true
    if (!(await this.#hosts.isThere())) this.#pool.abandon(new Error('The server does not answer.'))
    this.#isAsking = false
  }

  /** What is under way on the server that was replaced may end there; whatever comes next goes to the other one. */
  async #look(): Promise<void> {
    if (await this.#hosts.isReplaced()) this.#pool.renew()
  }
}
