/** Stops statements that take too long. `node:sqlite` cannot interrupt a statement, so the statement itself checks the clock. */
import type { DatabaseSync } from 'node:sqlite'

/** Thrown if a statement was stopped, because it took too long or would block the main thread. */
export class StatementStopped extends Error {
  override readonly name = 'StatementStopped'
  /** Whether a string was too long, regardless of the time. */
  readonly isLongString: boolean

  constructor(message: string, { cause, isLongString = false }: ErrorOptions & { isLongString?: boolean }) {
    super(message, { cause })
    this.isLongString = isLongString
  }
}

/** A connection; older versions of Node have no `limits`. */
type Limitable = Omit<DatabaseSync, 'limits'> & Partial<Pick<DatabaseSync, 'limits'>>

/** Whether SQLite has found a string that exceeds its limit. */
export function isTooBig(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 18
}

/** Strings of this size and above are searched on a thread, because one comparison may take a millisecond. */
export const longStringBytes = 65_536

const clocks = new WeakMap<DatabaseSync, StatementClock>()

export class StatementClock {
  readonly #database: Limitable
  #deadline = Number.POSITIVE_INFINITY
  #isStopped = false

  private constructor(database: DatabaseSync) {
    this.#database = database
    database.function('in_time', () => (performance.now() > this.#deadline ? this.#stop() : 1))
    database.function('is_short', () => this.#stop())
  }

  /** The clock of a connection: an SQL function can be defined only once. */
  static of(database: DatabaseSync): StatementClock {
    const clock = clocks.get(database) ?? new StatementClock(database)
    clocks.set(database, clock)
    return clock
  }

  /** Runs work until a deadline by `performance.now()`. Throws `StatementStopped` after it. */
  run<Result>(deadline: number, work: () => Result): Result {
    this.#deadline = deadline
    this.#isStopped = false
    try {
      return work()
    } catch (error) {
      throw this.#isStopped ? new StatementStopped('A statement was stopped.', { cause: error }) : error
    } finally {
      this.#deadline = Number.POSITIVE_INFINITY
    }
  }

  /** Like `run`, but also stops at a long string. */
  runOnShortStrings<Result>(deadline: number, work: () => Result): Result {
    const { limits } = this.#database
    // Older versions of Node cannot limit it, so the statement checks each string.
    if (!limits) return this.run(deadline, work)
    const usualLength = limits.length
    limits.length = longStringBytes
    try {
      return this.run(deadline, work)
    } catch (error) {
      throw isTooBig(error)
        ? new StatementStopped('A statement found a long string.', { cause: error, isLongString: true })
        : error
    } finally {
      limits.length = usualLength
    }
  }

  #stop(): never {
    this.#isStopped = true
    throw new Error('stopped')
  }
}
