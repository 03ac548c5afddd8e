/** A connection pool for one database, with quotas for each use, which reconnects when the server is back. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable, TooManyLists } from '../../error.ts'
import {
  connectionQuotas,
  maxConnections,
  maxWaitingLists,
  type QueueName,
  queues,
  type Use,
  usePolicies,
} from './pool-use.ts'
import type { PooledConnection } from './pooled-connection.ts'

export interface PoolOptions {
  /** Opens a connection; calls `onLost` when it breaks. */
  open(onLost: (lost: PooledConnection) => void): Promise<PooledConnection>
}

interface Waiter {
  readonly since: number
  readonly use: Use
  resolve(connection: PooledConnection): void
  reject(error: Error): void
}

/** How long a request waits for a free connection. */
const timeoutMs = 5000

/** How long to wait before the next attempt to connect. */
const reconnectIntervalMs = 250

export class PostgresPool {
  readonly #options: PoolOptions
  readonly #connections = new Set<PooledConnection>()
  readonly #queues: Record<QueueName, Waiter[]> = { read: [], list: [], scan: [], slow: [], write: [] }
  #opening = 0
  #triedAt = Number.NEGATIVE_INFINITY
  /** The error of the last attempt, while the server cannot be reached. */
  #fault: unknown
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Runs work with a connection: an idle one, or one that the same use shares by pipelining. */
  async with<Result>(use: Use, work: (connection: PooledConnection) => Promise<Result>): Promise<Result> {
    const connection = this.#claim(use) ?? (await this.#wait(use))
    try {
      return await work(connection)
    } finally {
      connection.load--
      this.#release(connection)
    }
  }

  /** Replaces all connections. Those in use are closed when they are free. */
  renew(): void {
    const old = [...this.#connections]
    this.#connections.clear()
    for (const connection of old) this.#release(connection)
  }

  /** The longest time that a connection has waited for a response. */
  get silenceMs(): number {
    let longest = 0
    for (const { silenceMs } of this.#connections) longest = Math.max(longest, silenceMs)
    return longest
  }

  /** Age of the oldest request in a queue. */
  oldestWaitMs(queue: QueueName): number {
    const [first] = this.#queues[queue]
    return first ? performance.now() - first.since : 0
  }

  /** The number of connections, idle connections and waiting requests, and the limit. */
  get figures(): { readonly total: number; readonly idle: number; readonly waiting: number; readonly limit: number } {
    let idle = 0
    for (const { load } of this.#connections) if (load === 0) idle++
    const waiting = queues.reduce((sum, queue) => sum + this.#queues[queue].length, 0)
    return { total: this.#connections.size, idle, waiting, limit: maxConnections }
  }

  /** The server no longer responds: breaks all connections, and fails pending and waiting requests. */
  abandon(fault: Error): void {
    const old = [...this.#connections]
    this.#connections.clear()
    this.#fail(fault)
    for (const connection of old) connection.break(fault)
  }

  /** Accepts no more work, waits for pending work, and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#refuseAll(closed())
    await Promise.all([...this.#connections].map((connection) => connection.close()))
    this.#connections.clear()
  }

  /** A connection that can be used at once, unless others of the queue already wait. */
  #claim(use: Use): PooledConnection | undefined {
    return this.#queues[usePolicies[use].queue].length === 0 && !this.#isClosed ? this.#take(use) : undefined
  }

  #take(use: Use): PooledConnection | undefined {
    const connection = this.#free(use) ?? this.#leastLoaded(use)
    if (!connection) return undefined
    connection.use = use
    connection.load++
    return connection
  }

  /** An idle connection, if the quotas allow it. */
  #free(use: Use): PooledConnection | undefined {
    const { queue } = usePolicies[use]
    let idle: PooledConnection | undefined
    const busyCounts: Record<QueueName, number> = { read: 0, list: 0, scan: 0, slow: 0, write: 0 }
    for (const connection of this.#connections) {
      if (connection.load === 0) idle ??= connection
      else busyCounts[usePolicies[connection.use].queue]++
    }
    for (const { queues: sharing, limit } of connectionQuotas) {
      if (sharing.includes(queue) && sharing.reduce((sum, name) => sum + busyCounts[name], 0) >= limit) return undefined
    }
    // Adds connections until the limit is reached.
    if (!idle) this.#grow()
    return idle
  }

  #leastLoaded(use: Use): PooledConnection | undefined {
    let best: PooledConnection | undefined
    for (const connection of this.#connections) {
      if (connection.use === use && connection.load < (best?.load ?? usePolicies[use].depth)) best = connection
    }
    return best
  }

  #release(connection: PooledConnection): void {
    if (connection.load === 0 && !this.#connections.has(connection)) connection.close().catch(() => {})
    else this.#serve()
  }

  #wait(use: Use): Promise<PooledConnection> {
    if (this.#isClosed) return Promise.reject(closed())
    if (this.#fault !== undefined) return Promise.reject(unreachable(this.#fault))
    const queue = this.#queues[usePolicies[use].queue]
    const isLong = use === 'scan' || use === 'slow'
    const timeoutError = () => {
      const reason = `No connection to the database became free within ${timeoutMs} ms.`
      return isLong ? new TooManyLists(reason) : new StoreUnavailable(reason)
    }
    if (isLong && queue.length >= maxWaitingLists) return Promise.reject(timeoutError())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(timeoutError())
      }, timeoutMs)
      const waiting: Waiter = {
        since: performance.now(),
        use,
        resolve: (connection) => {
          clearTimeout(timer)
          resolve(connection)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      queue.push(waiting)
      this.#grow()
    })
  }

  /** Assigns connections to waiting requests: short reads first, then the oldest of lists and writes, then slow lists. */
  #serve(): void {
    const { read, list, scan, slow, write } = this.#queues
    this.#serveQueue(read)
    const isListFirst = (list[0]?.since ?? 0) <= (write[0]?.since ?? 0)
    this.#serveQueue(isListFirst ? list : write)
    this.#serveQueue(isListFirst ? write : list)
    this.#serveQueue(scan)
    this.#serveQueue(slow)
  }

