/** A small pool of connections to one database: who may use which, and what becomes of all when the server is gone. */
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable, TooManyLists } from '../../error.ts'
import { type Line, lines, maxWaitingLists, shares, size, type Use, usePolicies } from './pool-use.ts'
import type { PooledConnection } from './pooled-connection.ts'

export interface PoolOptions {
  /** Opens a connection; `onLost` is told when it breaks. */
  open(onLost: (lost: PooledConnection) => void): Promise<PooledConnection>
}

interface Waiting {
  readonly since: number
  readonly use: Use
  resolve(connection: PooledConnection): void
  reject(error: Error): void
}

/** How long a request waits for a free connection, in milliseconds. */
const timeoutMs = 5000

/** How long to wait before a server that let nobody in is asked again, in milliseconds. */
const pauseBetweenTries = 250

export class PostgresPool {
  readonly #options: PoolOptions
  readonly #connections = new Set<PooledConnection>()
  readonly #lines: Record<Line, Waiting[]> = { read: [], list: [], scan: [], slow: [], write: [] }
  #opening = 0
  #triedAt = Number.NEGATIVE_INFINITY
  /** Why nothing can be had, as long as the server is gone. */
  #fault: unknown
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Gives a connection to some work: to itself, or behind others of the same use. */
  async with<Result>(use: Use, work: (connection: PooledConnection) => Promise<Result>): Promise<Result> {
    const connection = this.#claim(use) ?? (await this.#wait(use))
    try {
      return await work(connection)
    } finally {
      connection.load--
      this.#release(connection)
    }
  }

  /** Lets go of all connections, those in use as soon as they are free: what comes next opens new ones. */
  renew(): void {
    const old = [...this.#connections]
    this.#connections.clear()
    for (const connection of old) this.#release(connection)
  }

  /** The longest time for which a connection has had no answer to what was sent on it, in milliseconds. */
  get silence(): number {
    let longest = 0
    for (const { silence } of this.#connections) longest = Math.max(longest, silence)
    return longest
  }

  /** For how long the one of a line has waited who has waited longest, in milliseconds. */
  wait(line: Line): number {
    const [first] = this.#lines[line]
    return first ? performance.now() - first.since : 0
  }

  /** How many connections there are, how many of them nobody uses, how many are wanted, and how many there may be. */
  get figures(): { readonly total: number; readonly idle: number; readonly waiting: number; readonly limit: number } {
    let idle = 0
    for (const { load } of this.#connections) if (load === 0) idle++
    const waiting = lines.reduce((sum, line) => sum + this.#lines[line].length, 0)
    return { total: this.#connections.size, idle, waiting, limit: size }
  }

  /** The server answers no more: what is under way is broken off, and nobody waits for it. */
  abandon(fault: Error): void {
    const old = [...this.#connections]
    this.#connections.clear()
    this.#fail(fault)
    for (const connection of old) connection.break(fault)
  }

  /** Takes no more work, finishes what is under way, and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#refuseAll(closed())
    await Promise.all([...this.#connections].map((connection) => connection.close()))
    this.#connections.clear()
  }

  /** A connection that can be used at once, unless others of the line wait already. */
  #claim(use: Use): PooledConnection | undefined {
    return this.#lines[usePolicies[use].line].length === 0 && !this.#isClosed ? this.#take(use) : undefined
  }

  #take(use: Use): PooledConnection | undefined {
    const found = this.#free(use) ?? this.#leastLoaded(use)
    if (!found) return undefined
    found.use = use
    found.load++
    return found
  }

  /** A connection that nobody uses, where those of the line have less than their share. */
  #free(use: Use): PooledConnection | undefined {
    const { line } = usePolicies[use]
    let idle: PooledConnection | undefined
    const taken: Record<Line, number> = { read: 0, list: 0, scan: 0, slow: 0, write: 0 }
    for (const connection of this.#connections) {
      if (connection.load === 0) idle ??= connection
      else taken[usePolicies[connection.use].line]++
    }
    for (const { lines: sharing, limit } of shares) {
      if (sharing.includes(line) && sharing.reduce((sum, one) => sum + taken[one], 0) >= limit) return undefined
    }
    // More connections do more at once, until there are enough.
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
    const line = this.#lines[usePolicies[use].line]
    const isLong = use === 'scan' || use === 'slow'
    const late = () => {
      const reason = `No connection to the database became free within ${timeoutMs} ms.`
      return isLong ? new TooManyLists(reason) : new StoreUnavailable(reason)
    }
    if (isLong && line.length >= maxWaitingLists) return Promise.reject(late())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        reject(late())
      }, timeoutMs)
      const waiting: Waiting = {
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
      line.push(waiting)
      this.#grow()
    })
  }

  /** Gives connections to those who wait: quick reads first, which are done at once, then whoever has waited longest. */
  #serve(): void {
    const { read, list, scan, slow, write } = this.#lines
    this.#serveLine(read)
    const isListFirst = (list[0]?.since ?? 0) <= (write[0]?.since ?? 0)
    this.#serveLine(isListFirst ? list : write)
    this.#serveLine(isListFirst ? write : list)
    this.#serveLine(scan)
    this.#serveLine(slow)
  }

  #serveLine(line: Waiting[]): void {
    for (let [next] = line; next; [next] = line) {
      const connection = this.#take(next.use)
      if (!connection) return
      line.shift()
      next.resolve(connection)
    }
  }

  /** Opens one more connection, where there is room. */
  #grow(): void {
    const number = this.#connections.size + this.#opening
    if (number >= size || this.#isClosed || this.#fault !== undefined) return
    // A server that has let somebody in and nobody more is not to be asked for every request.
    if (number > 0 && performance.now() - this.#triedAt < pauseBetweenTries) return
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

  /** The server is gone: nobody waits for it, and it is asked for until it is back. */
  async #fail(fault: unknown): Promise<void> {
    const isKnown = this.#fault !== undefined
    this.#fault = fault
    this.#refuseAll(unreachable(fault))
    if (isKnown) return
    while (this.#fault !== undefined && !this.#isClosed) {
      await pause(pauseBetweenTries, undefined, { ref: false })
      try {
        await this.#open()
        this.#fault = undefined
      } catch (error) {
        this.#fault = error
      }
    }
  }

  #refuseAll(error: Error): void {
    for (const line of Object.values(this.#lines)) for (const { reject } of line.splice(0)) reject(error)
  }
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('The database is closed.')
}

function unreachable(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('The database cannot be reached.', { cause })
}
