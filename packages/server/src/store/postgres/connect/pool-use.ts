/** The uses of pooled connections, and the number of connections for each. */

/**
 * `read`: fast for all values. `list`: reads few records. `scan`: may read many records. `slow`: was slow the last time.
 * `write`: a write of one statement. `transaction`: needs a connection of its own.
 */
export type Use = 'read' | ListUse | 'write' | 'transaction'
export type ListUse = 'list' | 'scan' | 'slow'

/** The queues for connections. A request never waits behind requests of another kind. */
export const queues = ['read', 'list', 'scan', 'slow', 'write'] as const
export type QueueName = (typeof queues)[number]

interface UsePolicy {
  readonly queue: QueueName
  /**
   * How many statements may be pipelined on one connection. A write may wait for a locked record and delay those behind
   * it, so its limit is low.
   */
  readonly depth: number
}

export const usePolicies: Readonly<Record<Use, UsePolicy>> = {
  read: { queue: 'read', depth: 16 },
  list: { queue: 'list', depth: 1 },
  scan: { queue: 'scan', depth: 1 },
  slow: { queue: 'slow', depth: 1 },
  write: { queue: 'write', depth: 4 },
  transaction: { queue: 'write', depth: 1 },
}

/**
 * The maximum number of connections for groups of queues. Lists and writes always leave some to other uses: slow lists
 * to scans, and both to fast lists.
 */
export const connectionQuotas: readonly { readonly queues: readonly QueueName[]; readonly limit: number }[] = [
  { queues: ['read'], limit: 12 },
  { queues: ['list', 'scan', 'slow'], limit: 10 },
  { queues: ['scan', 'slow'], limit: 8 },
  { queues: ['slow'], limit: 4 },
  { queues: ['write'], limit: 10 },
]

export const maxConnections = Math.max(...connectionQuotas.map(({ limit }) => limit))

/** How many scans and slow lists may wait for a connection. */
export const maxWaitingLists = 100
