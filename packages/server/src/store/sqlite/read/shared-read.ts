/** Reads of one turn of the event loop share one transaction: to begin and end one costs as much as to read a record. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** As much of it as whoever reads has to do with. */
export type Turn = Pick<SharedRead, 'read' | 'hold' | 'end'>

/** A turn for reads of a transaction that ends itself, and in which nothing stays as it was. */
export function ownTurn(): Turn {
  let held = 0
  return { read: () => {}, hold: () => ++held, end: () => {} }
}

export class SharedRead {
  readonly #database: DatabaseSync
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  #reads = 0
  #held = 0
  /** Whether a request has come straight from its connection in this turn, and what is read now may be shared. */
  #isShared = false
  #isEndPlanned = false
  /** Whether the transaction that is open is another's. */
  isSuspended = false

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#begin = database.prepare('begin')
    this.#commit = database.prepare('commit')
  }

  /**
   * A request has come straight from its connection. All that are found there at one look were sent before it, so one state
   * is new enough for them. A transaction of before that look may be too old: whoever asks may have been told of a later
   * write, by another process.
   */
  arrive(): void {
    if (this.#isShared) return
    this.end()
    this.#isShared = true
    this.#planEnd()
  }

  /** Called before every read. The first of a turn has a transaction to itself, because most turns have no second. */
  read(): void {
    if (!this.#isShared) this.end()
    else if (++this.#reads > 1) this.hold()
  }

  /**
   * Makes sure that what is read next, in the same turn, is of one state of the database. Gives the number of the
   * transaction: as long as it stays the same, so does that state.
   */
  hold(): number {
    if (!this.#database.isTransaction) {
      this.#begin.run()
      this.#held++
      this.#planEnd()
    }
    return this.#held
  }

  /** Ends the transaction, where there is one, before anything else begins its own. */
  end(): void {
    this.#reads = 0
    // A fault of the disk may have ended it.
    if (!this.isSuspended && this.#database.isOpen && this.#database.isTransaction) this.#commit.run()
  }

  /** Connections are looked at again only after that. */
  #planEnd(): void {
    if (this.#isEndPlanned) return
    this.#isEndPlanned = true
    setImmediate(() => {
      this.#isEndPlanned = false
      this.#isShared = false
      this.end()
    })
  }
}
