/** The requests that wait for a connection, in a queue for each use. */
import { StoreUnavailable, TooManyLists } from '../../fault/error.ts'
import { maxWaitingLists, type QueueName, queues, type Use, usePolicies } from './pool-use.ts'
import type { PooledConnection } from './pooled-connection.ts'

/** How long a request waits for a free connection. */
const timeoutMs = 5000

interface Waiter {
  readonly waitingSince: number
  readonly use: Use
  resolve(connection: PooledConnection): void
  reject(error: Error): void
}

export class WaitQueues {
  readonly #queues: Record<QueueName, Waiter[]> = { read: [], list: [], scan: [], slow: [], write: [] }

  /** The number of waiting requests. */
  get length(): number {
    return queues.reduce((sum, queue) => sum + this.#queues[queue].length, 0)
  }

  isEmpty(queue: QueueName): boolean {
    return this.#queues[queue].length === 0
  }

  /** Age of the oldest request in a queue. */
  oldestWaitMs(queue: QueueName): number {
    const [first] = this.#queues[queue]
    return first ? performance.now() - first.waitingSince : 0
  }

  /** Waits for a connection, up to a timeout. */
  wait(use: Use): Promise<PooledConnection> {
    const queue = this.#queues[usePolicies[use].queue]
    const isLong = use === 'scan' || use === 'slow'
    const timeoutError = () => {
      const reason = `No connection to the database became free within ${timeoutMs} ms.`
      return isLong ? new TooManyLists(reason) : new StoreUnavailable(reason)
    }
    if (isLong && queue.length >= maxWaitingLists) return Promise.reject(timeoutError())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiter), 1)
        reject(timeoutError())
      }, timeoutMs)
      const waiter: Waiter = {
        waitingSince: performance.now(),
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
      queue.push(waiter)
    })
  }

  /** Assigns connections to waiting requests: short reads first, then the oldest of lists and writes, then slow lists. */
  serve(take: (use: Use) => PooledConnection | undefined): void {
    const { read, list, scan, slow, write } = this.#queues
    const isListFirst = (list[0]?.waitingSince ?? 0) <= (write[0]?.waitingSince ?? 0)
    for (const queue of [read, ...(isListFirst ? [list, write] : [write, list]), scan, slow]) {
      for (let [waiter] = queue; waiter; [waiter] = queue) {
        const connection = take(waiter.use)
        if (!connection) break
        queue.shift()
        waiter.resolve(connection)
      }
    }
  }

  /** Rejects the requests of some queues (default: all). */
  reject(error: Error, names: readonly QueueName[] = queues): void {
    for (const name of names) for (const { reject } of this.#queues[name].splice(0)) reject(error)
  }
}
