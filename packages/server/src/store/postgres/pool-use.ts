/** What connections of a pool are used for, and how many there are for each use. */

/** A read that is quick whatever its values, a list, a write of one statement, or whatever needs a connection alone. */
export type Use = 'read' | 'list' | 'write' | 'transaction'

/** Those who want a connection stand in three lines, so that nobody waits behind others who wait for something else. */
export const lines = ['read', 'list', 'write'] as const
export type Line = (typeof lines)[number]

interface Manner {
  readonly line: Line
  /**
   * How many statements may be under way on one connection, each sent behind the others. A write may have to wait for a
   * record that somebody else holds, and those behind it wait as well: so they are few.
   */
  readonly depth: number
}

export const manners: Readonly<Record<Use, Manner>> = {
  read: { line: 'read', depth: 16 },
  list: { line: 'list', depth: 1 },
  write: { line: 'write', depth: 4 },
  transaction: { line: 'write', depth: 1 },
}

/** How many connections those of one line may have. Lists and writes leave some to others, however many wait. */
export const shares: Readonly<Record<Line, number>> = { read: 12, list: 10, write: 10 }

export const size = Math.max(...Object.values(shares))
