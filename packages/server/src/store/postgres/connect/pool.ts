/** A connection pool for one database, with quotas for each use, which reconnects when the server is back. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PoolLimits } from '../../connection/database-pool.ts'
import { StoreUnavailable } from '../../fault/error.ts'
import { type QueueName, quotasOf, type Use, usePolicies } from './pool-use.ts'
import type { PooledConnection } from './pooled-connection.ts'
import { WaitQueues } from './wait-queue.ts'

export interface PoolOptions {
  readonly limits: PoolLimits
  /** Opens a connection; calls `onLost` when it breaks. */
  open(onLost: (lost: PooledConnection) => void): Promise<PooledConnection>
  /** Called when the server no longer accepts writes, and when it accepts them again. */
  onReadOnly?: ((isReadOnly: boolean) => void) | undefined
}

/** How long to wait before the next attempt to connect. */
const reconnectIntervalMs = 250

/** A connection that has waited this long for a response gets no further statements. */
const maxPipelinedSilenceMs = 100

export class PostgresPool {
  readonly #options: PoolOptions
  readonly #quotas: ReturnType<typeof quotasOf>
  readonly #connections = new Set<PooledConnection>()
  readonly #queues = new WaitQueues()
  #opening = 0
  #triedAt = Number.NEGATIVE_INFINITY
  /** The error of the last attempt, while the server cannot be reached. */
  #fault: unknown
  #isReadOnly = false
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#quotas = quotasOf(options.limits.connections)
  }

  /** Runs work with a connection: an idle one, or one that the same use shares by pipelining. */
  async with<Result>(use: Use, work: (connection: PooledConnection) => Promise<Result>): Promise<Result> {
    const connection = this.#claim(use) ?? (await this.#wait(use))
    try {
      return await work(connection)
    } finally {
      if (--connection.load === 0) connection.idleSince = performance.now()
      this.#release(connection)
    }
  }

  /** Whether the server accepts only reads, as far as known. */
  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  /** Replaces all connections. Those in use are closed when they are free. */
  renew(): void {
    this.#drop(() => true)
    // Writes are rejected until a connection shows that the server accepts them.
    if (this.#isReadOnly) this.#grow()
  }

  /** Replaces connections that are older than allowed, and closes those that have been idle for too long. */
  retire(): void {
    const { maxLifeMs, idleTimeoutMs } = this.#options.limits
    const now = performance.now()
    this.#drop(
      ({ openedAt, lifeShare, load, idleSince }) =>
        now - openedAt > maxLifeMs * lifeShare || (load === 0 && now - idleSince > idleTimeoutMs),
    )
  }

  /** The connections that have waited longer than this for a response. */
  silentConnections(minMs: number): readonly PooledConnection[] {
    return [...this.#connections].filter(({ silenceMs }) => silenceMs >= minMs)
  }

  /** Age of the oldest request in a queue. */
  oldestWaitMs(queue: QueueName): number {
    return this.#queues.oldestWaitMs(queue)
  }

  /** The number of connections, idle connections and waiting requests, and the limit. */
  get figures(): { readonly total: number; readonly idle: number; readonly waiting: number; readonly limit: number } {
    let idle = 0
    for (const { load } of this.#connections) if (load === 0) idle++
    const { connections: limit } = this.#options.limits
    return { total: this.#connections.size, idle, waiting: this.#queues.length, limit }
  }

  /** Called when the server no longer responds: breaks all connections, and fails pending and waiting requests. */
  abandon(fault: Error): void {
    const dropped = [...this.#connections]
    this.#connections.clear()
    this.#fail(fault)
    for (const connection of dropped) connection.break(fault)
  }

  /** Accepts no more work, waits for pending work, and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#queues.reject(closedError())
    await Promise.all([...this.#connections].map((connection) => connection.close()))
    this.#connections.clear()
  }

  /** A connection that can be used at once, unless others of the queue already wait. */
  #claim(use: Use): PooledConnection | undefined {
    const { queue } = usePolicies[use]
    if (this.#isReadOnly && queue === 'write') return undefined
    return this.#queues.isEmpty(queue) && !this.#isClosed ? this.#take(use) : undefined
  }

  #take(use: Use): PooledConnection | undefined {
    const connection = this.#idleConnection(use) ?? this.#leastLoaded(use)
    if (!connection) return undefined
    connection.use = use
    connection.load++
    return connection
  }

  /** An idle connection, if the quotas allow it. */
  #idleConnection(use: Use): PooledConnection | undefined {
    const { queue } = usePolicies[use]
    let idle: PooledConnection | undefined
    const busyCounts: Record<QueueName, number> = { read: 0, list: 0, scan: 0, slow: 0, write: 0 }
    for (const connection of this.#connections) {
      if (connection.load === 0) idle ??= connection
      else busyCounts[usePolicies[connection.use].queue]++
    }
    for (const { queues: sharing, limit } of this.#quotas) {
      if (sharing.includes(queue) && sharing.reduce((sum, name) => sum + busyCounts[name], 0) >= limit) return undefined
    }
    // Adds connections until the limit is reached.
    if (!idle) this.#grow()
    return idle
  }

  /** A connection on which the statement is pipelined; never behind one that may wait for a lock. */
  #leastLoaded(use: Use): PooledConnection | undefined {
    let best: PooledConnection | undefined
    for (const connection of this.#connections) {
      if (connection.use !== use || connection.load >= (best?.load ?? usePolicies[use].depth)) continue
      if (connection.silenceMs < maxPipelinedSilenceMs) best = connection
    }
    return best
  }

  #release(connection: PooledConnection): void {
    if (connection.load === 0 && !this.#connections.has(connection)) connection.close().catch(() => {})
    else this.#serve()
  }

  #drop(isDropped: (connection: PooledConnection) => boolean): void {
    const dropped = [...this.#connections].filter(isDropped)
    for (const connection of dropped) this.#connections.delete(connection)
    for (const connection of dropped) this.#release(connection)
  }

  #wait(use: Use): Promise<PooledConnection> {
    if (this.#isClosed) return Promise.reject(closedError())
    if (this.#fault !== undefined) return Promise.reject(unreachable(this.#fault))
    if (this.#isReadOnly && usePolicies[use].queue === 'write') return Promise.reject(readOnly())
    const connection = this.#queues.wait(use)
    this.#grow()
    return connection
  }

  #serve(): void {
    this.#queues.serve((use) => this.#take(use))
  }

  /** Opens one more connection, if the limit allows it. */
  #grow(): void {
    const total = this.#connections.size + this.#opening
    if (total >= this.#options.limits.connections || this.#isClosed || this.#fault !== undefined) return
    // If the server rejects further connections, do not try again for every request.
    if (total > 0 && performance.now() - this.#triedAt < reconnectIntervalMs) return
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
    else if (connection.isOpen) await this.#add(connection)
  }

  /** All connections lead to servers that accept writes, or none does: a standby may be behind the primary. */
  async #add(connection: PooledConnection): Promise<void> {
    const { isReadOnly } = connection.role
    if (isReadOnly !== this.#isReadOnly) {
      if (isReadOnly && this.#connections.size > 0) {
        await connection.close()
        throw readOnly()
      }
      this.renew()
      this.#isReadOnly = isReadOnly
      this.#options.onReadOnly?.(isReadOnly)
      if (isReadOnly) this.#queues.reject(readOnly(), ['write'])
    }
    this.#connections.add(connection)
  }

  #lose(lost: PooledConnection): void {
    this.#connections.delete(lost)
    if (this.#queues.length > 0) this.#grow()
  }

  /** The server cannot be reached: fails all waiting requests, and tries to connect until it is back. */
  async #fail(fault: unknown): Promise<void> {
    const isReconnecting = this.#fault !== undefined
    this.#fault = fault
    this.#queues.reject(unreachable(fault))
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
}

function closedError(): StoreUnavailable {
  return new StoreUnavailable('The database is closed.')
}

function readOnly(): StoreUnavailable {
  return new StoreUnavailable('The database server accepts only reads.')
}

function unreachable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The database cannot be reached.', { cause })
}
