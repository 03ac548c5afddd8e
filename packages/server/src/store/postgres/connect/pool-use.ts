/** The uses of pooled connections, and the number of connections for each. */

/**
 * `read`: fast for all values. `list`: reads few records. `scan`: may read many records. `slow`: lists of this form are slow, or the first list of a form.
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

interface Quota {
  readonly queues: readonly QueueName[]
  readonly limit: number
}

/**
 * The maximum number of connections for groups of queues. Lists and writes always leave some to other uses: slow lists
 * to scans, and both to fast lists.
 */
export function quotasOf(connections: number): readonly Quota[] {
  return [
    { queues: ['read'], limit: connections },
    { queues: ['list', 'scan', 'slow'], limit: share(connections, 5 / 6) },
    { queues: ['scan', 'slow'], limit: share(connections, 2 / 3) },
    { queues: ['slow'], limit: share(connections, 1 / 3) },
    { queues: ['write'], limit: share(connections, 5 / 6) },
  ]
}

/** A part of the connections, at least one. */
export function share(connections: number, fraction: number): number {
  return Math.max(1, Math.floor(connections * fraction))
}

/** How many scans and slow lists may wait for a connection. */
export const maxWaitingLists = 100
