/** What connections of a pool are used for, and how many there are for each use. */

/**
 * A read that is quick whatever its values; a list that looks at few records, one that may look at many, one that took
 * long the last time; a write of one statement; or whatever needs a connection alone.
 */
export type Use = 'read' | ListUse | 'write' | 'transaction'
export type ListUse = 'list' | 'scan' | 'slow'

/** The queues for connections: a request never waits behind requests of another kind. */
export const lines = ['read', 'list', 'scan', 'slow', 'write'] as const
export type Line = (typeof lines)[number]

interface UsePolicy {
  readonly line: Line
  /**
   * How many statements may be under way on one connection, each sent behind the others. A write may have to wait for a
   * record that somebody else holds, and those behind it wait as well: so they are few.
   */
  readonly depth: number
}

export const usePolicies: Readonly<Record<Use, UsePolicy>> = {
  read: { line: 'read', depth: 16 },
  list: { line: 'list', depth: 1 },
  scan: { line: 'scan', depth: 1 },
  slow: { line: 'slow', depth: 1 },
  write: { line: 'write', depth: 4 },
  transaction: { line: 'write', depth: 1 },
}

/**
 * How many connections those of some lines may have together. Lists and writes leave some to others, however many wait:
 * slow lists to those that may be quick, and both to lists that are quick by construction.
 */
export const shares: readonly { readonly lines: readonly Line[]; readonly limit: number }[] = [
  { lines: ['read'], limit: 12 },
  { lines: ['list', 'scan', 'slow'], limit: 10 },
  { lines: ['scan', 'slow'], limit: 8 },
  { lines: ['slow'], limit: 4 },
  { lines: ['write'], limit: 10 },
]

export const size = Math.max(...shares.map(({ limit }) => limit))

/** How many lists wait for a connection at most that may take long. */
export const maxWaitingLists = 100