  #serveQueue(queue: Waiter[]): void {
    for (let [next] = queue; next; [next] = queue) {
      const connection = this.#take(next.use)
      if (!connection) return
      queue.shift()
      next.resolve(connection)
    }
  }

  /** Opens one more connection, if the limit allows it. */
  #grow(): void {
    const number = this.#connections.size + this.#opening
    if (number >= maxConnections || this.#isClosed || this.#fault !== undefined) return
    // If the server refuses further connections, do not try again for every request.
    if (number > 0 && performance.now() - this.#triedAt < reconnectIntervalMs) return
    this.#opening++
    this.#open().then(
      () => {
        this.#opening--
        this.#serve()
      },
      (error) => {
        this.#opening--
        this.#triedAt = performance.now()
        if (this.#connections.size === 0 && this.#opening === 0) this.#fail(error)
      },
    )
  }

  async #open(): Promise<void> {
    const connection = await this.#options.open((lost) => this.#lose(lost))
    if (this.#isClosed) await connection.close()
    else if (connection.isOpen) this.#connections.add(connection)
  }

  #lose(lost: PooledConnection): void {
    this.#connections.delete(lost)
    if (this.figures.waiting > 0) this.#grow()
  }

  /** The server cannot be reached: fails all waiting requests, and tries to connect until it is back. */
  async #fail(fault: unknown): Promise<void> {
    const isReconnecting = this.#fault !== undefined
    this.#fault = fault
    this.#refuseAll(unreachable(fault))
    if (isReconnecting) return
    while (this.#fault !== undefined && !this.#isClosed) {
      await pause(reconnectIntervalMs, undefined, { ref: false })
      try {
        await this.#open()
        this.#fault = undefined
      } catch (error) {
        this.#fault = error
      }
    }
  }

  #refuseAll(error: Error): void {
    for (const queue of Object.values(this.#queues)) for (const { reject } of queue.splice(0)) reject(error)
  }
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('The database is closed.')
}

function unreachable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The database cannot be reached.', { cause })
}
